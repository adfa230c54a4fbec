/** A card with an outcome: what it says, what was compared, what the runs say and how sure that is; and the ways to run it, change it, cite it. */
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { besideVerdict, checksOf, curveOf, longerId, withPilot } from '#client/compare/papers.ts';
import { taskOfMetric } from '#contract/game/metrics.ts';
import { objectOf } from '#contract/kit/json.ts';
import { type JudgedCard, quantityTitle, ruleHash } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { scoresCsv } from '#report/paper-scores.ts';
import { catalogStore } from '#stores/catalog.ts';
import { EMBEDDED_CARD, EMBEDDED_PAPER, embedded, hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { cardEmbedCode } from '#ui/kit/embed-protocol.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { AgainstSource } from './AgainstSource.tsx';
import { ArmsTable } from './ArmsTable.tsx';
import { ContrastFigure } from './ContrastFigure.tsx';
import { CurveFigure } from './CurveFigure.tsx';
import { DoseFigure } from './DoseFigure.tsx';
import { effortOf } from './effort.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import { PairsFigure } from './PairsFigure.tsx';
import styles from './Paper.module.css';
import { PaperPicture } from './PaperEntry.tsx';
import { PilotSection } from './PilotSection.tsx';
import { PlayedArms, playable } from './PlayedArms.tsx';
import { Predict } from './Predict.tsx';
import { cameOutIn, questionOf, useKept } from './predictions.ts';
import { RunHere } from './RunHere.tsx';
import { SeedsFigure } from './SeedsFigure.tsx';
import { Summary } from './Summary.tsx';
import { settingsInWords } from './settings.ts';
import { useStored } from './stored.ts';
import { TouchIdea } from './TouchIdea.tsx';
import { useTitles } from './titles.ts';
import { usePaperRuns } from './usePaperRuns.ts';
import { citation, howSure, outcomeInSentences, ruleHistory } from './words.ts';

type Source = 'result' | 'quick' | 'full';

/** What the figures show: the full result beside the page, or what was run in this profile. */
interface Shown {
  readonly arms: readonly ArmResult[];
  readonly findings: PaperResult['findings'];
  readonly voids: PaperResult['voids'];
  readonly decidedOn: number;
}

interface Props {
  readonly card: JudgedCard;
  /** From the address: `predict`: the outcome is covered until a prediction was made; `class`: the word of a class. */
  readonly query: Route['query'];
  /** It stands in the page of a card of another form, which asks its own question. */
  readonly part?: boolean;
  /** Of a card that stands whole in its address. */
  readonly address?: string;
}

export function JudgedView({ card, query, part = false, address }: Props) {
  const stored = useStored(card.id);
  const quick = usePaperRuns(card, true);
  const full = usePaperRuns(card, false);
  const [chosen, setChosen] = useState<Source | null>(null);
  const [cover, setCover] = useState('predict' in query);
  const [looked, setLooked] = useState(false);
  const covered = cover && !looked;
  const kept = useKept(card.id);
  const asks = cover || kept !== undefined;
  const ran = stored.state === 'here' ? stored.result : null;
  const result = covered ? null : ran;
  const runs = { quick: quick.now, full: full.now };
  const source: Source = chosen ?? (result !== null ? 'result' : full.now?.started ? 'full' : 'quick');
  const own = source === 'result' ? null : runs[source];
  const shown: Shown = {
    arms: (source === 'result' ? result?.arms : own?.arms) ?? [],
    findings: (source === 'result' ? result?.findings : own?.decision?.findings) ?? [],
    voids: (source === 'result' ? result?.voids : own?.decision?.voids) ?? [],
    decidedOn: (source === 'result' ? result?.decidedOn : own?.decision?.decidedOn) ?? 0,
  };
  const options: readonly { readonly value: Source; readonly label: string }[] = [
    ...(result === null ? [] : [{ value: 'result' as const, label: 'Full result' }]),
    ...(quick.now?.started ? [{ value: 'quick' as const, label: card.quick === null ? 'Your one seed' : 'Your quick run' }] : []),
    ...(full.now?.started ? [{ value: 'full' as const, label: 'Your full run' }] : []),
  ];
  const metric = useMetricTitle(card);

  return (
    <>
      <div className={styles.top}>
        <Summary card={card} stored={stored} covered={covered} below={address !== undefined && own?.started === true} />
        <div className={styles.beside}>
          {!part && !asks && ran !== null && <AskFirst onCover={() => setCover(true)} />}
          {!part && asks && (
            <Predict
              paper={card.id}
              question={questionOf(card)}
              word={query.class}
              came={cameOutIn(card, ran?.findings ?? own?.decision?.findings ?? [])}
              shown={!covered}
              press={{ label: 'Show what came out', busy: stored.state === 'reading', go: () => setLooked(true) }}
            />
          )}
          {result !== null && <SeedsFigure card={card} arms={result.arms} second={result.confirm?.arms ?? []} />}
        </div>
      </div>
      {address !== undefined && source !== 'result' && <OwnOutcome card={card} own={own} quick={source === 'quick'} />}
      <div className={styles.actions}>
        <Button icon="share" onClick={() => void copy(linkOf(address), 'Link')}>
          Copy link
        </Button>
        <Button icon="copy" onClick={() => void copy(citation(card, result), 'Citation')}>
          Cite
        </Button>
        {!embedded() && (
          <Button icon="copy" onClick={() => void copy(frameOf(card, address), 'Embed code')}>
            {t('Copy embed code')}
          </Button>
        )}
        <Button icon="download" onClick={() => print()}>
          Print one page
        </Button>
        {result !== null && (
          <Button icon="download" onClick={() => void save(csvOf(card, result), `${fileName(card.id)}-scores.csv`)}>
            {t('Scores as CSV')}
          </Button>
        )}
      </div>
      <PlayedArms card={card} judged={result?.arms ?? []} />
      <div className={styles.idea} data-alone={playable(card).length > 0 || undefined}>
        {(card.equation !== '' || card.idea !== card.question) && (
          <div>
            <h2>The idea</h2>
            <p>{card.idea}</p>
            <p className={styles.equation}>
              <code>{card.equation}</code>
            </p>
          </div>
        )}
        {playable(card).length === 0 && <PaperPicture card={card} />}
      </div>
      {!part && <TouchIdea card={card} />}
      <RunHere
        card={card}
        ran={ran?.arms ?? []}
        minutesPerSeed={ran === null ? null : ran.coreMinutes / ran.seeds.length}
        quick={quick}
        full={full}
        onStart={(form) => {
          setChosen(form);
          (form === 'quick' ? quick : full).start();
        }}
        onMore={() => {
          setChosen('full');
          full.more?.();
        }}
      />
      <section>
        <div className={styles.headRow}>
          <h2>Arms</h2>
          {options.length > 1 && <Segmented label="What is shown" value={source} options={options} onChange={setChosen} />}
        </div>
        <Shared card={card} />
        <ArmsTable card={card} arms={shown.arms} />
      </section>
      <section className={styles.figures}>
        <h2 className="visually-hidden">What they got</h2>
        {!covered && card.dose !== null && <DoseFigure card={card} dose={card.dose} arms={shown.arms} />}
        {card.arms.some(({ script }) => script === undefined) && <CurveFigure arms={shown.arms} title={metric} />}
        <PairsFigure card={card} arms={shown.arms} />
        <ContrastFigure
          paper={card}
          findings={shown.findings}
          second={source === 'result' ? (result?.confirm?.findings ?? []) : []}
          arms={shown.arms}
        />
        {source !== 'result' && <SeedsFigure card={card} arms={shown.arms} second={[]} />}
      </section>
      {address === undefined && source !== 'result' && !covered && <OwnOutcome card={card} own={own} quick={source === 'quick'} />}
      <section className={styles.notes}>
        <Note title="Checks">
          <ul className={styles.checks}>
            {checksOf(card, shown).map(({ title, state, text }) => (
              <li key={`${title} ${state} ${text}`} data-state={state}>
                <strong>{title}</strong>: {state}. <span className={styles.quiet}>{text}</span>
              </li>
            ))}
          </ul>
          {card.exempt.map(({ check, arms, why }) => (
            <p key={`${check} ${arms.join()}`} className={styles.quiet}>
              Left out of “{check}”: {arms.join(', ')}, because {why}.
            </p>
          ))}
        </Note>
        <Note title="Scaled down">{card.scaledDown}</Note>
        <Note title="Threats to validity">{card.dishonest}</Note>
        <Note title="What to try next">{card.next}</Note>
        {result !== null && <EffortNotes card={card} result={result} />}
        {card.longer !== null && (
          <Note title="Longer form">
            <a href={hashOf({ page: 'papers', id: longerId(card.id), query: {} })}>{card.longer.times} times the steps</a>:{' '}
            {card.longer.why}
          </Note>
        )}
      </section>
      {!part && card.source !== null && <AgainstSource source={card.source} />}
      {result !== null && <PilotSection pilot={result.pilot} />}
      <Provenance card={card} result={result} />
      <details className={styles.cite}>
        <summary>Citation</summary>
        <pre>{citation(card, result)}</pre>
      </details>
    </>
  );
}

/** What came out stands beside it: who wants to be asked before has it covered. */
function AskFirst({ onCover }: { readonly onCover: () => void }) {
  return (
    <section className={styles.askFirst} aria-label={t('Your prediction')}>
      <p>{t('What would you have said? Cover what came out, and be asked first.')}</p>
      <Button icon="eye" onClick={onCover}>
        {t('Cover it and ask me')}
      </Button>
    </section>
  );
}

/** Every score of both blocks, as `list papers --csv` writes them for all papers. */
const csvOf = (card: JudgedCard, result: PaperResult): Blob =>
  new Blob([scoresCsv([{ result, quantityOf: (arm) => quantityTitle(card, arm) }])], { type: 'text/csv' });

/** What the runs of this profile say. */
function OwnOutcome({
  card,
  own,
  quick,
}: {
  readonly card: JudgedCard;
  readonly own: ReturnType<typeof usePaperRuns>['now'];
  readonly quick: boolean;
}) {
  if (own === null || !own.started) return null;
  return (
    <section className={styles.banner} aria-label="Your runs" role="status">
      {own.decision !== null && (
        <>
          <p className={styles.bannerHead}>
            <OutcomeSign outcome={own.decision.outcome} tested={card.tested.label} /> <span className={styles.quiet}>by your own runs</span>
          </p>
          <p>{outcomeInSentences(own.decision, card.tested.label)}</p>
          {besideVerdict(card, { ...own.decision, arms: own.arms }).map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p className={styles.quiet}>{howSure(own.decision, card.forms)}</p>
        </>
      )}
      {own.shows !== null && (
        <p>
          {own.shows ? 'The direction shows' : 'The direction does not show'} in {own.seeds.length} seeds of the quick form. That is a sign,
          no verdict: too few seeds to judge by.
        </p>
      )}
      {!own.done && own.failures.length === 0 && (
        <p>
          {quick ? 'The short form' : 'The full form'} is running: {percent(Math.floor(100 * own.share))}.
        </p>
      )}
      {own.failures.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  );
}

/** Copied without what the page shows of itself. */
const linkOf = (address: string | undefined): string =>
  address === undefined ? location.href.replace(/\?.*$/, '') : `${location.href.replace(/#.*$/, '')}${address}`;

/** The code of a frame with the card. `address`: of an own card, which stands whole in it. */
function frameOf(card: JudgedCard, address: string | undefined): string {
  const base = location.href.replace(/#.*$/, '');
  const packed = address?.replace(/^.*[?&]c=/, '');
  return packed === undefined
    ? cardEmbedCode(base, EMBEDDED_PAPER, { id: card.id }, card.title)
    : cardEmbedCode(base, EMBEDDED_CARD, { c: packed }, card.title);
}

function Note({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (children === '') return null; // an own card may not say it
  return (
    <div>
      <h2>{title}</h2>
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}

/** What was easy and what was hard, each where there is something to say. */
function EffortNotes({ card, result }: { readonly card: JudgedCard; readonly result: PaperResult }) {
  const { easy, hard } = effortOf(card, result);
  const kinds = [
    [t('What was easy'), easy],
    [t('What was hard'), hard],
  ] as const;
  return kinds.map(
    ([title, sentences]) =>
      sentences.length > 0 && (
        <div key={title} className={styles.onScreen}>
          <h2>{title}</h2>
          <p>{sentences.join(' ')}</p>
        </div>
      ),
  );
}

function useMetricTitle({ quantity, config }: JudgedCard): string {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const metric = curveOf(quantity);
  if (taskOfMetric(metric) === 0) return 'greedy return in the first task';
  if (metric === 'evalReturn') return 'greedy return';
  const [algo, env] = [objectOf(config.algo), objectOf(config.env)];
  const known = [
    ...(catalog?.algos.find(({ id }) => id === algo.id)?.metrics ?? []),
    ...(catalog?.envs.find(({ id }) => id === env.id)?.measures ?? []),
  ];
  return known.find((one) => one.id === metric)?.title ?? metric;
}

/** What all arms have in common. */
function Shared({ card }: { readonly card: JudgedCard }) {
  const title = useTitles();
  const [env, algo, run] = [objectOf(card.config.env), objectOf(card.config.algo), objectOf(card.config.run)];
  const settings = [objectOf(env.config), objectOf(algo.config), run].map((config) => settingsInWords(config).join(', ')).filter(Boolean);
  return (
    <p className={styles.quiet}>
      Shared by all: {[`${title('algo', String(algo.id))} on ${title('env', String(env.id))}`, ...settings].join('; ')}. Compared by:{' '}
      {card.quantity.title}.
    </p>
  );
}

function Provenance({ card, result }: { readonly card: JudgedCard; readonly result: PaperResult | null }) {
  const rows: readonly (readonly [string, string])[] = [
    ['Rule', result === null ? ruleHash(card) : `${ruleHash(withPilot(card, result.pilot))}. ${ruleHistory(result)}`],
    [
      'Settings chosen on',
      card.tunedOn === null ? 'nothing was chosen' : `seeds ${card.tunedOn[0]} to ${card.tunedOn[1]}, none of which is reported`,
    ],
    ...(result === null
      ? []
      : ([
          ['Seeds', `${result.seeds[0]} to ${result.seeds.at(-1)}, the same for every arm`],
          ['Commit', result.commit],
          ['Run on', `${result.date.slice(0, 10)}, ${result.machine.cpu}, ${result.machine.cores} cores, ${result.machine.runtime}`],
          ['Cost', `${measure(result.coreMinutes, 3)} core-minutes`],
        ] as const)),
  ];
  return (
    <section className={styles.sources}>
      <h2>Where it comes from</h2>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
