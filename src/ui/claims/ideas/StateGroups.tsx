/** P021: one group of episodes as strips of steps. A step that is chosen marks all steps of the group from the same state, which are compared. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { frameOf, type GroupThere, groupOfArm } from '#client/compare/ideas.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { GroupStep } from '#contract/run/group.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { alike, compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { frameInWords } from '#ui/stage/describe.ts';
import styles from './Group.module.css';
import { type Place, sameState, useGroup } from './group.ts';

/** Its episodes differ in what they earn from the first update on. */
const ARM = 'local';
/** Steps that the policy was trained for. */
const TRAINED = [0, 15_000, 30_000] as const;

export default function StateGroups({ card }: { readonly card: JudgedCard }) {
  const [trained, setTrained] = useState<number>(TRAINED[1]);
  const [start, setStart] = useState(1);
  const arm = card.arms.find(({ id }) => id === ARM);
  const { found, busy, problem } = useGroup(`${trained} ${start}`, async () => {
    if (arm === undefined) throw new Error(`There is no arm ${ARM}.`);
    return groupOfArm(card, arm, {}, { policy: { seed: card.firstSeed, steps: trained }, seed: start });
  });
  const id = useId();
  return (
    <div className={styles.group}>
      <h2>{t('Which steps share a state')}</h2>
      <p className={styles.quiet}>
        {t('One group of “{arm}”, collected by the method’s own code. The policy is trained here first, by the method.', {
          arm: arm?.title ?? '',
        })}
      </p>
      <div className={styles.dials}>
        <div>
          <label htmlFor={id}>
            {t('Trained for')} <output>{t('{n} steps', { n: compact(trained) })}</output>
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={TRAINED.length - 1}
            step={1}
            value={TRAINED.findIndex((steps) => steps === trained)}
            aria-valuetext={t('{n} steps', { n: compact(trained) })}
            onChange={(event) => setTrained(TRAINED[Number(event.target.value)] ?? 0)}
          />
        </div>
        <Button icon="play" disabled={busy} onClick={() => setStart(start + 1)}>
          {t('Another start')}
        </Button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
      <p role="status">{busy ? t('The method trains and plays a group: some seconds.') : ''}</p>
      {found !== null && <Strips key={`${start} ${trained}`} found={found} />}
    </div>
  );
}

const signOf = (value: number): 'up' | 'down' | 'none' => (value > 0.005 ? 'up' : value < -0.005 ? 'down' : 'none');
/** Rows and steps that an arrow key moves by. */
const MOVES: { readonly [key: string]: readonly [number, number] | undefined } = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const MARKS = { up: '+', down: '−', none: '·' } as const;

function Strips({ found: { group, world } }: { readonly found: GroupThere }) {
  const { episodes } = group;
  const all = episodes.reduce((sum, { steps }) => sum + steps.length, 0);
  const [chosen, setChosen] = useState<Place>(() => firstToShow(group.episodes));
  const cells = useRef(new Map<string, HTMLButtonElement>());
  const same = sameState(group, chosen);
  const marked = new Set(same.map(({ row, step }) => `${row} ${step}`));
  const number = alike(episodes.flatMap((one) => [one.return, one.advantage]));
  const actionOf = ({ action }: GroupStep): string => (world.action.kind === 'discrete' && world.action.labels[action]) || String(action);
  const most = Math.max(1e-9, ...episodes.flatMap(({ steps }) => steps.map(({ among }) => Math.abs(among))));
  const go = (event: KeyboardEvent): void => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const row = Math.min(episodes.length - 1, Math.max(0, chosen.row + by[0]));
    const step = Math.min((episodes[row]?.steps.length ?? 1) - 1, Math.max(0, chosen.step + by[1]));
    setChosen({ row, step });
    cells.current.get(`${row} ${step}`)?.focus();
  };
  return (
    <>
      <p>
        {t('{shared} of {all} steps begin in a state that another step of the group begins in, too: {share}.', {
          shared: Math.round(group.sharedStates * all),
          all,
          share: percent(Math.round(100 * group.sharedStates)),
        })}{' '}
        {t('Choose a step: the arrow keys move, and all steps from the same state are framed.')}
      </p>
      <ol className={styles.strips}>
        {episodes.map((episode, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a group stay in their order
          <li key={row}>
            <span className={styles.stripHead}>
              {t('Episode {n}: earned {r}, advantage {a}', {
                n: row + 1,
                r: number(episode.return),
                a: signed(number(episode.advantage), episode.advantage),
              })}
            </span>
            <div className={styles.strip} role="toolbar" aria-label={t('Episode {n}', { n: row + 1 })}>
              {episode.steps.map((step, at) => {
                const key = `${row} ${at}`;
                const here = chosen.row === row && chosen.step === at;
                return (
                  <button
                    key={key}
                    ref={(cell) => {
                      if (cell === null) cells.current.delete(key);
                      else cells.current.set(key, cell);
                    }}
                    type="button"
                    className={styles.cell}
                    data-sign={signOf(step.among)}
                    data-same={marked.has(key) || undefined}
                    data-chosen={here || undefined}
                    style={{ '--much': `${Math.round(12 + (48 * Math.abs(step.among)) / most)}%` } as object}
                    tabIndex={here ? 0 : -1}
                    aria-pressed={here}
                    aria-label={t('Step {n}: {action}, state {s}, step advantage {a}', {
                      n: at + 1,
                      action: actionOf(step),
                      s: step.state + 1,
                      a: signed(measure(Math.abs(step.among), 2), step.among),
                    })}
                    onKeyDown={go}
                    onClick={() => setChosen({ row, step: at })}
                  >
                    {MARKS[signOf(step.among)]}
                  </button>
                );
              })}
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.quiet}>
        {t('Each square is a step: + was followed by more than the other steps from its state, − by less, · by as much, or it is alone.')}
      </p>
      <Compared found={{ group, world }} chosen={chosen} same={same} actionOf={actionOf} />
    </>
  );
}

/** A number whose sign is always written. */
const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : value < 0 && !/^[−-]/.test(text) ? `−${text}` : text);

