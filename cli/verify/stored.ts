/** Runs as they were stored, and those of a run folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Curve } from '#claims/quantity.ts';
import type { RunConfig } from '#contract/config.ts';
import { type Json, objectOf, readJson } from '#contract/json.ts';
import { excuseOf } from '#contract/verify.ts';
import { completeRun } from '#core/run/loaded.ts';
import { readCurves } from '../claims/curves.ts';
import { UsageError } from '../failure.ts';
import { openRunFolder } from '../run-folder.ts';
import type { Job, SeedOutcome } from '../seeds.ts';

/** One run as it was stored. */
export interface StoredRun {
  /** What it belongs to, for people. */
  readonly of: string;
  readonly config: RunConfig;
  readonly seed: number;
  /** CRC of what was learned. */
  readonly parameterHash: string;
  /** All that was stored of its result. */
  readonly numbers: object;
  /** Its curves, where they were kept. */
  readonly curves: ReadonlyMap<string, Curve> | null;
  /** Why running it again cannot give the same bits; null: it must. */
  readonly excuse: string | null;
  /** What the run does beside training its config. */
  readonly job?: Pick<Job, 'against' | 'explain' | 'script' | 'sampled'>;
  /** The same numbers of the run done again; without it they are those of its outcome. */
  readonly measure?: (outcome: SeedOutcome, curves: ReadonlyMap<string, Curve>) => object;
}

export interface Stored {
  readonly runs: readonly StoredRun[];
  /** Numbers of summaries and tables that do not follow from the results beside them, in words. */
  readonly wrong: readonly string[];
}

export interface StoredResult {
  readonly seed: number;
  readonly parameterHash: string;
}

/** A run with what was stored of its result, without curves. */
export const storedRun = (of: string, config: RunConfig, result: StoredResult): StoredRun => ({
  of,
  config,
  seed: result.seed,
  parameterHash: result.parameterHash,
  numbers: result,
  curves: null,
  excuse: excuseOf(config, []),
});

/** Seeds of a run folder whose results are there. `config`: without it that of its run.json. */
export function runsOfFolder(folder: string, name: string, config = completeRun(openRunFolder(folder))): readonly StoredRun[] {
  const seeds = readdirSync(folder).flatMap((entry) => /^seed-(\d+)$/.exec(entry)?.[1] ?? []);
  return seeds
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((seed): StoredRun[] => {
      const file = join(folder, `seed-${seed}`, 'result.json');
      if (!existsSync(file)) return [];
      const result = objectOf(readJson(readFileSync(file, 'utf8')) as Json);
      if (typeof result.parameterHash !== 'string') throw new UsageError(`"${file}" is broken: it holds no parameterHash.`);
      const { parameterHash } = result;
      return [{ ...storedRun(name, config, { seed, parameterHash }), numbers: result, curves: readCurves(folder, seed) }];
    });
}
