/** Goal sequence: its rules step by step, who is seen when, and what the script that knows the order earns. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '../../../all.ts';
import { createBuffers } from '../../../api/buffers.ts';
import { hiddenOrder } from '../../goal-sequence.ts';

const entry = getEnv('goal-sequence');
const room = { task: 'goals', goals: 3, length: 6 };

function begin(config: JsonObject, rows = 1) {
  const settings = entry.parse(config);
  const env = entry.create(settings, rows);
  const buffers = createBuffers(env.meta, rows);
  env.reset(
    Uint32Array.from({ length: rows }, (_, i) => i + 1),
    buffers,
  );
  const set = (change: JsonObject): void => {
    const state = { ...(env.meta.state.toJSON(env.save(0)) as JsonObject), ...change };
    env.load(0, env.meta.state.fromJSON(state), buffers);
  };
  const step = (...actions: number[]) => {
    env.step(Int32Array.from(actions), buffers);
    return { paid: [...buffers.reward], over: [buffers.terminated[0], buffers.truncated[0]], obs: [...buffers.obs] };
  };
  return { env, settings, buffers, set, step };
}

/** Sum of what each seat was paid until the learner's episode ended, means over rows. */
function oracle(config: JsonObject, rows: number): readonly number[] {
  const { env, settings, buffers } = begin(config, rows);
  const script = entry.policies(settings).oracle!;
  const { agentCount } = env.meta;
  const sums = new Float64Array(agentCount);
  const over = new Uint8Array(rows);
  const actions = new Int32Array(rows * agentCount);
  for (let t = 0; t < env.meta.evalMaxSteps && over.includes(0); t++) {
    script.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < rows; row++) {
      if (over[row] === 1) continue;
      for (let a = 0; a < agentCount; a++) sums[a]! += buffers.reward[row * agentCount + a]! / rows;
      over[row] = buffers.terminated[row]! | buffers.truncated[row]!;
    }
  }
  return [...sums];
}

