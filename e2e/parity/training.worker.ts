/** The first updates of a method on wasm and on another executor, same seed: the metrics of each, and how long they took. */

import type { JsonObject } from '#contract/kit/json.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { loadEnv } from '#core/envs/index.ts';
import { Rng } from '#math/rng.ts';

interface Task {
  readonly executor: Exclude<ExecutorId, 'auto'>;
  readonly algo: string;
  readonly env: string;
  readonly config: JsonObject;
  readonly envConfig: JsonObject;
  readonly updates: number;
}

async function train({ algo: algoId, env: envId, config, envConfig: given, updates }: Task, executor: Task['executor']): Promise<unknown> {
  const algo = await loadAlgo(algoId);
  const envEntry = await loadEnv(envId);
  const envConfig = envEntry.parse(given);
  const engine = await createEngine(executor);
  const began = performance.now();
  const run = algo.train({
    config: algo.parse(config),
    envEntry,
    envConfig,
    meta: envEntry.meta(envConfig),
    steps: Number.POSITIVE_INFINITY,
    seed: 1,
    rng: Rng.from(1),
    makeEnv: (batch) => createVectorEnv(envEntry, envConfig, batch, Rng.from(1).split('env')),
    makeEngine: async () => engine,
  });
  const rows: unknown[] = [];
  while (rows.length < updates) {
    const next = await run.next();
    if (next.done === true) break;
    const { step, metrics } = next.value;
    rows.push({ step, ...metrics });
  }
  await run.return();
  const { counts } = engine;
  const sent = counts && { ...counts };
  engine.dispose();
  return { rows, seconds: (performance.now() - began) / 1000, sent };
}

self.addEventListener('message', ({ data }: MessageEvent<Task>) => {
  const both = async (): Promise<unknown> => ({ wasm: await train(data, 'wasm'), other: await train(data, data.executor) });
  both().then(
    (answer) => postMessage(answer),
    (error: unknown) => postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
});
