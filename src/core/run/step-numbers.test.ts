/** The numbers of a step against what the policy itself says frame by frame. */
import { expect, test } from 'vitest';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { getAlgo } from '../algos/all.ts';
import { getEnv } from '../envs/all.ts';
import { trained } from '../testing/trained.ts';
import { buildPolicy } from './loaded.ts';
import { playEpisode, ReplayReader } from './replay.ts';
import { stepNumbers } from './step-numbers.ts';

async function played(algo: string, env: string, config: PolicySnapshot['algo']['config'] = {}) {
  const [entry, world] = [getAlgo(algo), getEnv(env)];
  const { snapshot } = await trained({ algo: entry, env: world, config, steps: 128 });
  const built = await buildPolicy({
    kind: 'policy',
    version: 1,
    env: { id: env, version: world.version, config: world.parse({}) },
    algo: { id: algo, version: entry.version, config: entry.parse(config) },
    seed: 1,
    step: 128,
    executor: 'wasm',
    saved: snapshot,
  });
  const replay = await playEpisode(built.policy, world, world.parse({}), { seed: 7, greedy: true });
  return { ...built, replay, config: entry.parse(config), reader: new ReplayReader(replay, world) };
}

test('TD error, advantage, return, entropy and log-probability of PPO on CartPole', async () => {
  const { policy, replay, reader, config, free } = await played('ppo', 'cartpole', { envs: 4, rolloutSteps: 32, gamma: 0.9, lambda: 0.8 });
  const steps = replay.reward.length;
  const values: number[] = [];
  let logits = new Float32Array(2);
  for (let t = 0; t < steps; t++) {
    reader.seek(t);
    const query = {
      obs: reader.buffers.obs.slice(),
      agent: new Int32Array(1),
      hidden: new Float32Array(0),
      rng: Rng.from(1),
      rows: 1,
      greedy: true,
    };
    const act = await policy.act(query);
    values.push(act.value![0]!);
    if (t === 2) logits = act.logits!.slice();
  }
  expect(replay.ended).toBe('terminated');
  const found = await stepNumbers({ policy, config, reader, t: 2, agent: 0, old: policy });
  const rest = steps - 2;
  const advantages = new Float64Array(rest);
  const terminated = new Uint8Array(rest);
  terminated[rest - 1] = 1;
  const rewards = Float64Array.from(replay.reward.subarray(2));
  const input = {
    rewards,
    values: Float64Array.from(values.slice(2)),
    terminated,
    truncated: new Uint8Array(rest),
    finalValues: new Float64Array(rest),
    lastValues: new Float64Array(1),
  };
  gae({ ...input, rows: 1, gamma: 0.9, lambda: 0.8, bootstrapAtTruncation: true }, advantages, new Float64Array(rest));
  const p = [...logits].map((z) => Math.exp(z) / [...logits].reduce((sum, x) => sum + Math.exp(x), 0));
  expect(found).toMatchObject({ t: 2, gamma: 0.9, lambda: 0.8, assumed: [], reward: 1, kind: 'V', ended: '' });
  expect(found.tdError).toBeCloseTo(1 + 0.9 * values[3]! - values[2]!, 6);
  expect(found.advantage).toBeCloseTo(advantages[0]!, 6);
  expect(found.target).toBeCloseTo(advantages[0]! + values[2]!, 6);
  expect(found.discounted).toBeCloseTo((1 - 0.9 ** rest) / 0.1, 6);
  expect(found.entropy).toBeCloseTo(-p.reduce((sum, x) => sum + x * Math.log(x), 0), 6);
  expect(found.logProb).toBeCloseTo(Math.log(p[replay.actions[2]!]!), 6);
  expect([found.ratio, found.kl]).toEqual([1, 0]); // against itself

  // nothing is expected after the end, and nothing follows it
  const last = await stepNumbers({ policy, config, reader, t: steps - 1, agent: 0, old: null });
  expect(last).toMatchObject({ nextValue: 0, ended: 'terminated', ratio: null });
  expect(last.tdError).toBeCloseTo(1 - values[steps - 1]!, 6);
  const over = await stepNumbers({ policy, config, reader, t: steps, agent: 0, old: null });
  expect(over).toMatchObject({ reward: null, tdError: null, advantage: null, discounted: 0 });
  free();
});

test('with action values the TD error is that of the action taken', async () => {
  const { policy, replay, reader, config, free } = await played('q-learning', 'cliff-walking');
  const q: Float32Array[] = [];
  for (let t = 0; t < 2; t++) {
    reader.seek(t);
    const query = {
      obs: reader.buffers.obs.slice(),
      agent: new Int32Array(1),
      hidden: new Float32Array(0),
      rng: Rng.from(1),
      rows: 1,
      greedy: true,
    };
    q.push((await policy.act(query)).q!.slice());
  }
  const found = await stepNumbers({ policy, config, reader, t: 0, agent: 0, old: null });
  expect(found.kind).toBe('Q');
  const expected = replay.reward[0]! + found.gamma * Math.max(...q[1]!) - q[0]![replay.actions[0]!]!;
  expect(found.tdError).toBeCloseTo(expected, 6);
  expect([found.advantage, found.entropy]).toEqual([null, null]);
  free();
});
