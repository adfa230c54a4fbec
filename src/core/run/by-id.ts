/**
 * Runs of the workbench's own environments and algorithms, named by id as links, files and commands name them. It imports every one of
 * them; session.ts, complete.ts, policy.ts and race.ts take them as values and import none.
 */
import type { CompleteConfig, RunConfig } from '#contract/config.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { LayersModel, OnnxFile } from '#contract/onnx.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { getAlgo } from '../algos/index.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { getEnv } from '../envs/index.ts';
import * as complete from './complete.ts';
import * as policy from './policy.ts';
import * as races from './race.ts';
import { type Registry, registryOf } from './registry.ts';
import * as sessions from './session.ts';

/** All environments and algorithms of the workbench. */
export const builtIn: Registry = { env: getEnv, algo: getAlgo };

/** Entries that are left out are looked up by the config's ids. */
export interface SessionOptions extends Omit<sessions.SessionOptions, 'config' | 'env' | 'algo'> {
  readonly config: RunConfig;
  readonly env?: EnvEntry;
  readonly algo?: AlgoEntry;
}

/** See session.ts. Checks and completes the config, which may come from another thread or a file. Throws what completeRun throws. */
export function createSession(options: SessionOptions): sessions.Session {
  const { env = getEnv(options.config.env.id), algo = getAlgo(options.config.algo.id) } = options;
  const config = complete.completeRun(options.config, registryOf([env], [algo]));
  return sessions.createSession({ ...options, config, env, algo });
}

/** See complete.ts. */
export const completeRun = (json: unknown): CompleteConfig => complete.completeRun(json, builtIn);

/** See policy.ts. */
export const buildPolicy = (snapshot: PolicySnapshot): Promise<policy.BuiltPolicy> => policy.buildPolicy(snapshot, builtIn);

/** See policy.ts. */
export const policyToLayers = (snapshot: PolicySnapshot, agent: number): Promise<LayersModel> =>
  policy.policyToLayers(snapshot, agent, builtIn);

/** See policy.ts. */
export const policyToOnnx = (snapshot: PolicySnapshot, agent: number): Promise<OnnxFile> => policy.policyToOnnx(snapshot, agent, builtIn);

/** See race.ts. Throws LabError('unknown-id'). */
export function race(
  config: RunConfig,
  executors: Parameters<typeof races.race>[1],
  now: () => number,
  options?: Omit<races.RaceOptions, 'env' | 'algo'>,
): Promise<readonly races.RaceResult[]> {
  return races.race(config, executors, now, { ...options, env: getEnv(config.env.id), algo: getAlgo(config.algo.id) });
}
