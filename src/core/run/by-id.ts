/**
 * Runs of the workbench's own environments and algorithms, named by id as links, files and commands name them. It imports every one of
 * them; session.ts, complete.ts, policy.ts and race.ts take them as values and import none.
 */
import type { RunConfig } from '#contract/config.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { getAlgo } from '../algos/index.ts';
import { getEnv } from '../envs/index.ts';
import * as complete from './complete.ts';
import * as policy from './policy.ts';
import * as races from './race.ts';
import type { Registry } from './registry.ts';
import * as sessions from './session.ts';

/** All environments and algorithms of the workbench. */
export const builtIn: Registry = { env: getEnv, algo: getAlgo };

/** As SessionOptions; what is left out is looked up by the config's ids. */
export type SessionOptions = Omit<sessions.SessionOptions, 'env' | 'algo'> & Partial<Pick<sessions.SessionOptions, 'env' | 'algo'>>;

/** See session.ts. Throws LabError('unknown-id'). */
export function createSession(options: SessionOptions): sessions.Session {
  const { env = getEnv(options.config.env.id), algo = getAlgo(options.config.algo.id) } = options;
  return sessions.createSession({ ...options, env, algo });
}

/** See complete.ts. */
export const completeRun = (json: unknown): RunConfig => complete.completeRun(json, builtIn);

/** See policy.ts. */
export const buildPolicy = (snapshot: PolicySnapshot): Promise<policy.BuiltPolicy> => policy.buildPolicy(snapshot, builtIn);

/** See race.ts. Throws LabError('unknown-id'). */
export function race(
  config: RunConfig,
  executors: Parameters<typeof races.race>[1],
  now: () => number,
  options?: Omit<races.RaceOptions, 'env' | 'algo'>,
): Promise<readonly races.RaceResult[]> {
  return races.race(config, executors, now, { ...options, env: getEnv(config.env.id), algo: getAlgo(config.algo.id) });
}
