/** What is measured of a policy against one that was trained apart, and of a script. */

import { fail } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { scoreOf } from '#core/envs/api/score.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { evaluate, evaluateScript } from '#core/run/evaluate.ts';
import { together } from '#core/run/lineup.ts';
import type { SeedOutcome } from './seeds.ts';

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

/**
 * What a scripted policy of the config's environment gets on the evaluation's episodes; every seed has episodes of its own, so that its
 * interval says how much the draw of episodes matters. Nothing is trained. Throws LabError('unknown-id')
 * for a script that this environment does not have.
 */
export async function scriptedOutcome(config: RunConfig, seed: number, script: string): Promise<SeedOutcome> {
  const entry = await loadEnv(config.env.id);
  const policy = entry.policies(config.env.config)[script];
  if (policy === undefined)
    throw fail('unknown-id', `${entry.id} has no scripted policy "${script}".`, whichOf(script, entry.policyNames), 'script');
  const { score, perAgent, loops, measures } = await evaluateScript(policy, entry, config.env.config, config.run.evalEpisodes, seed);
  const none = { finalReturn: Number.NaN, bestReturn: null, exactScore: null, nashConv: null, againstReturn: null, sampledReturn: null };
  const untrained = { hypervolume: null, netReturn: null, rivalReturn: null, explained: null, pairs: null, parameters: null };
  const costs = { steps: 0, seconds: 0, stepsPerSecond: 0, parameterHash: '' };
  return { ...none, ...untrained, ...costs, seed, evalReturn: score, evalLoops: loops, perAgent, measures };
}
