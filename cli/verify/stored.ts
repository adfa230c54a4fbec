/** Runs as they were stored, and those of a run folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Curve } from '#claims/quantity.ts';
import type { RunConfig } from '#contract/config.ts';
import { type FoundRun, SEED_FILES } from '#contract/container.ts';
import { type Json, objectOf, readJson } from '#contract/json.ts';
import { excuseOf } from '#contract/verify.ts';
import { completeRun } from '#core/run/loaded.ts';
import { readCurves } from '../claims/curves.ts';
import { marksIn } from '../container.ts';
import { UsageError } from '../failure.ts';
import { envIdOf, refuseGym } from '../gym/gyms.ts';
import { openRunFolder, seedsIn } from '../run-folder.ts';
import { seedFolder } from '../seed-folder.ts';
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

function configOf(folder: string): RunConfig {
  const stored = openRunFolder(folder);
  refuseGym(envIdOf(stored), 'It cannot be verified');
  return completeRun(stored);
}

/** Seeds of a run folder whose results are there. `config`: without it that of its run.json. */
export function runsOfFolder(folder: string, name: string, config = configOf(folder)): readonly StoredRun[] {
  const marks = marksIn(folder);
  return seedsIn(folder).flatMap((seed): StoredRun[] => {
    const file = join(seedFolder(folder, seed), SEED_FILES.result);
    if (!existsSync(file)) return [];
    const result = objectOf(readJson(readFileSync(file, 'utf8')) as Json);
    if (typeof result.parameterHash !== 'string') throw new UsageError(`"${file}" is broken: it holds no parameterHash.`);
    const { parameterHash } = result;
    const excuse = excuseOf(config, marks.get(seed) ?? []);
    return [{ ...storedRun(name, config, { seed, parameterHash }), numbers: result, curves: readCurves(folder, seed), excuse }];
  });
}

/** Seeds of a run of a project file that are done. */
export function runsOfFound({ file, seeds }: FoundRun): readonly StoredRun[] {
  const config = completeRun(file.config);
  return seeds.flatMap(({ seed, result, stored, curves }): StoredRun[] => {
    if (result === null) return [];
    const marks = file.seeds.find((one) => one.seed === seed)?.marks ?? [];
    const rows = new Map(curves.map(({ metric, steps, values }) => [metric, { steps, values }]));
    return [
      { ...storedRun(file.name, config, { ...result, seed }), numbers: stored ?? result, curves: rows, excuse: excuseOf(config, marks) },
    ];
  });
}
