/** Running a paper in this tab: its quick form, or all of it; how far that is; a second look where the first leaves it open. */
import type { ReactNode } from 'react';
import { shortForm, shortSeconds, whyNotHere } from '#client/compare/papers.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { useKeptFocus } from '#ui/kit/useKeptFocus.ts';
import styles from './Paper.module.css';
import type { PaperRuns } from './usePaperRuns.ts';

interface Props {
  readonly card: JudgedCard;
  /** Of the full result; empty: there is none. */
  readonly ran: readonly ArmResult[];
  /** Of a seed of all arms in the full result, where there is one. */
  readonly minutesPerSeed: number | null;
  readonly quick: PaperRuns;
  readonly full: PaperRuns;
  readonly onStart: (form: 'quick' | 'full') => void;
  readonly onMore: () => void;
}

export function RunHere({ card, ran, minutesPerSeed, quick, full, onStart, onMore }: Props) {
  const why = whyNotHere(card);
  const learners = card.arms.filter(({ script }) => script === undefined).length;
  const first = card.looks[0] ?? 0;
  const short = shortForm(card);
  const steps = (run: object): string => {
    const { steps: count } = { ...objectOf(card.config.run), ...run } as { readonly steps?: unknown };
    return typeof count === 'number' ? `${compact(count)} steps` : 'the steps of its arms';
  };
  return (
    <section className={styles.run} aria-labelledby="paper-run">
      <h2 id="paper-run">Run it here</h2>
      {why !== '' ? (
        <p>{why}</p>
      ) : (
        <div className={styles.forms}>
          <Form name={card.quick === null ? t('One seed') : t('Quick form')} kind="solid" runs={quick} onStart={() => onStart('quick')}>
            <p className={styles.quiet}>
              {learners === 0
                ? t('{n} scripted policies × {seeds} seeds; nothing is trained.', { n: card.arms.length, seeds: short.seeds })
                : short.seeds === 1
                  ? t('{n} arms × one seed, {steps}: {time}.', {
                      n: learners,
                      steps: steps(short.run),
                      time: inTime(shortSeconds(card, ran)),
                    })
                  : t('{n} arms × {seeds} seeds, {steps}: {time}.', {
                      n: learners,
                      seeds: short.seeds,
                      steps: steps(short.run),
                      time: inTime(shortSeconds(card, ran)),
                    })}{' '}
              {card.quick === null ? t('A look at it: one seed says nothing of the direction.') : t('Says whether the direction shows.')}
            </p>
          </Form>
          <Form
            name="Full form"
            kind="quiet"
            runs={full}
            onStart={() => onStart('full')}
            more={
              full.more === null ? null : (
                <Button icon="plus" onClick={onMore}>
                  {(card.looks[1] ?? 0) - first} more seeds: a contrast is open that can change the word
                </Button>
              )
            }
          >
            <p className={styles.quiet}>
              {learners === 0
                ? `${card.arms.length} scripted policies × ${first} seeds: `
                : `${learners} ${learners === 1 ? 'arm' : 'arms'} × ${first} seeds, ${steps({})}: `}
              {minutesPerSeed === null
                ? `up to ${measure(card.minutes, 3)} core-minutes`
                : `${measure(Math.max(0.1, first * minutesPerSeed), 2)} core-minutes when we ran them`}
              . Judged by the same rule.
            </p>
          </Form>
        </div>
      )}
      {why === '' && card.noQuick !== '' && (
        <p className={styles.quiet}>There is no quick form that says whether the direction shows, because {card.noQuick}.</p>
      )}
      {[quick.problem, full.problem].map((text, i) => text !== '' && <p key={String(i)}>{text}</p>)}
    </section>
  );
}

/** Cores that a run in a tab has at least. */
const CORES = 2;

/** How long the short run takes on so many cores, by what the published runs took. */
function inTime(coreSeconds: number): string {
  if (coreSeconds === 0) return t('how long is not known yet');
  return t('about {n} s on {cores} cores', { n: Math.max(1, Math.round(coreSeconds / CORES)), cores: CORES });
}

interface FormProps {
  readonly name: string;
  readonly kind: 'solid' | 'quiet';
  readonly runs: PaperRuns;
  readonly onStart: () => void;
  readonly children: ReactNode;
  readonly more?: ReactNode;
}

function Form({ name, kind, runs, onStart, children, more }: FormProps) {
  const [box, keep] = useKeptFocus(); // the progress comes into view with it
  return (
    <fieldset ref={box} aria-label={name} tabIndex={-1}>
      <Button kind={kind} icon="play" disabled={runs.now === null || runs.now.started} onClick={() => keep(onStart)}>
        {name}
      </Button>
      {children}
      <Progress runs={runs} />
      {more}
    </fieldset>
  );
}

function Progress({ runs }: { readonly runs: PaperRuns }) {
  if (runs.now === null || !runs.now.started) return null;
  if (runs.now.done) return <p role="status">Finished. Results are below.</p>;
  const share = Math.floor(100 * runs.now.share);
  return (
    <>
      <label className={styles.progress}>
        <progress max={100} value={share} /> {percent(share)}
      </label>
      {runs.resume !== null && (
        <Button icon="play" onClick={runs.resume}>
          Go on where it stopped
        </Button>
      )}
    </>
  );
}
