/**
 * Learning one task after another. Transfer matrix after Lopez-Paz and Ranzato 2017: R[i][j] is the performance on task j after training
 * on tasks 0..i, b[j] before any training. L2Metrics after New et al. 2022 (`lifelong-learning-systems/l2metrics`).
 */
import { mean, median } from './stats.ts';

export interface Transfer {
  readonly average: number;
  readonly backward: number; // below 0: forgets
  readonly forward: number; // NaN for a single task, as backward and forgetting
  readonly forgetting: number;
}

export function transfer(performance: readonly (readonly number[])[], before: readonly number[]): Transfer {
  const tasks = performance.length;
  const at = (i: number, j: number): number => (performance[i] as readonly number[])[j]!;
  const last = tasks - 1;
  const earlier = Array.from({ length: last }, (_, j) => j);
  return {
    average: mean(performance[last] as readonly number[]),
    backward: mean(earlier.map((j) => at(last, j) - at(j, j))),
    forward: mean(earlier.map((j) => at(j, j + 1) - before[j + 1]!)),
    forgetting: mean(earlier.map((j) => Math.max(...earlier.map((i) => at(i, j))) - at(last, j))),
  };
}

/** Transfer to a task between two evaluations of it: contrast in -1..1, and the ratio. Performances above 0. */
export function l2Transfer(before: number, after: number): { readonly contrast: number; readonly ratio: number } {
  return { contrast: (after - before) / (after + before), ratio: after / before };
}

/** Mean change of later evaluations against the first one after the task was last trained. */
export function performanceMaintenance(reference: number, later: readonly number[]): number {
  return mean(later.map((v) => v - reference));
}

/** Area of the learner's curve over that of a single-task expert, over the length both have. */
export function relativePerformance(learner: readonly number[], expert: readonly number[]): number {
  const n = Math.min(learner.length, expert.length);
  return mean(learner.slice(0, n)) / mean(expert.slice(0, n));
}

export interface Saturation {
  readonly value: number;
  readonly experience: number;
}

/** How high and how soon the learner saturates, against a single-task expert. */
export function sampleEfficiency(learner: Saturation, expert: Saturation): number {
  return (learner.value / expert.value) * (expert.experience / learner.experience);
}

/** Minus the Theil-Sen slope (median of all pairwise slopes) of the recovery times of a task's blocks: above 0, recovers ever faster. */
export function performanceRecovery(times: readonly number[]): number {
  return -median(times.flatMap((t, i) => times.slice(0, i).map((u, j) => (t - u) / (i - j))));
}

/** Mean of the last `share` of a training block, one value at least. */
export function terminalPerformance(values: readonly number[], share = 0.1): number {
  return mean(values.slice(values.length - Math.max(1, Math.floor(values.length * share))));
}

/** To 1..101, so that ratios exist. */
export function l2Normalise(values: readonly number[], min: number, max: number, scale = 100, offset = 1): number[] {
  return values.map((v) => ((v - min) / (max - min)) * scale + offset);
}
