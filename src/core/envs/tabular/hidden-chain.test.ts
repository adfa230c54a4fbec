/** The rules of the hidden chain, by scripted draws and by counting. */
import { describe, expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { hiddenChain } from './hidden-chain.ts';

/** Plays `actions` with these draws; [place, symbol, reward, over] after each. */
function play(config: object, uniforms: readonly number[], actions: readonly number[]) {
  const queue = [...uniforms];
  const env = hiddenChain.create({ tasks: 1, ...config }, 1, { draws: { uniform: () => queue.shift(), int: () => undefined } });
  const buffers = createBuffers(env.meta, 1);
  const action = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  return actions.map((a) => {
    action[0] = a;
    env.step(action, buffers);
    return [env.extras?.(0).place, buffers.obs.indexOf(1), buffers.reward[0], buffers.terminated[0]];
  });
}

/** The symbols of places seen clearly, by task: what best play meets on its way up. */
function code(config: object): string[] {
  const full = { clarity: 1, slip: 0, ...config };
  const tasks = hiddenChain.parse(full).tasks as number;
  const env = hiddenChain.create(full, 64);
  const buffers = createBuffers(env.meta, 64);
  const actions = createActions(env.meta, 64);
  env.reset(
    Uint32Array.from({ length: 64 }, (_, i) => i),
    buffers,
  );
  const seen = Array.from({ length: tasks }, () => new Map<number, number>());
  for (let t = 0; t < 4; t++) {
    for (let row = 0; row < 64; row++) {
      const { place, task } = env.meta.state.toJSON(env.save(row)) as { place: number; task: number };
      seen[task]!.set(place, buffers.obs.subarray(row * 4 * tasks, (row + 1) * 4 * tasks).indexOf(1) % 4);
    }
    hiddenChain.policies(full).knowing?.act(env, buffers, actions);
    env.step(actions, buffers);
  }
  return seen.map((places) => [0, 1, 2, 3].map((place) => places.get(place)).join(''));
}

describe('one chain of three places', () => {
  const config = { places: 3, symbols: 3, clarity: 1, slip: 0.5, maxSteps: 4 };
  // draws: clear at the start, then of every step whether it slips and whether it is clear
  it('goes up by one action and down by the other, stays where it slips, and ends by the clock', () => {
    const ways = [0, 1].map((a) => play(config, [0, 0.9, 0, 0.1, 0, 0.1, 0, 0.1, 0], [a, 0, 0, 0]));
    // one of the two goes up from the lowest place, the other stays there
    expect(ways.map((way) => way[0]![0]).sort()).toEqual([0, 1]);
    for (const way of ways) {
      expect(new Set(way.slice(0, 4).map(([place]) => place)).size).toBe(1); // the other three steps slip
      expect(way.map(([, , , over]) => over)).toEqual([0, 0, 0, 1]);
    }
  });

  it('pays in the highest place only', () => {
    const env = hiddenChain.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const action = createActions(env.meta, 1);
    for (const place of [0, 1, 2]) {
      env.load(0, env.meta.state.fromJSON({ task: 0, place, symbol: 0, steps: 0 }), buffers);
      hiddenChain.policies(config).knowing?.act(env, buffers, action);
      env.step(action, buffers);
      const now = env.extras?.(0).place as number;
      expect(buffers.reward[0]).toBe(now === 2 ? 1 : 0);
    }
  });
});

it('best play of one who sees the place gets the stated return, and random play its own', () => {
  const rows = 2000;
  const rng = Rng.from(8);
  const stated = (name: string) => hiddenChain.meta({}).references.find((found) => found.name === name)!.value;
  for (const [name, knows] of [
    ['place seen', true],
    ['random', false],
  ] as const) {
    const env = hiddenChain.create({}, rows);
    const buffers = createBuffers(env.meta, rows);
    const actions = createActions(env.meta, rows);
    env.reset(
      Uint32Array.from({ length: rows }, (_, i) => i),
      buffers,
    );
    const returns = new Float64Array(rows);
    for (let t = 0; t < 20; t++) {
      if (knows) hiddenChain.policies({}).knowing?.act(env, buffers, actions);
      else for (let row = 0; row < rows; row++) actions[row] = rng.int(2);
      env.step(actions, buffers);
      buffers.reward.forEach((reward, row) => {
        returns[row]! += reward;
      });
    }
    const mean = returns.reduce((a, b) => a + b, 0) / rows;
    const spread = Math.sqrt(returns.reduce((a, b) => a + (b - mean) ** 2, 0)) / rows;
    expect(Math.abs(mean - stated(name)), name).toBeLessThan(5 * spread);
  }
});

it('a place shows its own symbol with chance clarity and the rest evenly', () => {
  const env = hiddenChain.create({ tasks: 1, clarity: 0.6 }, 4000);
  const buffers = createBuffers(env.meta, 4000);
  env.reset(
    Uint32Array.from({ length: 4000 }, (_, i) => i),
    buffers,
  );
  const counts = [0, 0, 0, 0];
  for (let row = 0; row < 4000; row++) counts[buffers.obs.subarray(4 * row, 4 * row + 4).indexOf(1)]!++;
  counts.sort((a, b) => b - a);
  [0.7, 0.1, 0.1, 0.1].forEach((share, k) => {
    expect(Math.abs(counts[k]! / 4000 - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / 4000));
  });
});

it('tasks share their symbols, or have a code of their own', () => {
  expect(new Set(code({})).size).toBe(1);
  expect(new Set(code({ shared: false })).size).toBeGreaterThan(1);
});