describe('a goal sequence', () => {
  it('has one hidden order by number, no goal twice in a row', () => {
    for (const order of [1, 2, 3]) {
      const goals = hiddenOrder({ goals: 3, length: 48, order })!;
      expect(goals).toEqual(hiddenOrder({ goals: 3, length: 48, order }));
      expect(new Set(goals)).toEqual(new Set([0, 1, 2]));
      expect(goals.some((goal, i) => goal === goals[i - 1])).toBe(false);
    }
    expect(hiddenOrder({ goals: 3, length: 48, order: 1 })).not.toEqual(hiddenOrder({ goals: 3, length: 48, order: 2 }));
    expect(hiddenOrder({ goals: 3, length: 6, order: 0 })).toBeNull();
  });

  it('pays 1 for the goal that comes next and charges for another, in a room', () => {
    const { set, step, env } = begin({ task: 'goals', predecessor: false, size: 3, goals: 2, length: 2, penalty: 0.5 });
    // goals left and right of the middle, which is where one stands; the left one is first
    const place = { goals: [3, 5], order: [0, 1], at: [4, 0], met: [0, 0] };
    set(place);
    expect(step(1)).toMatchObject({ paid: [-0.5], over: [0, 0] }); // the wrong one
    expect(step(1)).toMatchObject({ paid: [0], over: [0, 0] }); // the wall: one stays, and enters nothing
    expect(step(3).paid).toEqual([0]);
    expect(step(3)).toMatchObject({ paid: [1], over: [0, 0] });
    step(1);
    expect(step(1)).toMatchObject({ paid: [1], over: [1, 0] });
    set({ ...place, steps: env.meta.maxSteps - 1 });
    expect(step(0)).toMatchObject({ paid: [0], over: [0, 1] });
  });

  it('ends with a wrong choice, and with the whole order, where there is no room', () => {
    const { set, step } = begin({ task: 'memory', predecessor: false, goals: 3, length: 2 });
    set({ order: [2, 0] });
    expect(step(2)).toMatchObject({ paid: [1], over: [0, 0] });
    expect(step(0)).toMatchObject({ paid: [1], over: [1, 0] });
    const wrong = begin({ task: 'memory', predecessor: false, goals: 3, length: 2 });
    wrong.set({ order: [2, 0] });
    expect(wrong.step(1)).toMatchObject({ paid: [-1], over: [1, 0] });
  });

  it('lets the predecessor choose first where it is seen, and shows that choice before the own one', () => {
    const { set, step, buffers } = begin({ task: 'memory', goals: 3, length: 3 });
    set({ order: [2, 0, 1] });
    expect([...buffers.obs].slice(4, 8)).toEqual([0, 0, 0, 1]); // it stands on no goal yet, and is seen
    const first = step(0, 2); // the learner's choice does not count
    expect(first.paid).toEqual([0, 1]);
    expect(first.obs.slice(4, 8)).toEqual([0, 0, 1, 1]);
    expect(first.obs.slice(8 + 4)).toEqual([0, 0, 0, 0]); // the predecessor sees nobody
    const second = step(2, 1); // the learner copies, the predecessor errs
    expect(second.paid).toEqual([1, -1]);
    expect(second.obs.slice(4, 8)).toEqual([0, 1, 0, 1]); // its wrong choice is seen
    const third = step(0, 0);
    expect(third.paid).toEqual([1, 0]);
    expect(third.obs.slice(4, 8)).toEqual([0, 0, 0, 0]); // it is out
    expect(step(1, 0)).toMatchObject({ paid: [1, 0], over: [1, 0] });
  });

  it('begins both at once where the predecessor is not seen at the start', () => {
    const { set, step } = begin({ task: 'memory', goals: 3, length: 2, visible: 0 });
    set({ order: [2, 0] });
    expect(step(2, 1)).toMatchObject({ paid: [1, -1], over: [0, 0] });
    expect(step(0, 0)).toMatchObject({ paid: [1, 0], over: [1, 0] });
  });

  it('shows the predecessor as often as the setting says, changed while it plays', () => {
    const rows = 400;
    const { env, settings, buffers } = begin({ ...room, visible: 0.25 }, rows);
    const width = env.meta.obsSize;
    const share = (): number => {
      env.step(new Int32Array(2 * rows), buffers);
      let seen = 0;
      for (let row = 0; row < rows; row++) seen += buffers.obs[2 * row * width + 7]! / rows;
      return seen;
    };
    expect(Math.abs(share() - 0.25)).toBeLessThan(0.09); // four deviations
    env.configure?.({ ...settings, visible: 0 });
    expect(share()).toBe(0);
    env.configure?.({ ...settings, visible: 1 });
    expect(share()).toBeCloseTo(1, 9);
  });

  it('without a second seat is the same world: nobody is seen, and the learner sees the same', () => {
    const [two, one] = [begin({ ...room, visible: 0 }, 8), begin({ ...room, predecessor: false }, 8)];
    expect(two.env.meta.obsSize).toBe(one.env.meta.obsSize);
    for (let t = 0; t < 30; t++) {
      const width = one.env.meta.obsSize;
      for (let row = 0; row < 8; row++)
        expect([...two.buffers.obs.subarray(2 * row * width, (2 * row + 1) * width)]).toEqual([
          ...one.buffers.obs.subarray(row * width, (row + 1) * width),
        ]);
      two.env.step(
        Int32Array.from({ length: 16 }, (_, i) => (t + (i >> 1)) % 4),
        two.buffers,
      );
      one.env.step(
        Int32Array.from({ length: 8 }, (_, row) => (t + row) % 4),
        one.buffers,
      );
    }
  });

  it('is met whole by who knows the order: always by choice, and in a room unless a goal is in the way', () => {
    expect(oracle({ task: 'memory', goals: 6, length: 24 }, 16)).toEqual([24, 24]);
    expect(oracle({ task: 'memory', goals: 10, length: 12, order: 0, visible: 0 }, 16)).toEqual([12, 12]);
    expect(oracle(room, 200)[0]).toBeGreaterThan(5.6);
    expect(oracle({ ...room, order: 0, predecessor: false }, 200)[0]).toBeGreaterThan(5.6);
  });
});
