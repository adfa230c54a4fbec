import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import type { ScriptedPolicy } from '../api/types.ts';
import { moItemGathering } from './mo-item-gathering.ts';

const STAY = 0;
const [UP, DOWN, LEFT, RIGHT] = [1, 2, 3, 4];

function world(config: object, batch = 1) {
  const env = moItemGathering.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i + 1),
    buffers,
  );
  return {
    env,
    buffers,
    step(...actions: number[]) {
      env.step(Int32Array.from(actions), buffers);
      return { reward: Array.from(buffers.reward), over: buffers.terminated[0], cut: buffers.truncated[0] };
    },
    agents: () => (env.meta.state.toJSON(env.save(0)) as { agents: number[] }).agents,
  };
}

/** Mean sum of all rewards over one batch of episodes. */
function mean(config: object, batch: number, policy: ScriptedPolicy | null): number {
  const { env, buffers } = world(config, batch);
  const actions = createActions(env.meta, batch);
  const rng = Rng.from(7);
  let sum = 0;
  const over = new Uint8Array(batch);
  const width = buffers.reward.length / batch;
  for (let t = 0; t < env.meta.maxSteps; t++) {
    if (policy === null) for (let i = 0; i < actions.length; i++) actions[i] = rng.int(5);
    else policy.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let i = 0; i < buffers.reward.length; i++) if (over[Math.floor(i / width)] === 0) sum += buffers.reward[i]!;
    for (let row = 0; row < batch; row++) if (buffers.terminated[row] === 1) over[row] = 1;
  }
  return sum / batch;
}

describe('item gathering', () => {
  it('pays the one who steps on an item, in its colour', () => {
    const w = world({ map: ['A1.', '.2A'] });
    expect(w.env.meta.rewards).toEqual(['red', 'green']);
    expect(w.step(RIGHT, LEFT)).toEqual({ reward: [1, 0, 0, 1], over: 1, cut: 0 });
  });

  it('shares it when told to, and sums with weights', () => {
    expect(world({ map: ['A1.', '..A'], sharedReward: true }).step(RIGHT, STAY).reward).toEqual([1, 1]);
    expect(world({ map: ['A1.', '.2A'], weights: [2, -3] }).step(RIGHT, LEFT).reward).toEqual([2, -3]);
  });

  it('an item is gone once taken, and the episode is cut at the limit', () => {
    const w = world({ map: ['A1.', '2..'], maxSteps: 3 });
    expect(w.step(RIGHT)).toEqual({ reward: [1, 0], over: 0, cut: 0 });
    expect(w.step(LEFT).reward).toEqual([0, 0]);
    expect(w.step(RIGHT)).toEqual({ reward: [0, 0], over: 0, cut: 1 });
  });

  it('moves off the field do nothing', () => {
    const w = world({ map: ['A.', '.1'] });
    w.step(UP);
    expect(w.agents()).toEqual([0]);
    w.step(LEFT);
    expect(w.agents()).toEqual([0]);
    w.step(DOWN);
    expect(w.agents()).toEqual([2]);
  });

  it('of two who want one cell either gets it, half the time', () => {
    let first = 0;
    const n = 4000;
    const { env, buffers } = world({ map: ['A.A', '1..'] }, n);
    env.step(
      Int32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? RIGHT : LEFT)),
      buffers,
    );
    for (let row = 0; row < n; row++) {
      const { agents } = env.meta.state.toJSON(env.save(row)) as { agents: number[] };
      expect([
        [1, 2],
        [0, 1],
      ]).toContainEqual(agents);
      if (agents[0] === 1) first++;
    }
    expect(Math.abs(first / n - 0.5)).toBeLessThan(0.04); // five standard errors
  });

  it('nobody can be pushed off a cell; swaps pass', () => {
    const w = world({ map: ['AA', '1.'] });
    w.step(RIGHT, STAY);
    expect(w.agents()).toEqual([0, 1]);
    w.step(RIGHT, LEFT);
    expect(w.agents()).toEqual([1, 0]);
  });

  it('a chain of claims ends with all agents apart', () => {
    const w = world({ map: ['AAA.', '1...'] });
    w.step(RIGHT, RIGHT, STAY); // the middle one goes back, so the first must too
    expect(w.agents()).toEqual([0, 1, 2]);
  });

  it('shuffling keeps the items of the inner field, and only those move', () => {
    const w = world({ shuffle: true }, 50);
    const seen = new Set<string>();
    for (let row = 0; row < 50; row++) {
      const { items } = w.env.meta.state.toJSON(w.env.save(row)) as { items: number[][] };
      seen.add(JSON.stringify(items));
      expect(
        items
          .flat()
          .filter((x) => x > 0)
          .sort(),
      ).toEqual([1, 1, 1, 2, 2, 2, 3, 3]);
      expect(items.filter((_, y) => y < 2 || y > 5).flat()).not.toContain(1);
      for (const line of items) expect([...line.slice(0, 2), ...line.slice(6)]).toEqual([0, 0, 0, 0]);
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  it('shows each agent itself, the others and the items', () => {
    const { buffers } = world({ map: ['A1', '.A'] });
    expect(Array.from(buffers.obs.subarray(0, 12))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    expect(Array.from(buffers.obs.subarray(12))).toEqual([0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
    expect(Array.from(buffers.state ?? [])).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  });

  it('says what it does not understand', () => {
    for (const map of [
      ['A.', '...'],
      ['..', '1.'],
      ['A.', '..'],
      ['AX', '1.'],
    ])
      expect(() => moItemGathering.meta({ map }), map.join()).toThrow(LabError);
    expect(() => moItemGathering.meta({ weights: [1] })).toThrow(LabError);
    const { env, buffers } = world({ map: ['A.', '1A'] });
    expect(() =>
      env.load(
        0,
        env.meta.state.fromJSON({
          agents: [0, 0],
          items: [
            [0, 0],
            [1, 0],
          ],
        }),
        buffers,
      ),
    ).toThrow(LabError);
  });

  it('random and greedy play reach what is stated', () => {
    const stated = (name: string) => moItemGathering.meta({}).references.find((r) => r.name === name)?.value as number;
    expect(Math.abs(mean({}, 8000, null) - stated('random'))).toBeLessThan(0.05);
    expect(mean({}, 20, moItemGathering.policies({}).greedy as ScriptedPolicy)).toBeCloseTo(stated('nearest item'), 9);
    expect(mean({ maxSteps: 30 }, 20, moItemGathering.policies({}).greedy as ScriptedPolicy)).toBe(8);
  });
});
