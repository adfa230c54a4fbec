/** P099: one group as a tree. An episode that branches leaves another one where it is undecided; a step that is chosen tells the chance of it. */
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { type GroupThere, groupOfArm } from '#client/compare/ideas.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { GroupStep } from '#contract/run/group.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { policyOf } from '../policies.ts';
import styles from './Group.module.css';
import { type Place, treeOrder, useGroup } from './group.ts';

const ARM = 'balanced';
/** Starts that are tried for one that some episodes answer rightly and others wrongly. */
const TRIED = 8;

export default function Branches({ card }: { readonly card: JudgedCard }) {
  const [chance, setChance] = useState(0.5);
  const [penalty, setPenalty] = useState(0.5);
  const [from, setFrom] = useState(1);
  /** The start that is shown, by where the search for it began: the dials leave it as it is. */
  const shown = useRef(new Map<number, number>());
  const arm = card.arms.find(({ id }) => id === ARM);
  const { found, busy, problem } = useGroup(`${chance} ${penalty} ${from}`, async () => {
    if (arm === undefined) throw new Error(`There is no arm ${ARM}.`);
    const policy = decodePolicyFile(await (await policyOf(card.id, ARM)).text());
    const played = (seed: number): Promise<GroupThere> => groupOfArm(card, arm, { branching: { chance, penalty } }, { policy, seed });
    const known = shown.current.get(from);
    if (known !== undefined) return played(known);
    for (let seed = from; seed < from + TRIED; seed++) {
      const there = await played(seed);
      if (new Set(there.group.episodes.map(right)).size === 1) continue;
      shown.current.set(from, seed);
      return there;
    }
    shown.current.set(from, from);
    return played(from);
  });
  return (
    <div className={styles.group}>
      <h2>{t('The tree of branches')}</h2>
      <p className={styles.quiet}>
        {t('One group of “{arm}”, collected by the method’s own code with the kept policy of this arm.', { arm: arm?.title ?? '' })}
      </p>
      <div className={styles.dials}>
        <Dial title={t('Chance of a branch')} value={chance} onMove={setChance} />
        <Dial title={t('Penalty of each branch just before')} value={penalty} onMove={setPenalty} />
        <Button icon="play" disabled={busy} onClick={() => setFrom((shown.current.get(from) ?? from) + 1)}>
          {t('Another start')}
        </Button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
      <p role="status">{busy ? t('The group is played: one moment.') : ''}</p>
      {found !== null && <Tree found={found} chance={chance} penalty={penalty} />}
    </div>
  );
}

interface DialProps {
  readonly title: string;
  readonly value: number;
  readonly onMove: (value: number) => void;
}

function Dial({ title, value, onMove }: DialProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>
        {title} <output>{measure(value, 2)}</output>
      </label>
      <input id={id} type="range" min={0} max={1} step={0.1} value={value} onChange={(event) => onMove(Number(event.target.value))} />
    </div>
  );
}

const [COLUMN, LINE, LEFT, TOP] = [72, 26, 16, 24];
const right = ({ return: earned }: { readonly return: number }): boolean => earned > 0;

interface TreeProps {
  readonly found: GroupThere;
  readonly chance: number;
  readonly penalty: number;
}

