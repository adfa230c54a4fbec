/** The greedy policy's expected return at the environment's step limit, from its transition table: no sampling. */
import type { PolicySnapshot } from '#contract/events.ts';
import { getAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/index.ts';
import { exactReturn, greedyChoice } from '#core/run/evaluate.ts';

/** null where the environment has no transition table or no limit. */
export async function exactScore(snapshot: PolicySnapshot): Promise<number | null> {
  const envEntry = getEnv(snapshot.env.id);
  const envConfig = snapshot.env.config;
  const { meta, model } = envEntry.create(envConfig, 1);
  if (!model || meta.maxSteps === 0) return null;
  const table = model();
  const config = snapshot.algo.config;
  const context = { config, meta, envEntry, envConfig, makeEngine: () => createEngine('wasm') };
  const policy = await getAlgo(snapshot.algo.id).policy(context, snapshot.saved);
  try {
    return exactReturn(table, await greedyChoice(policy, meta, table.states), meta.maxSteps);
  } finally {
    policy.dispose();
  }
}
