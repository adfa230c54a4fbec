/** Attacks cost more than noise of the same size, go the way of the gradient, and stay within their bounds. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../algos/api/types.ts';
import { pointingTeam, team } from '../testing/probes.ts';
import { tell } from '../testing/talk-probes.ts';
import { train } from '../testing/tell.ts';
import { attackedObs, attackTest } from './attack.ts';

/** The same policy, as one that cannot give a gradient. */
const opaque = (policy: Policy): Policy => ({
  initial: (rows) => policy.initial(rows),
  act: (query) => policy.act(query),
  dispose() {},
});

it('a misled team loses what it can lose, by either way to the gradient; noise costs less', async () => {
  const { policy } = await train(team, 'commnet', 8000, { channel: 'silent' });
  // the cue is -1 or 1: changes of 1.2 deviations turn it round, half of the random ones do
  const question = { eps: 1.2, steps: 1, episodes: 100 };
  const exact = await attackTest(policy, team, {}, question);
  expect(exact).toMatchObject({ clean: 1, attacked: 0, gradient: 'exact' });
  expect(exact.noise).toBeGreaterThan(0.25);
  expect(exact.noise).toBeLessThan(0.75);
  const measured = await attackTest(opaque(policy), team, {}, question);
  expect(measured).toMatchObject({ clean: 1, noise: exact.noise, attacked: 0, gradient: 'measured' });
  const weak = await attackTest(policy, team, {}, { eps: 0.1, steps: 4, episodes: 50 });
  expect(weak).toMatchObject({ attacked: 1, flipped: 0, halfWidth: 0 });
});

it('changes stay within the bound, and numbers that never change are left alone', async () => {
  const { policy } = await train(tell, 'hammer', 2000, {});
  const meta = tell.meta({});
  const obs = Float32Array.of(1, 0, -1, 0);
  const query = { obs, agent: Int32Array.of(0, 1, 0, 1), hidden: policy.initial(4), rng: Rng.from(1), rows: 4, greedy: true };
  const seen = await attackedObs(policy, query, meta, { eps: 0.3, steps: 8, sigma: Float64Array.of(1, 0) }, Rng.from(1));
  seen.forEach((value, i) => {
    expect(Math.abs(value - obs[i]!)).toBeLessThanOrEqual(i % 2 === 0 ? 0.3000001 : 0);
  });
  expect(Math.abs(seen[0]! - 1)).toBeGreaterThan(0.29);
});

it('of actions that are numbers it says how far they are moved, not that any rounding is another decision', async () => {
  /** The action is so much of the first number seen. */
  const scaled = (by: number): Policy => ({
    initial: () => new Float32Array(0),
    act({ obs, rows }) {
      const width = obs.length / rows;
      const mean = Float32Array.from(
        { length: rows * pointing.actionSize },
        (_, at) => by * obs[Math.floor(at / pointing.actionSize) * width]!,
      );
      return { actions: mean, hidden: new Float32Array(0), mean };
    },
    dispose() {},
  });
  const pointing = pointingTeam.meta({});
  const question = { eps: 0.5, steps: 1, episodes: 10 };
  const faint = await attackTest(scaled(1e-6), pointingTeam, {}, question);
  const strong = await attackTest(scaled(1), pointingTeam, {}, question);
  expect(faint.flipped).toBeGreaterThan(0);
  expect(faint.flipped).toBeLessThan(1e-5);
  expect(strong.flipped).toBeGreaterThan(1000 * faint.flipped);
  expect(strong).toMatchObject({ moved: true });
});

it('continuous actions are pushed away from where they were', async () => {
  const { policy } = await train(pointingTeam, 'commnet', 8000, {});
  const test = await attackTest(policy, pointingTeam, {}, { eps: 0.8, steps: 4, episodes: 50 });
  expect(test.attacked).toBeLessThan(test.noise);
  expect(test.noise).toBeLessThan(test.clean);
});

/** Three actions of one order: the last by itself, the middle as the first number says, the first as the second one does. */
const three: Policy = {
  initial: () => new Float32Array(0),
  act({ obs, rows }) {
    const logits = Float32Array.from({ length: 3 * rows }, (_, at) => {
      const row = Math.floor(at / 3);
      return [obs[2 * row + 1]!, 5 * obs[2 * row]!, 1][at % 3]!;
    });
    const best = (row: number): number => [0, 1, 2].reduce((a, b) => (logits[3 * row + b]! > logits[3 * row + a]! ? b : a));
    return { actions: Int32Array.from({ length: rows }, (_, row) => best(row)), hidden: new Float32Array(0), logits };
  },
  dispose() {},
};

it('an aim says what is done instead: anything else, the other side as a group, or the farthest', async () => {
  const meta = { agentCount: 1, obsSize: 2, actionCount: 3, actionSize: 1 };
  const query = {
    obs: Float32Array.of(0, 0),
    agent: Int32Array.of(0),
    hidden: new Float32Array(0),
    rng: Rng.from(1),
    rows: 1,
    greedy: true,
  };
  const found = async (aim: 'any other' | 'other side' | 'farthest') => {
    const obs = await attackedObs(three, query, meta, { eps: 1.2, steps: 1, sigma: Float64Array.of(1, 1), aim }, Rng.from(1));
    return { obs: Array.from(obs, (value) => Number(value.toFixed(3))), action: (await three.act({ ...query, obs })).actions[0] };
  };
  expect((await three.act(query)).actions[0]).toBe(2);
  expect(await found('any other')).toEqual({ obs: [1.2, 1.2], action: 1 });
  expect(await found('other side')).toEqual({ obs: [0, 1.2], action: 0 });
  expect(await found('farthest')).toEqual({ obs: [-1.2, 1.2], action: 0 });
});
