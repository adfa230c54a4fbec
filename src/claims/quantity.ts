/** The one number of a run that contrasts compare, what of it stands in its curves, and its curve for a result. */
import type { OutcomeId, Quantity } from '#contract/papers.ts';
import { log } from '#math/functions.ts';
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
};

const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;

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
  if ('of' in quantity) return finite(outcome[quantity.of]);
  if ('measured' in quantity) return finite((outcome.measures ?? (quantity.drawn ? outcome.drawn : outcome.measured))?.[quantity.measured]);
  if (outcome.measures) return finite(outcome.measures[quantity.metric]);
  const curve = curves.get(quantity.metric);
  const values = Array.from(curve?.values ?? []);
  if (curve === undefined || values.length === 0) return null;
  if ('reaches' in quantity) {
    const at = values.findIndex((value) => (better === 'more' ? value >= quantity.reaches : value <= quantity.reaches));
    const step = at < 0 ? budget : finite(curve.steps[at]);
    return quantity.log10 && step !== null ? finite(log(step) / Math.LN10) : step;
  }
  if (quantity.take === 'last') return finite(values.at(-1));
  if (quantity.take === 'mean') return finite(mean(values));
  return finite(values.reduce((a, b) => (better === 'more' ? Math.max(a, b) : Math.min(a, b))));
}

/** The curve that stands for a quantity in a picture: what is measured of evaluation episodes has the name of a curve of training ones. */
export const curveOf = (quantity: Quantity): string =>
  'metric' in quantity ? quantity.metric : 'measured' in quantity ? quantity.measured : 'episodicReturn';

/** Whether it is measured of episodes whose actions are drawn. */
export const isDrawn = (quantity: Quantity): boolean =>
  'of' in quantity ? quantity.of === 'sampledReturn' : 'measured' in quantity && quantity.drawn === true;

/** Places of a decimated curve. */
const POINTS = 40;

/** Four significant digits: more is not seen in a curve. */
const short = (value: number): number => Number(value.toPrecision(4));

/** The curves of an arm's seeds at common steps: the last value up to each; null before the first. */
export function decimate(curves: readonly (Curve | undefined)[], budget: number) {
  const steps = Array.from({ length: POINTS }, (_, i) => Math.round(((i + 1) * budget) / POINTS));
  const values = curves.map((curve) => {
    if (curve === undefined) return steps.map(() => null);
    let at = -1;
    return steps.map((step) => {
      while (at + 1 < curve.steps.length && curve.steps[at + 1]! <= step) at++;
      return at < 0 ? null : finite(short(curve.values[at]!));
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
