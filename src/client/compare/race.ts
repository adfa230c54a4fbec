/** Three group methods from one start: the world, sizes, seeds and start of a run, and each method by its preset. They train beside each other. */
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { METHOD, racers } from './racers.ts';

/** Starts the three. Rejects with a LabError for a config that cannot be. */
export async function race({ env, algo, run }: RunConfig): Promise<void> {
  const planned = await Promise.all(
    racers(algo.config as JsonObject).map(async ({ title, config }) => ({
      name: title,
      config: await workers.complete({ v: 1, env: { ...env }, algo: { id: METHOD, config }, run: { ...run } } as unknown as JsonObject),
    })),
  );
  await runs.trainAll(planned);
}
