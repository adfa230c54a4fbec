/** What a run of this page measured, as papers and sweeps count it; loaded with the pages that need it. */

import { type Curve, curveOf, isDrawn, outcomesOfCurves, quantityOf } from '#claims/quantity.ts';
import { tasksOf } from '#contract/catalog/contexts.ts';
import { taskMetric } from '#contract/game/metrics.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import type { AfterRun } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import type { RunGroup } from '#stores/types.ts';

/** Metrics that outcomes are taken from, beside the one that is asked for. */
const OUTCOME_METRICS = ['episodicReturn', 'episodes', 'nashConv', 'hypervolume', 'netReturn'];

/** Outcomes that the page measures; the others need the command line. */
const MEASURED_HERE: ReadonlySet<string> = new Set(['evalReturn', 'finalReturn', 'bestReturn', 'nashConv', 'hypervolume', 'netReturn']);

/** Whether a run of the page tells this quantity by itself; others are measured of its policy afterwards. */
export const isMeasuredHere = (quantity: Quantity): boolean =>
  'of' in quantity ? MEASURED_HERE.has(quantity.of) : !('elsewhere' in quantity || isDrawn(quantity));

/** Curves of one seed: the named metric, those that outcomes stand in, and those of the tasks of a sequence. */
export function curvesOf(group: RunGroup, seed: number, metric: string): ReadonlyMap<string, Curve> {
  const tasks = tasksOf(group.config.env.config) ?? [];
  return new Map(
    [...new Set([metric, ...OUTCOME_METRICS, ...tasks.map((_, task) => taskMetric(task))])].flatMap((name) => {
      const series = curves.series(group.id, seed, name);
      return series === null ? [] : [[name, series] as const];
    }),
  );
}

/** The quantity of one seed; null until it is done and where it was not measured. `after`: what was measured of its policy since. */
export function scoreOf(
  group: RunGroup,
  seed: number,
  quantity: Quantity,
  better: 'more' | 'less',
  after: Partial<AfterRun> = {},
): number | null {
  const result = group.seeds.find((run) => run.seed === seed)?.result;
  if (result === undefined || result === null) return null;
  const found = curvesOf(group, seed, curveOf(quantity));
  const { evalReturn, finalReturn, measured } = result;
  const { drawn, ...measuredAfter } = after;
  const outcome = { evalReturn, finalReturn, measured, ...outcomesOfCurves(found), ...measuredAfter, drawn: drawn ?? undefined };
  return quantityOf(quantity, better, outcome, found, group.config.run.steps);
}
