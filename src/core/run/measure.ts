/**
 * How fast an executor would train this very run here: whole iterations of the algorithm, collecting and learning, for about as long as is
 * asked. The first iteration, which builds kernels, is not counted unless it alone takes longer.
 */

import type { JsonObject } from '#contract/kit/json.ts';
import type { CompleteConfig, ExecutorId } from '#contract/run/config.ts';
import { Rng } from '#math/rng.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import { lifetimeOf } from '../envs/api/lifetime.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';

export interface Speed {
  /** Environment steps a second, collecting and learning together. */
  readonly stepsPerSecond: number;
  readonly steps: number;
  readonly seconds: number;
  /** Only building and the first iteration fitted into the time: later ones are faster. */
  readonly started: boolean;
  /** To a graphics device, an iteration; 0 elsewhere. */
  readonly dispatches: number;
}

export interface MeasureOptions {
  readonly env: EnvEntry;
  readonly algo: AlgoEntry;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** About how long; 2,000 unless told otherwise. */
  readonly milliseconds?: number;
  readonly createEngine?: (executor: Exclude<ExecutorId, 'auto'>) => Promise<Engine>;
}

/** Throws what the run would throw: LabError('gpu-missing'), say. */
export async function measureRun(
  config: CompleteConfig,
  executor: Exclude<ExecutorId, 'auto'>,
  { env: given, algo, now, milliseconds = 2000, createEngine: makeEngine = createEngine }: MeasureOptions,
): Promise<Speed> {
  const envConfig = config.env.config as JsonObject;
  const engines: Engine[] = [];
  const lifetime = lifetimeOf(given);
  const env = lifetime.entry;
  await env.prepare?.();
  const train = executor === 'webgpu-rollouts' ? (await import('../rollouts/ppo.ts')).trainOnDevice : algo.train;
  let batches = 0;
  const begun = now();
  const trainer = train({
    config: { ...(config.algo.config as JsonObject) },
    envEntry: env,
    envConfig,
    meta: env.meta(envConfig),
    steps: config.run.steps,
    seed: config.run.seedStart,
    rng: Rng.from(config.run.seedStart),
    makeEnv: (batch, other) => createVectorEnv(env, other ?? envConfig, batch, Rng.from(1).split('env', batches++)),
    async makeEngine() {
      const engine = await makeEngine(executor);
      engines.push(engine);
      return engine;
    },
  });
  try {
    let first: { readonly at: number; readonly step: number } | null = null;
    let step = 0;
    let iterations = 0;
    let before = 0;
    const dispatched = (): number => engines.reduce((sum, { counts }) => sum + (counts?.dispatches ?? 0), 0);
    for await (const progress of trainer) {
      ({ step } = progress);
      if (first !== null && now() - first.at >= milliseconds) break;
      iterations++;
      if (first === null) before = dispatched();
      first ??= { at: now(), step };
      if (now() - begun >= 2 * milliseconds) break;
    }
    const counted = first === null || step === first.step ? null : first;
    const steps = step - (counted?.step ?? 0);
    const seconds = (now() - (counted?.at ?? begun)) / 1000;
    const counts = counted === null ? dispatched() / Math.max(1, iterations) : (dispatched() - before) / Math.max(1, iterations - 1);
    return { stepsPerSecond: seconds > 0 ? steps / seconds : 0, steps, seconds, started: counted === null, dispatches: Math.round(counts) };
  } finally {
    for (const engine of engines) engine.dispose();
    lifetime.dispose();
  }
}
