/** The runs of a sweep that are known before the first score: what another scheduler can be given as a list. */
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { setupConfig } from '#contract/sweep/differing.ts';
import type { SweepIn } from '#contract/sweep/parts.ts';
import { firstSetups, reportingSeeds } from '#contract/sweep/run.ts';
import { type Sweep, tuningSeeds } from '#contract/sweep/sweep.ts';
import { completeRun } from '#core/run/loaded.ts';
import { UsageError } from '../kit/failure.ts';

export interface ListedRun {
  readonly config: RunConfig;
  readonly hash: string;
  readonly seed: number;
  /** Of the sweep that asks for it, below the folder of all. */
  readonly part: string;
}

/**
 * Of each sweep every set-up on the tuning seeds, then the config as it stands on the reporting seeds where it is compared with; alike ones
 * once. What is left for the sweep itself is the best set-up, or that of each contrasted value, on the reporting seeds. Throws UsageError for a
 * search that follows scores.
 */
export const listedRuns = async (parts: readonly Pick<SweepIn, 'folder' | 'sweep'>[]): Promise<readonly ListedRun[]> =>
  (await Promise.all(parts.map(({ folder, sweep }) => runsOfPart(sweep, folder)))).flat();

async function runsOfPart(sweep: Sweep, part: string): Promise<readonly ListedRun[]> {
  const { by } = sweep.search;
  if (by === 'halving' || by === 'tpe')
    throw new UsageError(
      `A search by ${by} follows scores, so its runs are no list: use --queue, or "grid", "random" or "sobol" in search.by.`,
    );
  const runs: ListedRun[] = [];
  const add = (config: RunConfig, seeds: readonly number[]): void => {
    const hash = configHash(config);
    for (const seed of seeds) runs.push({ config, hash, seed, part });
  };
  for (const { config } of (await firstSetups(sweep, completeRun)).setups) add(config, tuningSeeds(sweep));
  if (sweep.contrast === undefined && sweep.method === undefined) add(await setupConfig(sweep, {}, completeRun), reportingSeeds(sweep));
  return [...new Map(runs.map((run) => [`${run.hash} ${run.seed}`, run])).values()];
}
