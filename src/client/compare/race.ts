/** Three group methods from one start: the world, sizes, seeds and start of a run, and each method by its preset. They train beside each other. */
import { originOf } from '#client/runs/origin.ts';
import { persistence, trainer } from '#client/runs/parts.ts';
import { reasonOf, runs } from '#client/runs/service.ts';
import { isUnderWay } from '#client/runs/trainer.ts';
import { workers } from '#client/workers/service.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { runOfHash, runsStore } from '#stores/runs.ts';
import { METHOD, racers } from './racers.ts';

/**
 * Starts the three; those that were begun before go on. Other runs on the chart that train pause, and their names are answered. The first of the three
 * becomes the active run. Rejects with a LabError for a config that cannot be.
 */
export async function race({ env, algo, run }: RunConfig): Promise<readonly string[]> {
  const planned = await Promise.all(
    racers(algo.config as JsonObject).map(async ({ title, config }) => ({
      name: title,
      config: await workers.complete({ v: 1, env: { ...env }, algo: { id: METHOD, config }, run: { ...run } } as unknown as JsonObject),
    })),
  );
  const hashes = planned.map(({ config }) => configHash(config));
  const { groups } = runsStore.getState();
  const resting = groups.filter((group) => group.visible && !hashes.includes(group.hash) && group.seeds.some(isUnderWay));
  for (const { id } of resting) runs.pause(id);
  const begun: string[] = [];
  const ids = planned.map(({ name, config }) => {
    const before = runOfHash(groups, configHash(config));
    if (before !== null) {
      runs.resume(before.id);
      return before.id;
    }
    const id = trainer.train(config, reasonOf(config), { name, paused: true, origin: originOf(config, location.hash) });
    begun.push(id);
    return id;
  });
  trainer.trainBeside(begun);
  runsStore.getState().setActive(ids[0]!);
  void persistence.then((kept) => kept.flush());
  return resting.map(({ name }) => name);
}
