/** Values that are the shortest way have no wrong sign; values turned round have one everywhere but at the goal. */
import { expect, test } from 'vitest';
import type { Policy } from '../algos/api/types.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { quickPointMaze } from '../envs/mazes/quick-point-maze.ts';
import { ahead, mapped } from './goal-values.ts';

const standing = (config: object) => {
  const env = quickPointMaze.create(quickPointMaze.parse(config), 1);
  const buffers = createBuffers(env.meta, 1);
  env.reset(Uint32Array.of(3), buffers);
  return { env, buffers };
};

/** Values of each observation. */
const policyOf = (value: (obs: Float32Array, at: number) => number): Policy => ({
  initial: () => new Float32Array(0),
  act({ obs, rows }) {
    const width = obs.length / rows;
    return {
      actions: new Float32Array(2 * rows),
      hidden: new Float32Array(0),
      value: Float32Array.from({ length: rows }, (_, row) => value(obs, row * width)),
    };
  },
  dispose() {},
});

test('the shortest way as a value: no wrong sign; turned round: one at every place but the goal', async () => {
  const { env, buffers } = standing({ maze: 'medium' });
  const { lattice, obsSize } = env.meta;
  const near = await mapped(
    env,
    buffers.obs,
    policyOf((obs, at) => -env.goalDistance!(obs, at)),
    25,
  );
  expect(near.steps).toHaveLength(lattice!.columns * lattice!.lines);
  expect(near.wrong.every((one) => one === 0)).toBe(true);
  const places = near.steps.filter(Number.isFinite);
  // 27 of 64 cells are free, and the disc keeps 0.175 from their walls
  expect(places.length / near.steps.length).toBeGreaterThan(0.2);
  expect(places.length / near.steps.length).toBeLessThan(0.45);
  expect(near.steps[near.goal]).toBe(Math.min(...places));
  const back = await mapped(
    env,
    buffers.obs,
    policyOf((obs, at) => env.goalDistance!(obs, at)),
    25,
  );
  expect(back.wrong.reduce((sum, one) => sum + one, 0)).toBe(places.length - 1);
  // the place of the disc, to half a step of the lattice
  const [column, line] = [near.here % near.columns, Math.floor(near.here / near.columns)];
  const along = near.columns / 8;
  expect(Math.abs((column + 0.5) / along - buffers.obs[0]!)).toBeLessThan(0.2);
  expect(Math.abs((line + 0.5) / along - buffers.obs[1]!)).toBeLessThan(0.2);
  expect(obsSize).toBe(4);
  expect((await mapped(env, buffers.obs, null, 25)).values).toBeNull();
});

test('so many steps ahead, and not beyond the goal', async () => {
  const { env, buffers } = standing({ maze: 'u' });
  const { steps, goal, columns, lines } = await mapped(env, buffers.obs, null, 1);
  const farthest = steps.reduce((best, count, i) => (Number.isFinite(count) && !(count <= steps[best]!) ? i : best), goal);
  for (const way of [5, 25, 60]) {
    const to = ahead(steps, { columns, lines }, farthest, way);
    expect(steps[farthest]! - steps[to]!).toBeGreaterThanOrEqual(way);
    expect(steps[farthest]! - steps[to]!).toBeLessThan(way + 10); // a step of the lattice at most
  }
  expect(ahead(steps, { columns, lines }, farthest, 10_000)).toBe(goal);
});

test('in the plane of exact distances the ends of the U lie as far apart as the way is long, not as near as they stand', async () => {
  const { env, buffers } = standing({ maze: 'u' });
  const exact = policyOf((obs, at) => -env.goalDistance!(obs, at));
  const { steps, goal, columns, plane } = await mapped(env, buffers.obs, exact, 1, true);
  expect(plane!.held).toBeGreaterThan(0.7);
  const farthest = steps.reduce((best, count, i) => (Number.isFinite(count) && !(count <= steps[best]!) ? i : best), goal);
  const apart = Math.hypot(plane!.at[2 * goal]! - plane!.at[2 * farthest]!, plane!.at[2 * goal + 1]! - plane!.at[2 * farthest + 1]!);
  const straight = Math.hypot((goal % columns) - (farthest % columns), Math.floor(goal / columns) - Math.floor(farthest / columns));
  const step = (6 * 0.05) / 1; // of a steered disc, in points of the lattice
  expect(apart).toBeGreaterThan(0.7 * steps[farthest]!);
  expect(apart).toBeGreaterThan((1.2 * straight) / step);
  expect((await mapped(env, buffers.obs, exact, 1)).plane).toBeNull();
  expect((await mapped(env, buffers.obs, null, 1, true)).plane).toBeNull();
});