/** The step with the largest advantage: there is something to compare. */
function firstToShow(episodes: GroupThere['group']['episodes']): Place {
  let best: Place = { row: 0, step: 0 };
  let most = Number.NEGATIVE_INFINITY;
  episodes.forEach(({ steps }, row) => {
    steps.forEach(({ among }, step) => {
      if (among <= most) return;
      most = among;
      best = { row, step };
    });
  });
  return best;
}

interface ComparedProps {
  readonly found: GroupThere;
  readonly chosen: Place;
  readonly same: readonly Place[];
  readonly actionOf: (step: GroupStep) => string;
}

function Compared({ found: { group, world }, chosen, same, actionOf }: ComparedProps) {
  const id = useId();
  const [weight, setWeight] = useState(1);
  const [words, setWords] = useState('');
  const episode = group.episodes[chosen.row];
  const chosenStep = episode?.steps[chosen.step];
  useEffect(() => {
    let live = true;
    setWords('');
    if (episode !== undefined)
      frameOf(episode, chosen.step).then(
        (frame) => live && frame !== null && setWords(frameInWords(world.frame, frame)),
        () => live && setWords(''), // the table stands without the picture in words
      );
    return () => {
      live = false;
    };
  }, [episode, chosen.step, world]);
  const rows = same.flatMap(({ row, step }) => {
    const [of, there] = [group.episodes[row], group.episodes[row]?.steps[step]];
    return of === undefined || there === undefined
      ? []
      : [{ row, step, there, whole: of.advantage, sum: of.advantage + weight * there.among }];
  });
  const number = alike(rows.flatMap(({ there, whole, sum }) => [there.following, there.among, whole, sum]));
  return (
    <>
      <p aria-live="polite">
        <strong>{t('State {s}', { s: (chosenStep?.state ?? 0) + 1 })}</strong>
        {words !== '' && `: ${words}`}
      </p>
      <div className={styles.dials}>
        <div>
          <label htmlFor={id}>
            {t('Weight w of the step advantage')} <output>{measure(weight, 2)}</output>
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={2}
            step={0.1}
            value={weight}
            onChange={(event) => setWeight(Number(event.target.value))}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, by keyboard too */}
      <section className={styles.table} aria-label={t('Steps from the same state')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t('episode')}</th>
              <th>{t('step')}</th>
              <th>{t('what it did')}</th>
              <th>{t('what followed, discounted')}</th>
              <th>A_step</th>
              <th>A_episode</th>
              <th>A_episode + w A_step</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, step, there, whole, sum }) => (
              <tr key={`${row} ${step}`} data-chosen={(row === chosen.row && step === chosen.step) || undefined}>
                <td>{row + 1}</td>
                <td>{step + 1}</td>
                <td>{actionOf(there)}</td>
                <td>{number(there.following)}</td>
                <td>{number(there.among)}</td>
                <td>{number(whole)}</td>
                <td>
                  <b>{number(sum)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
