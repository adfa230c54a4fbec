/**
 * One number for a method over several tasks, four ways (Agarwal et al. 2021): mean and median of the tasks' means, the interquartile mean of all
 * runs, and the optimality gap, which is how far the runs fall short of 1 on average, a run above 1 counting as 1. Scores are on one scale.
 * Intervals are percentiles of the stratified bootstrap: the runs of each task are drawn anew, from the same stream as in improvement.ts.
 */
import { ends, fewest, stratifiedInterval, type Tasks } from './improvement.ts';
import { Rng } from './rng.ts';
import { RESAMPLES, SEEDS_FOR_INTERVAL } from './seeds.ts';
import { iqm, mean, median, optimalityGap } from './stats.ts';

export interface Aggregate {
  readonly value: number;
  /** 95 %; null where a task has fewer than five runs. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** In the order in which they are told. */
export const AGGREGATES = { iqm: 'IQM', median: 'median', mean: 'mean', gap: 'optimality gap' } as const;
export type AggregateId = keyof typeof AGGREGATES;

/** Over tasks that have a run each, at least one task. */
export function aggregates(tasks: Tasks): { readonly [A in AggregateId]: Aggregate } {
  const of = {
    mean: (runs: Tasks) => mean(runs.map(mean)),
    median: (runs: Tasks) => median(runs.map(mean)),
    gap: (runs: Tasks) => optimalityGap(runs.flat()),
  };
  const found = { mean: new Float64Array(RESAMPLES), median: new Float64Array(RESAMPLES), gap: new Float64Array(RESAMPLES) };
  const enough = fewest(tasks) >= SEEDS_FOR_INTERVAL;
  const rng = Rng.from(0);
  for (let r = 0; enough && r < RESAMPLES; r++) {
    const drawn = tasks.map((runs) => runs.map(() => runs[rng.int(runs.length)] ?? 0));
    for (const id of ['mean', 'median', 'gap'] as const) found[id][r] = of[id](drawn);
  }
  const one = (id: keyof typeof of): Aggregate => ({
    value: of[id](tasks),
    interval: enough ? ends(found[id]) : null,
  });
  return {
    iqm: { value: iqm(tasks.flat()), interval: stratifiedInterval(tasks) },
    median: one('median'),
    mean: one('mean'),
    gap: one('gap'),
  };
}
