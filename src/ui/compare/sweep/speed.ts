/** How fast runs of a method go here, from those that were trained before. */
import type { RunConfig } from '#contract/run/config.ts';
import { mean } from '#math/stats.ts';
import type { RunGroup } from '#stores/types.ts';

export interface Speed {
  /** Environment steps a second, over all workers together. */
  readonly perSecond: number;
  readonly parallel: number;
  readonly from: string;
}

/** Seconds that a run takes beside its steps: its start and the greedy test at its end. Measured on two cores with short runs. */
const BESIDE = 0.15;

/** Seconds that so many runs with so many steps together take. */
export const secondsFor = (runs: number, steps: number, { perSecond, parallel }: Speed): number =>
  steps / perSecond + (runs * BESIDE) / parallel;

/** Speed of runs of the same method in the same environment; else of the same method in others; null where there are none. `parallel`: workers. */
export function speedOf({ env, algo }: RunConfig, groups: readonly RunGroup[], parallel: number): Speed | null {
  const speeds = (fits: (config: RunConfig) => boolean): number[] =>
    groups
      .filter(({ config }) => fits(config))
      .flatMap(({ seeds }) => seeds.flatMap(({ result }) => (result === null ? [] : [result.stepsPerSecond])));
  const same = speeds((config) => config.env.id === env.id && config.algo.id === algo.id);
  if (same.length > 0) return { perSecond: parallel * mean(same), parallel, from: 'from runs of this method here' };
  const alike = speeds((config) => config.algo.id === algo.id);
  return alike.length > 0 ? { perSecond: parallel * mean(alike), parallel, from: 'roughly, from this method in other environments' } : null;
}