function Tree({ found: { group, world }, chance, penalty }: TreeProps) {
  const { episodes } = group;
  const order = treeOrder(group);
  const [picked, setPicked] = useState<Place | null>(null);
  const nodes = useRef(new Map<string, SVGGElement>());
  const lineOf = (row: number): number => TOP + LINE * order.indexOf(row);
  const x = (step: number): number => LEFT + COLUMN * step;
  const longest = Math.max(...episodes.map(({ steps }) => steps.length));
  const actionOf = ({ action }: GroupStep): string => (world.action.kind === 'discrete' && world.action.labels[action]) || String(action);
  /** Where the dots of a row begin: those before are its parent's; the start is drawn once. */
  const firstOf = (row: number): number => {
    const parent = episodes[row]?.parent ?? null;
    return parent === null ? Number(row !== order[0]) : parent.step + 1;
  };
  const places = order.flatMap((row) =>
    (episodes[row]?.steps ?? []).flatMap((_, step): Place[] => (step >= firstOf(row) ? [{ row, step }] : [])),
  );
  const isThere = (place: Place): boolean => places.some(({ row, step }) => row === place.row && step === place.step);
  const branchedOff = ({ row, step }: Place): readonly number[] =>
    episodes.flatMap(({ parent }, child) => (parent?.row === row && parent.step === step ? [child] : []));
  // where something branched there is most to read
  const shown = picked !== null && isThere(picked) ? picked : (places.find((place) => branchedOff(place).length > 0) ?? places[0]!);
  const choose = (place: Place): void => {
    setPicked(place);
    nodes.current.get(`${place.row} ${place.step}`)?.focus();
  };
  const go = (event: KeyboardEvent, at: Place): void => {
    const { row, step } = at;
    const parent = episodes[row]?.parent ?? null;
    const beside = (by: number): Place | undefined => {
      const lines = by > 0 ? order.slice(order.indexOf(row) + 1) : order.slice(0, order.indexOf(row)).toReversed();
      for (const line of lines) {
        const own = places.filter((place) => place.row === line);
        const nearest = own.toSorted((a, b) => Math.abs(a.step - step) - Math.abs(b.step - step))[0];
        if (nearest !== undefined) return nearest;
      }
      return undefined;
    };
    const moves: { readonly [key: string]: (() => Place | undefined) | undefined } = {
      ArrowRight: () => ({ row, step: step + 1 }),
      ArrowLeft: () => (step > firstOf(row) ? { row, step: step - 1 } : (parent ?? { row: order[0] ?? 0, step: 0 })),
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Enter: () => at,
      ' ': () => at,
    };
    const to = moves[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    if (isThere(to)) choose(to);
  };
  const children = episodes.filter(({ parent }) => parent !== null);
  return (
    <>
      <p>
        {t('{n} of {all} episodes branched off; their {k} steps before were not played again. {right} answers are right.', {
          n: children.length,
          all: episodes.length,
          k: children.reduce((sum, { parent }) => sum + (parent?.step ?? 0), 0),
          right: episodes.filter(right).length,
        })}{' '}
        {t('Choose a step: the arrow keys move.')}
      </p>
      <svg
        className={styles.tree}
        viewBox={`0 0 ${x(longest) + 2 * LEFT} ${TOP + LINE * order.length}`}
        role="toolbar"
        aria-label={t('Tree of the episodes of one group; a table of it is below.')}
      >
        {Array.from({ length: longest }, (_, step) => (
          <text key={x(step)} x={x(step)} y={10} textAnchor="middle">
            {step + 1}
          </text>
        ))}
        {order.map((row) => {
          const { steps, parent } = episodes[row]!;
          const [fromRow, fromStep] = parent === null ? [order[0] ?? 0, 0] : [parent.row, parent.step];
          const [x0, y0, y1] = [x(fromStep), lineOf(fromRow), lineOf(row)];
          return (
            <path
              key={row}
              className={styles.way}
              data-branched={parent !== null || undefined}
              d={`M${x0} ${y0}C${x0 + COLUMN / 2} ${y0} ${x0 + COLUMN / 4} ${y1} ${x0 + COLUMN} ${y1}H${x(steps.length)}`}
            />
          );
        })}
        {order.map((row) => {
          const [at, line] = [x(episodes[row]!.steps.length), lineOf(row)];
          return right(episodes[row]!) ? (
            <circle key={row} className={styles.right} cx={at} cy={line} r={6} />
          ) : (
            <path key={row} className={styles.wrong} d={`M${at - 5} ${line - 5}l10 10m0 -10l-10 10`} />
          );
        })}
        {places.map((place) => {
          const { row, step } = place;
          const key = `${row} ${step}`;
          const here = shown.row === row && shown.step === step;
          const there = episodes[row]!.steps[step]!;
          return (
            // biome-ignore lint/a11y/useSemanticElements: there is no button in a picture
            <g
              key={key}
              ref={(node) => {
                if (node === null) nodes.current.delete(key);
                else nodes.current.set(key, node);
              }}
              className={styles.node}
              role="button"
              tabIndex={here ? 0 : -1}
              aria-pressed={here}
              aria-label={t('Episode {e}, before step {n}: entropy {h}', { e: row + 1, n: step + 1, h: measure(there.entropy, 2) })}
              data-chosen={here || undefined}
              onClick={() => choose(place)}
              onKeyDown={(event) => go(event, place)}
            >
              <circle cx={x(step)} cy={lineOf(row)} r={13} />
              <circle className={styles.dot} cx={x(step)} cy={lineOf(row)} r={2 + 8 * Math.sqrt(Math.max(0, there.entropy))} />
            </g>
          );
        })}
      </svg>
      <p className={styles.quiet}>
        {t(
          'Time runs to the right. A dot is larger where the entropy before the step is larger; dashed lines branched off; ○ right, × wrong.',
        )}
      </p>
      <Chosen
        place={shown}
        step={episodes[shown.row]!.steps[shown.step]!}
        start={group.startEntropy}
        {...{ chance, penalty, actionOf }}
        off={branchedOff(shown)}
      />
      <details>
        <summary>{t('The tree as a table')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, by keyboard too */}
        <section className={styles.table} aria-label={t('The tree as a table')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('episode')}</th>
                <th>{t('began')}</th>
                <th>{t('what it did')}</th>
                <th>{t('entropy before each step')}</th>
                <th>{t('answer')}</th>
              </tr>
            </thead>
            <tbody>
              {episodes.map(({ steps, parent, ...episode }, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a group stay in their order
                <tr key={row}>
                  <td>{row + 1}</td>
                  <td>
                    {parent === null ? t('at the start') : t('off episode {e}, before step {n}', { e: parent.row + 1, n: parent.step + 1 })}
                  </td>
                  <td>{steps.map(actionOf).join(', ')}</td>
                  <td>{steps.map(({ entropy }) => measure(entropy, 2)).join(', ')}</td>
                  <td>{right(episode) ? t('right') : t('wrong')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

interface ChosenProps {
  readonly place: Place;
  readonly step: GroupStep;
  readonly start: number;
  readonly chance: number;
  readonly penalty: number;
  readonly off: readonly number[];
  readonly actionOf: (step: GroupStep) => string;
}

/** What the rule says of the step that is chosen. */
function Chosen({ place, step, start, chance, penalty, off, actionOf }: ChosenProps) {
  const two = (value: number): string => measure(value, 2);
  return (
    <div aria-live="polite">
      <p>
        <strong>{t('Episode {e}, before step {n}', { e: place.row + 1, n: place.step + 1 })}</strong>: H = {two(step.entropy)}, H_0 ={' '}
        {two(start)}
        {step.branch !== null && `, l = ${step.branch.before}`}. {t('Then it did: {action}.', { action: actionOf(step) })}
      </p>
      {step.branch === null ? (
        <p>{place.step === 0 ? t('Nothing branches at the start.') : t('No episode of the group waited any more: no branch was drawn.')}</p>
      ) : (
        <p>
          <code>
            P(branch) = clip({two(chance)} + {two(step.entropy)} − {two(start)}, 0, 1) max(0, 1 − {two(penalty)} × {step.branch.before}) ={' '}
            {two(step.branch.chance)}
          </code>
          .{' '}
          {off.length === 0
            ? t('It was drawn, and none branched off here.')
            : t('Episode {list} branched off here.', { list: off.map((row) => row + 1).join(', ') })}
        </p>
      )}
    </div>
  );
}
