/** The one number of a run that contrasts compare, what of it stands in its curves, and its curve for a result. */

import { taskMetric } from '#contract/game/metrics.ts';
import type { Elsewhere, OutcomeId, Quantity } from '#contract/papers/papers.ts';
import { finiteOrNull } from '#math/finite.ts';
import { log } from '#math/functions.ts';
import { performanceMaintenance } from '#math/measures-continual.ts';
import { mean } from '#math/stats.ts';

/** Rows of a metric of one run. */
export interface Curve {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Numbers that were measured of a run, by name; what is missing, null or NaN was not. */
export type Outcome = { readonly [K in OutcomeId]?: number | null } & {
  /** Of a script: what the environment measures of its episodes. */
  readonly measures?: Readonly<Record<string, number>>;
  /** Of a learner: the same of its greedy evaluation episodes. */
  readonly measured?: Readonly<Record<string, number>> | undefined;
  /** The same of episodes whose actions are drawn. */
  readonly drawn?: Readonly<Record<string, number>> | undefined;
  /** Of greedy episodes in other forms of the environment, and of ones whose actions are drawn. */
  readonly elsewhere?: Elsewhere | null;
  readonly elsewhereDrawn?: Elsewhere | null;
};

/** Greedy returns in one task, in the order of their steps; evaluations without a number are left out. */
interface TaskRows {
  /** At the end of each block. */
  readonly ends: readonly number[];
  /** Within each block, its end among them. */
  readonly within: readonly (readonly number[])[];
}

/** What a run of `budget` steps did in each task of its sequence, one block each; null where a block has no evaluation at its end. */
function taskRows(curves: ReadonlyMap<string, Curve>, budget: number): readonly TaskRows[] | null {
  const found: Curve[] = [];
  for (let curve = curves.get(taskMetric(0)); curve !== undefined; curve = curves.get(taskMetric(found.length))) found.push(curve);
  const borders = found.map((_, k) => ((k + 1) * budget) / found.length);
  const rows = found.map((curve): TaskRows => {
    const points = Array.from(curve.steps, (step, i) => ({ step, value: curve.values[i]! })).filter(({ value }) => Number.isFinite(value));
    // a batch may step over a border: the evaluation that it caused is the first behind
    const endOf = borders.map((border) => points.findIndex(({ step }) => step >= border));
    return {
      ends: endOf.flatMap((i) => points[i]?.value ?? []),
      within: endOf.map((end, k) => points.slice(k === 0 ? 0 : endOf[k - 1]! + 1, end + 1).map(({ value }) => value)),
    };
  });
  return rows.length > 1 && rows.every(({ ends }) => ends.length === rows.length) ? rows : null;
}

/** Kinds of `tasks`, from the returns task by task. */
const OF_TASKS = {
  kept: (rows: readonly TaskRows[]) =>
    mean(rows.slice(0, -1).map(({ ends }, task) => performanceMaintenance(ends[task]!, ends.slice(task + 1)))),
  learned: (rows: readonly TaskRows[]) => mean(rows.map(({ ends }, task) => ends[task]!)),
  area: (rows: readonly TaskRows[]) => mean(rows.slice(1).map(({ within }, i) => mean(within[i + 1]!))),
};

/**
 * The quantity of a run; null where it was not measured. A script has no curve: what the environment measures of its episodes stands for its
 * value. `budget`: the run's environment steps, which stand for a level that is never reached.
 */
export function quantityOf(
  quantity: Quantity,
  better: 'more' | 'less',
  outcome: Outcome,
  curves: ReadonlyMap<string, Curve>,
  budget: number,
): number | null {
  if ('of' in quantity) return finiteOrNull(outcome[quantity.of]);
  if ('measured' in quantity)
    return finiteOrNull((outcome.measures ?? (quantity.drawn ? outcome.drawn : outcome.measured))?.[quantity.measured]);
  if ('elsewhere' in quantity) return finiteOrNull((quantity.drawn ? outcome.elsewhereDrawn : outcome.elsewhere)?.[quantity.elsewhere]);
  if ('tasks' in quantity) {
    const rows = taskRows(curves, budget);
    return rows === null ? null : finiteOrNull(OF_TASKS[quantity.tasks](rows));
  }
  if (outcome.measures) return finiteOrNull(outcome.measures[quantity.metric]);
  const curve = curves.get(quantity.metric);
  const values = Array.from(curve?.values ?? []);
  if (curve === undefined || values.length === 0) return null;
  if ('reaches' in quantity) {
    const before = (quantity.since ?? 0) * budget;
    const at = values.findIndex(
      (value, i) => curve.steps[i]! > before && (better === 'more' ? value >= quantity.reaches : value <= quantity.reaches),
    );
    const step = at < 0 ? budget - before : finiteOrNull(curve.steps[at]! - before);
    return quantity.log10 && step !== null ? finiteOrNull(log(step) / Math.LN10) : step;
  }
  if (quantity.take === 'last') return finiteOrNull(values.at(-1));
  if (quantity.take === 'mean') {
    const { until } = quantity;
    const part = until === undefined ? values : values.filter((value, i) => Number.isFinite(value) && curve.steps[i]! <= until * budget);
    return finiteOrNull(mean(part));
  }
  return finiteOrNull(values.reduce((a, b) => (better === 'more' ? Math.max(a, b) : Math.min(a, b))));
}

/** The curve that stands for a quantity in a picture: what is measured of evaluation episodes has the name of a curve of training ones. */
export function curveOf(quantity: Quantity): string {
  if ('metric' in quantity) return quantity.metric;
  if ('measured' in quantity) return quantity.measured;
  return 'tasks' in quantity ? taskMetric(0) : 'episodicReturn';
}

/** Whether it is measured of episodes whose actions are drawn. */
export const isDrawn = (quantity: Quantity): boolean =>
  'of' in quantity ? quantity.of === 'sampledReturn' : 'drawn' in quantity && quantity.drawn === true;

/** Places of a decimated curve, and how many all curves of a result have together at most: many arms of many seeds are drawn coarsely. */
export const POINTS = 40;
const [FEWEST_POINTS, MOST_PLACES] = [5, 9000];

/** Places of each of so many curves; results of earlier versions have POINTS. */
export const placesOf = (curves: number): number => Math.max(FEWEST_POINTS, Math.min(POINTS, Math.floor(MOST_PLACES / curves)));

/** Four significant digits: more is not seen in a curve. */
const short = (value: number): number => Number(value.toPrecision(4));

/** The curves of an arm's seeds at common steps: the last value up to each; null before the first. */
export function decimate(curves: readonly (Curve | undefined)[], budget: number, places = POINTS) {
  const steps = Array.from({ length: places }, (_, i) => Math.round(((i + 1) * budget) / places));
  const values = curves.map((curve) => {
    if (curve === undefined) return steps.map(() => null);
    let at = -1;
    return steps.map((step) => {
      while (at + 1 < curve.steps.length && curve.steps[at + 1]! <= step) at++;
      return at < 0 ? null : finiteOrNull(short(curve.values[at]!));
    });
  });
  return { steps, values };
}

/** The mean over the last 100 training episodes means little before there are as many. */
const FULL_WINDOW = 100;

/** Highest mean over 100 training episodes; null before there were as many. */
function bestReturn(curves: ReadonlyMap<string, Curve>): number | null {
  const returns = curves.get('episodicReturn');
  const episodes = curves.get('episodes');
  if (returns === undefined || episodes === undefined) return null;
  const full = episodes.steps[Array.from(episodes.values).findIndex((count) => count >= FULL_WINDOW)] ?? Number.POSITIVE_INFINITY;
  const values = Array.from(returns.values).filter((_, i) => returns.steps[i]! >= full);
  return values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null;
}

const last = (curve: Curve | undefined): number | null => curve?.values[curve.values.length - 1] ?? null;

/** Outcomes that stand in a run's curves: the best of the training returns, and what the run itself measured last. */
export function outcomesOfCurves(curves: ReadonlyMap<string, Curve>) {
  return {
    bestReturn: bestReturn(curves),
    nashConv: last(curves.get('nashConv')),
    hypervolume: last(curves.get('hypervolume')),
    netReturn: last(curves.get('netReturn')),
  };
}
