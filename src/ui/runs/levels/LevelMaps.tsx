/** Levels as small plans in the order of their worth or from easy to hard, each with what is known of it. */
import { useEffect, useState } from 'react';
import { solutionsOf } from '#client/runs/levels.ts';
import type { LevelSolution, ShownLevel } from '#contract/files/levels.ts';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { t } from '#text/text.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { Plan } from '#ui/kit/plan/Plan.tsx';
import styles from './LevelMaps.module.css';

export type LevelOrder = 'worth' | 'length';
/** null: the planner finds no way. undefined: there is no planner, or it has not answered. */
type Solution = LevelSolution | null | undefined;

interface Props {
  /** Most worth first. */
  readonly levels: readonly ShownLevel[];
  readonly env: { readonly id: string; readonly config: JsonObject };
  /** null: nothing is drawn. */
  readonly layout: FrameLayout | null;
  readonly order: LevelOrder;
  readonly onOrder: (order: LevelOrder) => void;
  /** Place of the one that was pressed last; null: none. */
  readonly pressed: number | null;
  /** `said`: what is known of it, in words. */
  readonly onPress: (level: ShownLevel, place: number, said: string) => void;
}

export function LevelMaps({ levels: newest, env, layout, order, onOrder, pressed, onPress }: Props) {
  const { levels, solutions } = useSolutions(env, newest);
  const solutionOf = (i: number): Solution => solutions?.[i];
  const length = (i: number): number => solutionOf(i)?.steps ?? Number.MAX_SAFE_INTEGER;
  const places = levels.map((_, i) => i);
  const inOrder = order === 'worth' ? places : places.sort((a, b) => length(a) - length(b) || a - b);
  return (
    <>
      {places.some((i) => solutionOf(i) !== undefined) && (
        <select
          className={styles.order}
          aria-label={t('Order of the levels')}
          value={order}
          onChange={(event) => onOrder(event.target.value === 'length' ? 'length' : 'worth')}
        >
          <option value="worth">{t('by their place')}</option>
          <option value="length">{t('easy to hard')}</option>
        </select>
      )}
      <ol className={styles.wall}>
        {inOrder.map((i) => {
          const level = levels[i]!;
          const parts = partsOf(level, solutionOf(i));
          return (
            <li key={i}>
              <button
                type="button"
                aria-pressed={pressed === i}
                data-edited={(level.edits ?? 0) > 0}
                onClick={() => onPress(level, i, parts.join(', '))}
              >
                {layout !== null && frameSize(layout) === level.frame.length && (
                  <Plan layout={layout} frame={level.frame} label={t('Level {n}', { n: i + 1 })} marks={[]} />
                )}
                {parts.map((part) => (
                  <span key={part}>{part}</span>
                ))}
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The levels that the planner has answered for last, with its answers; before the first answer those that were asked about. */
function useSolutions(env: Props['env'], levels: readonly ShownLevel[]) {
  const [answered, setAnswered] = useState<{ readonly levels: readonly ShownLevel[]; readonly solutions: readonly Solution[] | null }>({
    levels,
    solutions: null,
  });
  useEffect(() => {
    let live = true;
    solutionsOf(env, levels).then(
      (solutions) => live && setAnswered({ levels, solutions }),
      () => live && setAnswered({ levels, solutions: null }), // levels of another setting stand without it
    );
    return () => {
      live = false;
    };
  }, [env, levels]);
  return answered;
}

/** What is told of a level: what it is worth, how often it is solved, how hard it is for who knows all of it, and where it comes from. */
const partsOf = ({ score, solved, edits, parent }: ShownLevel, solution: Solution): readonly string[] =>
  [
    score === null ? null : t('worth {score}', { score: measure(score, 2) }),
    solved === null ? null : t('solved {share}', { share: percent(Math.round(100 * solved)) }),
    solution === undefined ? null : solutionInWords(solution),
    edits === null || edits === 0
      ? null
      : parent === null
        ? t('edits: {n}', { n: edits })
        : t('edits: {n}, the last of level {parent}', { n: edits, parent: parent + 1 }),
  ].filter((part) => part !== null);

function solutionInWords(solution: LevelSolution | null): string {
  if (solution === null) return t('no solution');
  const { steps, doors } = solution;
  return doors === 0 ? t('steps to solve: {n}', { n: steps }) : t('steps to solve: {n}, doors: {doors}', { n: steps, doors });
}
