/** What is measured of a policy once its run is over: its expected return from the transition table, its return elsewhere and otherwise. */

import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Elsewhere } from '#contract/papers/papers.ts';
import { takesAnyTeam } from '#contract/run/any-team.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { type Evaluation, evaluate, exactReturn, greedyChoice } from '#core/run/evaluate.ts';
import { movedTo } from '#core/run/transfer.ts';
import { mean } from '#math/stats.ts';

/**
 * What the policy gets over whole episodes in other forms of its environment, opponents it was not trained with, say: means over the forms. Greedy, or
 * with actions drawn by its own chances. Throws LabError('incompatible') for a form whose observations or actions have another size: the policy would read other numbers there.
 */
export async function playedElsewhere(
  snapshot: PolicySnapshot,
  against: readonly JsonObject[],
  { episodes, greedy = true }: { readonly episodes: number; readonly greedy?: boolean },
): Promise<Elsewhere> {
  const options = { episodes, greedy };
  const envEntry = await loadEnv(snapshot.env.id);
  const context = { config: snapshot.algo.config, envEntry, envConfig: snapshot.env.config, makeEngine: () => createEngine('wasm') };
  const meta = envEntry.meta(snapshot.env.config);
  if (takesAnyTeam(snapshot.algo.config))
    return meanOf(await Promise.all(against.map((config) => playedIn(snapshot, envEntry, config, options))));
  for (const config of against) {
    const { obsSize, actionSize, actionCount } = envEntry.meta(config);
    if (obsSize === meta.obsSize && actionSize === meta.actionSize && actionCount === meta.actionCount) continue;
    const sizes = `${obsSize} observed numbers and ${actionCount || actionSize} actions, not ${meta.obsSize} and ${meta.actionCount || meta.actionSize}`;
    const fix = 'Measure it in a form of the same observations and actions.';
    throw fail('incompatible', `The policy cannot act in ${envEntry.id} with ${JSON.stringify(config)}: ${sizes}.`, fix, 'against');
  }
  const policy = await (await loadAlgo(snapshot.algo.id)).policy({ ...context, meta }, snapshot.saved);
  try {
    const found: Elsewhere[] = [];
    for (const config of against) found.push(told(await evaluate(policy, envEntry, config, options)));
    return meanOf(found);
  } finally {
    policy.dispose();
  }
}

const told = ({ score, scores }: Evaluation): Elsewhere => ({ return: score, solved: mean(scores.map((one) => Number(one > 0))) });

const meanOf = (all: readonly Elsewhere[]): Elsewhere => ({
  return: mean(all.map((one) => one.return)),
  solved: mean(all.map((one) => one.solved)),
});

/** The same in one form, of a policy that is made for it. */
async function playedIn(
  snapshot: PolicySnapshot,
  envEntry: EnvEntry,
  config: JsonObject,
  options: { readonly episodes: number; readonly greedy: boolean },
): Promise<Elsewhere> {
  const { policy, free } = await buildPolicy(movedTo(snapshot, envEntry, config));
  try {
    return told(await evaluate(policy, envEntry, config, options));
  } finally {
    free();
  }
}

/** Whole episodes on the evaluation's seeds, actions drawn by the policy's own chances: their mean return, and what is measured of them. */
export async function drawnEpisodes(
  snapshot: PolicySnapshot,
  episodes: number,
): Promise<{ readonly score: number; readonly measures: Readonly<Record<string, number>> }> {
  const { policy, free } = await buildPolicy(snapshot);
  try {
    return await evaluate(policy, await loadEnv(snapshot.env.id), snapshot.env.config, { episodes, greedy: false });
  } finally {
    free();
  }
}

/** The greedy policy's expected return at the step limit, no sampling; null where the environment has no transition table or no limit. */
export async function exactScore(snapshot: PolicySnapshot): Promise<number | null> {
  const envEntry = await loadEnv(snapshot.env.id);
  const envConfig = snapshot.env.config;
  const env = envEntry.create(envConfig, 1);
  const { meta } = env;
  const table = env.model?.();
  env.dispose?.();
  if (table === undefined || meta.maxSteps === 0) return null;
  const config = snapshot.algo.config;
  const context = { config, meta, envEntry, envConfig, makeEngine: () => createEngine('wasm') };
  const policy = await (await loadAlgo(snapshot.algo.id)).policy(context, snapshot.saved);
  try {
    return exactReturn(table, await greedyChoice(policy, meta, table.states), meta.maxSteps);
  } finally {
    policy.dispose();
  }
}
