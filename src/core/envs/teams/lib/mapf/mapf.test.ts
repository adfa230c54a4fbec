import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Rng } from '#math/rng.ts';
import { lifelongMapf } from '../../lifelong-mapf.ts';
import { drawMaze, label } from './maps.ts';
import { type CollisionSystem, resolve } from './moves.ts';

/** Agents in a row of cells. */
function line(length: number, at: readonly number[], wants: readonly number[], system: CollisionSystem): number[] {
  const stands = new Int32Array(length);
  at.forEach((cell, i) => {
    if (cell >= 0) stands[cell] = i + 1;
  });
  const crowd = { at: Int32Array.from(at), wants: Int32Array.from(wants), stands, claims: new Int32Array(length) };
  resolve(crowd, system);
  expect(Array.from(crowd.claims)).toEqual(new Array(length).fill(0));
  Array.from(crowd.at).forEach((cell, i) => {
    if (cell >= 0) expect(stands[cell]).toBe(i + 1);
  });
  return Array.from(crowd.at);
}

describe('collisions', () => {
  it('soft: a line follows its head, and stops as a whole when the head must stop', () => {
    expect(line(6, [0, 1, 2], [1, 2, 3], 'soft')).toEqual([1, 2, 3]);
    expect(line(6, [0, 1, 2, 3], [1, 2, 3, 3], 'soft')).toEqual([0, 1, 2, 3]);
  });

  it('soft: nobody swaps', () => {
    expect(line(4, [1, 2], [2, 1], 'soft')).toEqual([1, 2]);
  });

  it('soft: those who left are in nobody’s way', () => {
    expect(line(4, [-1, 2], [2, 1], 'soft')).toEqual([-1, 1]);
  });

  it('block_both: nobody follows, and of two who want a cell none gets it', () => {
    expect(line(6, [0, 1], [1, 2], 'block_both')).toEqual([0, 2]);
    expect(line(6, [0, 2], [1, 1], 'block_both')).toEqual([0, 2]);
  });

  it('priority: the lower index goes first', () => {
    expect(line(6, [0, 2], [1, 1], 'priority')).toEqual([1, 2]);
    expect(line(6, [1, 0], [2, 1], 'priority')).toEqual([2, 1]);
    expect(line(6, [0, 1], [1, 2], 'priority')).toEqual([0, 2]);
  });
});

describe('maps', () => {
  it('mazes are of one piece', () => {
    for (let seed = 0; seed < 20; seed++) {
      const rng = Rng.from(seed);
      const size = 8 + (seed % 5);
      const map = new Uint32Array(size * size);
      drawMaze(size, (n) => rng.int(n), map, 0, new Int32Array(size * size));
      const free = map.filter((x) => x === 0).length;
      expect(free).toBeGreaterThan(size);
      expect(label(size, size, map, 0, new Int32Array(size * size), 0, new Int32Array(size * size)).size).toBe(free);
    }
  });

  it('are drawn anew for every episode, with the density asked for', () => {
    const env = lifelongMapf.create({ size: 32, density: 0.2 }, 4);
    const buffers = createBuffers(env.meta, 4);
    env.reset(Uint32Array.of(1, 2, 3, 4), buffers);
    const maps = [0, 1, 2, 3].map((row) => JSON.stringify(env.meta.state.toJSON(env.save(row)).obstacles));
    expect(new Set(maps).size).toBe(4);
    // 4096 cells: standard error 0.006
    expect(Math.abs(maps.join('').split('1').length / 4096 - 0.2)).toBeLessThan(0.03);
  });

  it('says so when the agents do not fit', () => {
    const env = lifelongMapf.create({ map: ['..', '.#'], agents: 3 }, 1);
    expect(() => env.reset(Uint32Array.of(1), createBuffers(env.meta, 1))).toThrow(/no room for 3 agents/);
  });
});

it.each(['priority', 'block_both', 'soft'] as const)('%s: 64 agents never share a cell or enter a wall', (collisionSystem) => {
  const config = { size: 16, density: 0.2, agents: 64, collisionSystem, maxSteps: 200 };
  const env = lifelongMapf.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const rng = Rng.from(5);
  env.reset(Uint32Array.of(3), buffers);
  let paid = 0;
  for (let t = 0; t < 150; t++) {
    for (let i = 0; i < 64; i++) actions[i] = rng.int(5);
    env.step(actions, buffers);
    for (const r of buffers.reward) paid += r;
    const json = env.meta.state.toJSON(env.save(0)) as { agents: number[][]; obstacles: number[][]; arrivals: number };
    expect(new Set(json.agents.map(String)).size).toBe(64);
    expect(json.agents.every(([y = 0, x = 0]) => json.obstacles[y]?.[x] === 0)).toBe(true);
    expect(json.arrivals).toBe(paid);
  }
  expect(paid).toBeGreaterThan(0);
});
