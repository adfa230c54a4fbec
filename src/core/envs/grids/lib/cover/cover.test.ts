import { describe, expect, it, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import { coverage } from '../../coverage.ts';
import { moved } from './greedy.ts';
import { TASKS, worthOf } from './worth.ts';

const BASE = { size: 4, radius: 1, kinds: 3, mapSeed: 5 };

describe.each(TASKS)('%s', (task) => {
  const worth = worthOf({ ...BASE, task });
  const n = 16;
  const rng = Rng.from(7);
  const some = (chance: number) => Uint32Array.from({ length: n }, () => (rng.uniform() < chance ? 1 : 0));
  const and = (set: Uint32Array, cell: number) => Uint32Array.from(set, (one, i) => (i === cell ? 1 : one));
  const gain = (set: Uint32Array, cell: number) => worth.of(and(set, cell), 0) - worth.of(set, 0);

  it('never takes anything away, and adds the less the more was visited', () => {
    let less = 0;
    for (let k = 0; k < 400; k++) {
      const small = some(0.3);
      const large = small.map((one) => (one === 1 || rng.uniform() < 0.4 ? 1 : 0));
      const cell = rng.int(n);
      if (large[cell] === 1) continue;
      expect(gain(large, cell)).toBeGreaterThan(-1e-12);
      expect(gain(large, cell)).toBeLessThan(gain(small, cell) + 1e-12);
      if (gain(large, cell) < gain(small, cell) - 1e-9) less++;
    }
    expect(less).toBeGreaterThan(20);
  });

  it('is 0 for no cell, its own worth for one, all for all', () => {
    expect(worth.of(new Uint32Array(n), 0)).toBe(0);
    for (let cell = 0; cell < n; cell++) expect(worth.of(and(new Uint32Array(n), cell), 0)).toBe(worth.alone[cell]);
    expect(worth.of(new Uint32Array(n).fill(1), 0)).toBe(worth.all);
  });

  it('greedy play covers at least 1 - 1/e of the best walk, by brute force, and more than a drawn one', () => {
    const config = { ...BASE, task, maxSteps: 7 };
    const env = coverage.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const visited = new Uint32Array(n);
    const brute = (cell: number, left: number): number => {
      const before = visited[cell]!;
      visited[cell] = 1;
      let best = left === 0 ? worth.of(visited, 0) : 0;
      for (let action = 0; left > 0 && action < 4; action++) best = Math.max(best, brute(moved(4, cell, action), left - 1));
      visited[cell] = before;
      return best;
    };
    const out = new Float64Array(1);
    let [greedy, drawn, best] = [0, 0, 0];
    for (let seed = 0; seed < 5; seed++)
      for (const script of [true, false]) {
        env.reset(Uint32Array.of(seed), buffers);
        if (script) best += brute(env.cellOf?.(0) ?? 0, 7) / worth.all;
        for (let t = 0; t < 7; t++) {
          if (script) coverage.policies(config).greedy?.act(env, buffers, actions);
          else actions[0] = rng.int(5);
          env.step(actions, buffers);
        }
        env.measure?.(0, out, 0);
        if (script) greedy += out[0]!;
        else drawn += out[0]!;
      }
    expect(greedy / best).toBeGreaterThan(1 - 1 / Math.E);
    expect(greedy / best).toBeLessThanOrEqual(1 + 1e-9);
    expect(greedy).toBeGreaterThan(drawn);
  });
});

test('what tells of a random field is half the log of the determinant: two cells by hand', () => {
  const { of, ground } = worthOf({ ...BASE, task: 'sense' });
  const two = new Uint32Array(16);
  two[0] = two[1] = 1;
  const [a, b] = [ground[0]! ** 2 / 0.25, ground[1]! ** 2 / 0.25];
  const across = (ground[0]! * ground[1]! * Math.exp(-1 / 4.5)) / 0.25;
  expect(of(two, 0)).toBeCloseTo(Math.log((1 + a) * (1 + b) - across * across) / 2, 9);
});

test('a return of gains is what was covered beyond the start; alone pays the same cell again and again', () => {
  for (const task of TASKS) {
    const paid = (pays: string, walk: readonly number[]) => {
      const env = coverage.create({ ...BASE, task, pays }, 1);
      const buffers = createBuffers(env.meta, 1);
      const out = new Float64Array(1);
      env.reset(Uint32Array.of(3), buffers);
      env.measure?.(0, out, 0);
      const before = out[0]!;
      let sum = 0;
      for (const action of walk) {
        env.step(Int32Array.of(action), buffers);
        sum += buffers.reward[0]!;
      }
      env.measure?.(0, out, 0);
      return { sum, covered: out[0]! - before };
    };
    const gains = paid('gain', [0, 1, 2, 2, 3, 3, 4, 4]);
    expect(gains.sum).toBeCloseTo(gains.covered, 6);
    const still = paid('alone', [4, 4, 4, 4]);
    expect(still.covered).toBe(0);
    const { all, alone } = worthOf({ ...BASE, task });
    const env = coverage.create({ ...BASE, task }, 1);
    env.reset(Uint32Array.of(3), createBuffers(env.meta, 1));
    expect(still.sum).toBeCloseTo((4 * alone[env.cellOf?.(0) ?? 0]!) / all, 6);
  }
});

test('a saved row goes on with the same bits: what is visited tells all', () => {
  const env = coverage.create({ task: 'sense' }, 2);
  const buffers = createBuffers(env.meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  for (const action of [0, 1, 1, 2, 3]) env.step(Int32Array.of(action, action), buffers);
  env.load(1, env.save(0), buffers);
  for (const action of [2, 2, 1, 0, 3, 3]) {
    env.step(Int32Array.of(action, action), buffers);
    expect(buffers.reward[1]).toBe(buffers.reward[0]);
  }
});
