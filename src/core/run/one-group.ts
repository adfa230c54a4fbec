/**
 * One group of episodes for a view, collected by what training collects its groups with (groupsOf), compared by what training compares them with
 * (stepAdvantages, addStateGroups). The policy is a kept one, or is trained first by the method itself.
 */
import { z } from 'zod';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { Replay, Saved } from '#contract/run/events.ts';
import type { GroupAsk, GroupEpisode, GroupStep, OneGroup } from '#contract/run/group.ts';
import { Rng } from '#math/rng.ts';
import type { GroupEpisodes } from '../algos/api/extension.ts';
import { field as stateGroups } from '../algos/extensions/gigpo/extension.ts';
import { addStateGroups, followingOf } from '../algos/extensions/gigpo/state-groups.ts';
import { groupsOf, groupWorlds, longestOf, sharedStates, stepAdvantages } from '../algos/language/group-worlds.ts';
import { worldNetwork } from '../algos/language/lib/world-network.ts';
import { config as worldSettings } from '../algos/language/lib/world-settings.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { createVectorEnv, type VectorEnv } from '../envs/api/vector-env.ts';
import { loadGroups } from '../state/params.ts';

/** Settings that a group is collected and compared with; others are left away. */
const settings = z.object({ ...worldSettings.shape, stateGroups });

/** What was trained last: another start asks for the same again. */
let trained: { readonly key: string; readonly saved: Saved } | null = null;

const streamsOf = (entry: EnvEntry, env: JsonObject, seed: number) => {
  let made = 0;
  return (batch: number, other?: JsonObject): VectorEnv => createVectorEnv(entry, other ?? env, batch, Rng.from(seed).split('env', made++));
};

/** What the method has learned with this config from a seed at its first safe point at or after `steps`; null for 0: nothing yet. */
async function learned(entry: EnvEntry, config: RunConfig, { seed, steps }: { readonly seed: number; readonly steps: number }) {
  if (steps === 0) return null;
  const key = canonicalJson([config.env, config.algo, seed, steps]);
  if (trained?.key === key) return trained.saved;
  const envConfig = config.env.config;
  const engines: Engine[] = [];
  const training = groupWorlds.train({
    ...{ config: groupWorlds.parse(config.algo.config), envEntry: entry, envConfig, meta: entry.meta(envConfig) },
    ...{ steps: Math.max(steps, config.run.steps), seed, rng: Rng.from(seed), makeEnv: streamsOf(entry, envConfig, seed) },
    async makeEngine() {
      const engine = await createEngine('wasm');
      engines.push(engine);
      return engine;
    },
  });
  try {
    for await (const progress of training) {
      if (progress.step < steps) continue;
      trained = { key, saved: await progress.snapshot() };
      return trained.saved;
    }
  } finally {
    for (const engine of engines) engine.dispose();
  }
  throw new Error('Training ended before the steps that were asked for.'); // its budget is at least as large
}

/** Whole numbers in place of keys, in the order in which rows meet them. */
function numbered({ longest, lengths, keys }: GroupEpisodes): Int32Array {
  const numbers = new Map<number, number>();
  const states = new Int32Array(keys.length);
  for (let row = 0; row < lengths.length; row++)
    for (let t = 0; t < lengths[row]!; t++) {
      const key = keys[row * longest + t]!;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      states[row * longest + t] = number;
    }
  return states;
}

/** What was decided while a group was played, by places as in GroupEpisodes. */
function watched(rows: number, longest: number, startOf: (row: number) => Uint8Array, lengths: () => Int32Array) {
  const entropy = new Float64Array(rows * longest);
  const branch: GroupStep['branch'][] = new Array(rows * longest).fill(null);
  const parents: GroupEpisode['parent'][] = new Array(rows).fill(null);
  const starts: (Uint8Array | null)[] = new Array(rows).fill(null);
  const at = (row: number): number => row * longest + lengths()[row]!;
  return {
    ...{ entropy, branch, parents, starts },
    watcher: {
      asked(row: number, open: number) {
        entropy[at(row)] = open;
        if (lengths()[row] === 0) starts[row] = startOf(row);
      },
      weighed(row: number, before: number, chance: number) {
        branch[at(row)] = { before, chance };
      },
      branched(parent: number, child: number) {
        const step = lengths()[parent]!;
        parents[child] = { row: parent, step };
        for (let t = 0; t <= step; t++) {
          entropy[child * longest + t] = entropy[parent * longest + t]!;
          branch[child * longest + t] = branch[parent * longest + t]!;
        }
      },
    },
  };
}

/** Plays one group. Throws LabError('incompatible') where the config or the policy is not of such a method. */
export async function playGroup(entry: EnvEntry, { config, policy, seed }: GroupAsk): Promise<OneGroup> {
  const kept = 'saved' in policy ? policy : null;
  if (config.algo.id !== groupWorlds.id || (kept !== null && kept.algo.id !== groupWorlds.id))
    throw fail('incompatible', 'Only a group policy gradient on worlds plays groups.', 'Choose one of its policies.', 'algo.id');
  const c = settings.parse(groupWorlds.parse(config.algo.config));
  const envConfig = config.env.config;
  const saved = 'saved' in policy ? policy.saved : await learned(entry, config, policy);
  const engine = await createEngine('wasm');
  try {
    const rng = Rng.from(seed);
    const env = streamsOf(entry, envConfig, seed)(c.group);
    const net = worldNetwork(engine, env.meta, c.hidden, ('saved' in policy ? rng : Rng.from(policy.seed)).split('init'));
    if (saved !== null) loadGroups(engine, { net: net.group }, saved);
    const longest = longestOf(c, env.meta);
    const seen = watched(
      c.group,
      longest,
      (row) => env.env.save(row),
      () => collector.last.lengths,
    );
    const { collector } = groupsOf(c, { engine, env, net, rng }, seen.watcher);
    env.reset();
    await collector.collect(longest, 0);
    const { last } = collector;
    const whole = stepAdvantages(last, c.group);
    const among = new Float64Array(whole.length);
    const gamma = c.stateGroups.kind === 'on' ? c.stateGroups.gamma : 1;
    addStateGroups(among, last, { group: c.group, weight: 1, gamma });
    const states = numbered(last);
    const world = { id: entry.id, version: entry.version, config: envConfig };
    const replayOf = (row: number, steps: readonly GroupStep[]): Replay | null => {
      const start = seen.starts[row] ?? null;
      if (start === null || c.branching.kind === 'on') return null;
      const [actions, reward] = [steps.map(({ action }) => action), steps.map((step) => step.reward)];
      return { env: world, seed, start, actions: Float32Array.from(actions), reward: Float32Array.from(reward), ended: 'cut' };
    };
    const episodes = Array.from(last.lengths, (length, row): GroupEpisode => {
      const following = followingOf(last, row, gamma);
      const steps = Array.from({ length }, (_, t): GroupStep => {
        const place = row * longest + t;
        return {
          ...{ state: states[place]!, action: last.actions[place]!, reward: last.rewards[place]! },
          ...{ entropy: seen.entropy[place]!, following: following[t]!, among: among[place]!, branch: seen.branch[place] ?? null },
        };
      });
      const advantage = whole[row * longest]!;
      return { steps, parent: seen.parents[row] ?? null, return: last.returns[row]!, advantage, replay: replayOf(row, steps) };
    });
    return { episodes, sharedStates: sharedStates(last, c.group), startEntropy: seen.entropy[0]! };
  } finally {
    engine.dispose();
  }
}
