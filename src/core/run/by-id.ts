/**
 * Runs of the workbench's own environments and algorithms, named by id as links, files and commands name them. Functions that answer at
 * once need both loaded (loadRun); the others load them. session.ts, complete.ts, policy.ts and race.ts take entries as values.
 */

import { fail } from '#contract/kit/errors.ts';
import { BENCH_ROWS, type BenchValue } from '#contract/run/bench.ts';
import type { CompleteConfig, ExecutorId, RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { LayersModel, OnnxFile } from '#contract/session/onnx.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { getAlgo, loadAlgo } from '../algos/index.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { getEnv, loadEnv } from '../envs/index.ts';
import { benchEngine } from './bench-engine.ts';
import * as complete from './complete.ts';
import * as measure from './measure.ts';
import * as policy from './policy.ts';
import * as races from './race.ts';
import { type Registry, registryOf } from './registry.ts';
import * as sessions from './session.ts';

/** The environments and algorithms of the workbench that are loaded. */
export const builtIn: Registry = { env: getEnv, algo: getAlgo };

/**
 * Loads the environment and the algorithm that a config or a snapshot names, and what they need. Ids that are missing are left to what
 * reads the config. Throws LabError('unknown-id') with the ids there are.
 */
export async function loadRun(json: unknown): Promise<void> {
  const env = idIn(json, 'env');
  const algo = idIn(json, 'algo');
  await Promise.all([env === null ? null : loadEnv(env), algo === null ? null : loadAlgo(algo)]);
}

function idIn(json: unknown, part: 'env' | 'algo'): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const ref: unknown = Reflect.get(json, part);
  if (typeof ref !== 'object' || ref === null) return null;
  const id: unknown = Reflect.get(ref, 'id');
  return typeof id === 'string' ? id : null;
}

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
  return sessions.createSession({ world: loadEnv, ...options, config, env, algo });
}

/** See complete.ts. */
export const completeRun = (json: unknown): CompleteConfig => complete.completeRun(json, builtIn);

/** See policy.ts. */
export async function buildPolicy(snapshot: PolicySnapshot): Promise<policy.BuiltPolicy> {
  await loadRun(snapshot);
  return policy.buildPolicy(snapshot, builtIn);
}

/** See policy.ts. */
export async function policyToLayers(snapshot: PolicySnapshot, agent: number): Promise<LayersModel> {
  await loadRun(snapshot);
  return policy.policyToLayers(snapshot, agent, builtIn);
}

/** See policy.ts. */
export async function policyToOnnx(snapshot: PolicySnapshot, agent: number): Promise<OnnxFile> {
  await loadRun(snapshot);
  return policy.policyToOnnx(snapshot, agent, builtIn);
}

/** See measure.ts. Throws what completeRun throws for this executor, and what the run throws. */
export async function measureRun(
  config: RunConfig,
  executor: ExecutorId,
  now: () => number,
  milliseconds?: number,
): Promise<measure.Speed> {
  await loadRun(config);
  const wanted = executor === 'auto' ? 'wasm' : executor;
  const whole = completeRun({ ...config, run: { ...config.run, executor: wanted } });
  const { env, algo } = config;
  const options = { env: getEnv(env.id), algo: getAlgo(algo.id), now, ...(milliseconds !== undefined && { milliseconds }) };
  return measure.measureRun(whole, wanted, options);
}

/** A row of the bench page. Throws LabError('unknown-id') for one that is not computed here, and what its executor throws. */
export async function benchRow(id: string, now: () => number): Promise<BenchValue> {
  const what = BENCH_ROWS.find((row) => row.id === id)?.what;
  if (what === undefined || what.kind === 'scene') throw fail('unknown-id', `There is no row "${id}".`, 'Reload the page.');
  if (what.kind === 'engine') return benchEngine(what.executor, what.hidden, what.rows, now);
  const { executor, config } = what;
  const run = { steps: 1e9, executor };
  const asked = { env: { id: 'cartpole' }, algo: { id: 'ppo', config }, run };
  await loadRun(asked);
  const { stepsPerSecond, dispatches } = await measureRun(completeRun(asked), executor, now);
  return { value: stepsPerSecond, ...(dispatches > 0 && { dispatches }) };
}

/** See race.ts. Throws LabError('unknown-id'). */
export async function race(
  config: RunConfig,
  executors: Parameters<typeof races.race>[1],
  now: () => number,
  options?: Omit<races.RaceOptions, 'env' | 'algo'>,
): Promise<readonly races.RaceResult[]> {
  await loadRun(config);
  return races.race(config, executors, now, { ...options, env: getEnv(config.env.id), algo: getAlgo(config.algo.id) });
}
