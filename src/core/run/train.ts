/**
 * Training as a loop over its progress:
 *
 *   for await (const p of train({ env: cartpole, algo: ppo, steps: 2e5, seed: 1 })) console.log(p.step, p.metrics.episodicReturn);
 *
 * The run goes on while the next progress is asked for; leaving the loop ends it. The same options give the same bits everywhere.
 */

import type { Dataset } from '#contract/files/dataset.ts';
import { LabError } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import type { PolicySnapshot, SeedResult } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';
import { completeRun } from './complete.ts';
import { type BuiltPolicy, buildPolicy } from './policy.ts';
import { registryOf } from './registry.ts';
import { createSession } from './session.ts';

export interface TrainOptions {
  readonly env: EnvEntry;
  readonly algo: AlgoEntry;
  /** Settings of the environment and of the algorithm that differ from their defaults. */
  readonly envConfig?: JsonObject;
  readonly config?: JsonObject;
  /** Budget in environment steps, summed over parallel environments. */
  readonly steps: number;
  /** 0 to 2^32 - 1; 1 unless told otherwise. */
  readonly seed?: number;
  /** Greedy evaluation every so many environment steps; 0 (the default): at the end only. */
  readonly evalEvery?: number;
  /** Episodes of an evaluation; 100 unless told otherwise. */
  readonly evalEpisodes?: number;
  /** 'wasm' unless told otherwise: exact on every machine. Those of tfjs need useTfjs() of rl-workbench/tfjs. */
  readonly executor?: Exclude<ExecutorId, 'auto'>;
  /** Finds the dataset that the config names by its hash, for methods that learn from recorded play; none are there without it. */
  readonly dataset?: (hash: string) => Promise<Dataset | null>;
  /** Gets a file of trained weights, by its name in public/ (stories.bin), for methods that begin with it; none are there without it. */
  readonly weights?: (file: string, hash: string) => Promise<Uint8Array>;
  /** Milliseconds, monotonic, such as () => performance.now(): for `seconds` and the result's speed, which are 0 without it. */
  readonly now?: () => number;
}

export interface TrainProgress {
  /** Environment steps so far. */
  readonly step: number;
  /** What the algorithm measured at this step, by metric id; metrics it did not measure are missing. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The newest policy so far, for loadPolicy; null before the first. */
  readonly policy: PolicySnapshot | null;
  /** Of the finished run, in the last progress; null before. */
  readonly result: SeedResult | null;
}

/** Throws LabError: 'config-invalid' or 'incompatible' before the first step, and what stopped the run. */
export async function* train(options: TrainOptions): AsyncGenerator<TrainProgress, void, void> {
  const { env, algo, envConfig = {}, config = {}, steps, seed = 1, evalEvery = 0, evalEpisodes = 100, executor = 'wasm' } = options;
  const complete = completeRun(
    {
      env: { id: env.id, config: envConfig },
      algo: { id: algo.id, config },
      run: { steps, seeds: 1, seedStart: seed, evalEvery, evalEpisodes, executor },
    },
    registryOf([env], [algo]),
  );
  // Without a time slice every iteration of the algorithm is reported immediately.
  const session = createSession({
    config: complete,
    env,
    algo,
    seed,
    now: options.now ?? (() => 0),
    sliceMs: 0,
    ...(options.dataset !== undefined && { dataset: options.dataset }),
    ...(options.weights !== undefined && { weights: options.weights }),
  });
  let policy: PolicySnapshot | null = null;
  let last: TrainProgress | null = null;
  for await (const event of session) {
    if (event.kind === 'state' && event.error !== undefined) throw new LabError(event.error);
    if (event.kind === 'policy') policy = event.snapshot;
    if (event.kind === 'result') yield { step: event.result.steps, metrics: last?.metrics ?? {}, policy, result: event.result };
    if (event.kind !== 'metrics') continue;
    const { columns, rows } = event;
    const width = columns.length + 1;
    for (let at = 0; at < rows.length; at += width) {
      const measured = columns.map((name, i) => [name, rows[at + 1 + i]!] as const).filter(([, value]) => !Number.isNaN(value));
      last = { step: rows[at]!, metrics: Object.fromEntries(measured), policy, result: null };
      yield last;
    }
  }
}

/**
 * `numEnvs` copies in lockstep with auto-reset, started: `buffers` hold their first observations. Environments with a `prepare` need it awaited
 * before; those with `env.dispose` are freed by it.
 */
export function makeEnv(
  env: EnvEntry,
  options: { readonly config?: JsonObject; readonly numEnvs?: number; readonly seed?: number } = {},
): VectorEnv {
  const { config = {}, numEnvs = 1, seed = 1 } = options;
  const made = createVectorEnv(env, config, numEnvs, Rng.from(seed).split('env', 0));
  made.reset();
  return made;
}

/** A policy that can act, from the snapshot that training gave. The caller frees it. Throws LabError where the entries are not the snapshot's. */
export function loadPolicy(snapshot: PolicySnapshot, entries: { readonly env: EnvEntry; readonly algo: AlgoEntry }): Promise<BuiltPolicy> {
  return buildPolicy(snapshot, registryOf([entries.env], [entries.algo]));
}
