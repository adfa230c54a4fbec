/** What is measured of a policy once its run is over: its expected return from the transition table, its return elsewhere and otherwise. */

import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { createEngine } from '#core/engine/index.ts';
import { scoreOf } from '#core/envs/api/score.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { evaluate, evaluateScript, exactReturn, greedyChoice } from '#core/run/evaluate.ts';
import { together } from '#core/run/lineup.ts';
import type { SeedOutcome } from './seeds.ts';

/**
 * The greedy policy's mean return over whole episodes in other forms of its environment, opponents it was not trained with, say; their mean.
 * Throws LabError('incompatible') for a form whose observations or actions have another size: the policy would read other numbers there.
 */
export async function againstReturn(snapshot: PolicySnapshot, against: readonly JsonObject[], episodes: number): Promise<number> {
  const envEntry = await loadEnv(snapshot.env.id);
  const context = { config: snapshot.algo.config, envEntry, envConfig: snapshot.env.config, makeEngine: () => createEngine('wasm') };
  const meta = envEntry.meta(snapshot.env.config);
  for (const config of against) {
    const { obsSize, actionSize, actionCount } = envEntry.meta(config);
    if (obsSize === meta.obsSize && actionSize === meta.actionSize && actionCount === meta.actionCount) continue;
    const sizes = `${obsSize} observed numbers and ${actionCount || actionSize} actions, not ${meta.obsSize} and ${meta.actionCount || meta.actionSize}`;
    const fix = 'Measure it in a form of the same observations and actions.';
    throw fail('incompatible', `The policy cannot act in ${envEntry.id} with ${JSON.stringify(config)}: ${sizes}.`, fix, 'against');
  }
  const policy = await (await loadAlgo(snapshot.algo.id)).policy({ ...context, meta }, snapshot.saved);
  try {
    let sum = 0;
    for (const config of against) sum += (await evaluate(policy, envEntry, config, { episodes })).score;
    return sum / against.length;
  } finally {
    policy.dispose();
  }
}

/**
 * The greedy policy's mean return where the seats that its agents leave are played, greedily too, by a policy that was trained apart and
 * is frozen. Throws LabError('incompatible') where that one belongs elsewhere or leaves a seat empty.
 */
export async function rivalReturn(snapshot: PolicySnapshot, rival: PolicySnapshot, episodes: number): Promise<number> {
  const envEntry = await loadEnv(snapshot.env.id);
  if (rival.env.id !== envEntry.id) {
    throw fail('incompatible', `The rival plays ${rival.env.id}, not ${envEntry.id}.`, 'Take one of the same environment.', 'rival');
  }
  const { seats: _, ...allSeats } = snapshot.env.config;
  const world = envEntry.meta(allSeats);
  const own = envEntry.meta(snapshot.env.config);
  const first = await buildPolicy(snapshot);
  const second = await buildPolicy(rival);
  try {
    const other = { policy: second.policy, meta: envEntry.meta(rival.env.config) };
    const policy = together(world, [{ policy: first.policy, meta: own }, other]);
    const { perAgent } = await evaluate(policy, envEntry, allSeats, { episodes });
    const names = world.agents.flatMap((group) => group.names);
    const returns = own.agents.flatMap((group) => group.names.map((name) => perAgent[names.indexOf(name)]!));
    return scoreOf(own.score, returns);
  } finally {
    first.free();
    second.free();
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

/**
 * What a scripted policy of the config's environment gets on the evaluation's episodes; every seed has episodes of its own, so that its
 * interval says how much the draw of episodes matters. Nothing is trained. Throws LabError('unknown-id')
 * for a script that this environment does not have.
 */
export async function scriptedOutcome(config: RunConfig, seed: number, script: string): Promise<SeedOutcome> {
  const entry = await loadEnv(config.env.id);
  const policy = entry.policies(config.env.config)[script];
  if (policy === undefined)
    throw fail('unknown-id', `${entry.id} has no scripted policy "${script}".`, `Use one of: ${entry.policyNames.join(', ')}.`, 'script');
  const { score, perAgent, loops, measures } = await evaluateScript(policy, entry, config.env.config, config.run.evalEpisodes, seed);
  const none = { finalReturn: Number.NaN, bestReturn: null, exactScore: null, nashConv: null, againstReturn: null, sampledReturn: null };
  const untrained = { hypervolume: null, netReturn: null, rivalReturn: null, explained: null, pairs: null, parameters: null };
  const costs = { steps: 0, seconds: 0, stepsPerSecond: 0, parameterHash: '' };
  return { ...none, ...untrained, ...costs, seed, evalReturn: score, evalLoops: loops, perAgent, measures };
}
