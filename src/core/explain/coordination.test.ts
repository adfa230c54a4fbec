/** Teams whose ties are known: independent agents tell nothing of each other, a follower follows, a message is heard. */
import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import type { Act, Policy } from '../algos/api/types.ts';
import { getEnv } from '../envs/all.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { playEpisode } from '../run/replay.ts';
import { type Actor, learnedActor } from './api/actors.ts';
import { coordinate } from './coordination.ts';
import { mutualInformation } from './lib/together.ts';

/** A policy made of a rule: logits of each row from its observation. */
function ruled(meta: EnvMeta, rule: (obs: Float32Array, agent: number) => readonly number[]): Policy {
  const { obsSize, actionCount } = meta;
  return {
    initial: () => new Float32Array(0),
    act: ({ obs, agent, rows }): Act => {
      const logits = new Float32Array(rows * actionCount);
      const actions = new Int32Array(rows);
      for (let row = 0; row < rows; row++) {
        const own = rule(obs.subarray(row * obsSize, (row + 1) * obsSize), agent[row]!);
        logits.set(own, row * actionCount);
        actions[row] = own.indexOf(Math.max(...own));
      }
      return { actions, hidden: new Float32Array(0), logits };
    },
    dispose() {},
  };
}

async function ask(id: string, rule: (obs: Float32Array, agent: number) => readonly number[]) {
  const entry = getEnv(id);
  const config = entry.parse({});
  const meta = entry.meta(config);
  const policy = ruled(meta, rule);
  const team = (batch: number, memory?: Float32Array): Actor => learnedActor(policy, meta, batch, false, Rng.from(0), memory);
  const replay = await playEpisode(policy, entry, config, { seed: 3, greedy: false });
  return coordinate({ entry, config, meta, team, replay, t: 5, seed: 1, question: { episodes: 24, frames: 6 } });
}

const still = [0, 0, 0, 0, 0];

test('agents that look at nobody influence nobody', async () => {
  const got = await ask('mpe-simple-spread', (_, agent) => still.map((x, a) => x + (a === agent ? 1 : 0)));
  expect(got.unit).toBe('nats');
  expect(got.influence.every((x) => Math.abs(x) < 1e-6)).toBe(true);
  // independent draws: nothing beyond what chance shows
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) expect(got.together[i * 3 + j]!).toBeLessThan(0.06);
  expect(got.agents).toHaveLength(3);
});

test('who watches the first agent is influenced by it, and by nobody else', async () => {
  // agent 1 sees agent 0 relative to itself (columns 10 and 11): it answers to where that one goes
  const got = await ask('mpe-simple-spread', (obs, agent) =>
    agent === 1 ? [0, -4 * obs[10]!, 4 * obs[10]!, -4 * obs[11]!, 4 * obs[11]!] : still,
  );
  const on = (i: number, j: number): number => got.meanInfluence[i * 3 + j]!;
  // small: it stands still, and what it might have done otherwise points all ways alike
  expect(on(0, 1)).toBeGreaterThan(1e-5);
  // agent 2 and the followed one look at nobody; a nudge in passing may still reach the follower
  expect(on(0, 2)).toBeLessThan(1e-6);
  expect(on(1, 0)).toBeLessThan(1e-6);
  expect(on(2, 1)).toBeLessThan(on(0, 1) / 10);
});

test('mutual information of codes', () => {
  const x = Int32Array.from({ length: 400 }, (_, t) => t % 2);
  expect(mutualInformation([x], [x], 2, 2)).toBeCloseTo(Math.log(2), 9);
  expect(mutualInformation([x], [x.map(() => 1)], 2, 2)).toBe(0);
  expect(mutualInformation([x], [x.map((_, t) => (t >> 1) % 2)], 2, 2)).toBeCloseTo(0, 9);
  expect(mutualInformation([Int32Array.of(-1)], [Int32Array.of(0)], 2, 2)).toBe(0);
});

test('a speaker that says one thing is not heard; one agent is not a team', async () => {
  const got = await ask('mpe-simple-speaker-listener', () => new Array(getEnv('mpe-simple-speaker-listener').meta({}).actionCount).fill(0));
  expect(got.messages.every(({ share }) => Math.abs(share.reduce((a, b) => a + b, 0) - 1) < 1e-9)).toBe(true);
  await expect(ask('mpe-simple', () => still)).rejects.toMatchObject({ failure: { field: 'agents' } });
});
