/** The runs of a sweep that are known before the first score: what another scheduler can be given as a list. */
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { type Sweep, tuningSeeds, valuesOf } from '#contract/sweep.ts';
import { firstPoints, reportingSeeds, setupConfig } from '#contract/sweep-run.ts';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../failure.ts';

export interface ListedRun {
  readonly config: RunConfig;
  readonly hash: string;
  readonly seed: number;
}

/**
 * Every set-up on the tuning seeds, then the config as it stands on the reporting seeds where it is compared with; alike ones once. What is
 * left for the sweep itself is the best set-up, or that of each contrasted value, on the reporting seeds. Throws UsageError for a search that follows scores.
 */
export async function listedRuns(sweep: Sweep): Promise<readonly ListedRun[]> {
  const { by } = sweep.search;
  if (by === 'halving' || by === 'tpe')
    throw new UsageError(
      `A search by ${by} follows scores, so its runs are no list: use --queue, or "grid", "random" or "sobol" in search.by.`,
    );
  const runs: ListedRun[] = [];
  const add = (config: RunConfig, seeds: readonly number[]): void => {
    const hash = configHash(config);
    for (const seed of seeds) runs.push({ config, hash, seed });
  };
  for (const point of firstPoints(sweep)) add(await setupConfig(sweep, valuesOf(sweep, point), completeRun), tuningSeeds(sweep));
  if (sweep.contrast === undefined) add(await setupConfig(sweep, {}, completeRun), reportingSeeds(sweep));
  return [...new Map(runs.map((run) => [`${run.hash} ${run.seed}`, run])).values()];
}
