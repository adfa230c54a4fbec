/** Times the training step of a config on executors, so that `auto` and the GPU offer stand on a measurement of this very network. */

import { toFailure } from '#contract/kit/errors.ts';
import type { ExecutorId, RunConfig } from '#contract/run/config.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry, EngineFactory } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import { lifetimeOf } from '../envs/api/lifetime.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { loadBody } from '../nets/body.ts';

type Concrete = Exclude<ExecutorId, 'auto'>;

export interface RaceResult {
  readonly executor: Concrete;
  readonly updatesPerSecond: number; // 0: could not run
  readonly note: string;
}

export interface RaceOptions {
  /** The entries that the config names. */
  readonly env: EnvEntry;
  readonly algo: AlgoEntry;
  /** Measured per executor; 200 unless told otherwise. */
  readonly milliseconds?: number;
  readonly createEngine?: EngineFactory;
}

/** `now` in milliseconds. Algorithms without a network have nothing to time: an empty list. */
export async function race(
  config: RunConfig,
  executors: readonly Concrete[],
  now: () => number,
  options: RaceOptions,
): Promise<readonly RaceResult[]> {
  const { env, algo, milliseconds = 200, createEngine: makeEngine = createEngine } = options;
  const meta = env.meta(config.env.config);
  if (algo.benchmark === undefined) return [];
  const settings = algo.parse(config.algo.config);
  await loadBody(settings);
  const results: RaceResult[] = [];
  for (const executor of executors) {
    try {
      const engine = await makeEngine(executor);
      const step = algo.benchmark({ config: settings, meta, engine });
      const views = step.seen?.() ?? [];
      if (views.length > 0) await look(env, config, views);
      for (let i = 0; i < 3; i++) await step.run(); // first runs build kernels
      const from = now();
      let count = 0;
      while (now() - from < milliseconds || count === 0) {
        await step.run();
        count++;
      }
      const updatesPerSecond = (1000 * count) / (now() - from);
      results.push({ executor, updatesPerSecond, note: engine.exact ? 'exact' : 'within tolerance' });
      engine.dispose();
    } catch (error) {
      results.push({ executor, updatesPerSecond: 0, note: toFailure(error).message });
    }
  }
  return results;
}

/** Copies whose first observations are shown over and over. */
const COPIES = 32;

/** Fills observations [rows, O] with those that episodes begin with. */
async function look(env: EnvEntry, { env: { config } }: RunConfig, views: readonly Float32Array[]): Promise<void> {
  const lifetime = lifetimeOf(env);
  try {
    await lifetime.entry.prepare?.();
    const copies = createVectorEnv(lifetime.entry, config, COPIES, Rng.from(1));
    copies.reset();
    const { obs } = copies.buffers;
    for (const view of views) for (let at = 0; at < view.length; at++) view[at] = obs[at % obs.length]!;
  } finally {
    lifetime.dispose();
  }
}

/** The fastest that ran; wasm, which is exact, unless another is faster. */
export function fastest(results: readonly RaceResult[]): Concrete {
  let best: RaceResult = results.find((r) => r.executor === 'wasm') ?? { executor: 'wasm', updatesPerSecond: 0, note: '' };
  for (const result of results) if (result.updatesPerSecond > best.updatesPerSecond) best = result;
  return best.executor;
}
