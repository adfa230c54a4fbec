/** What is measured of a policy once its run is over: its expected return from the transition table, and its return elsewhere. */
import type { PolicySnapshot } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { getAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/index.ts';
import { evaluate, exactReturn, greedyChoice } from '#core/run/evaluate.ts';

/** The greedy policy's mean return over whole episodes in another form of its environment: against opponents it was not trained with. */
export async function againstReturn(snapshot: PolicySnapshot, against: JsonObject, episodes: number): Promise<number> {
  const envEntry = getEnv(snapshot.env.id);
  const context = { config: snapshot.algo.config, envEntry, envConfig: snapshot.env.config, makeEngine: () => createEngine('wasm') };
  const meta = envEntry.meta(snapshot.env.config);
  const policy = await getAlgo(snapshot.algo.id).policy({ ...context, meta }, snapshot.saved);
  try {
    return (await evaluate(policy, envEntry, against, { episodes })).score;
  } finally {
    policy.dispose();
  }
}

/** The greedy policy's expected return at the step limit, no sampling; null where the environment has no transition table or no limit. */
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
