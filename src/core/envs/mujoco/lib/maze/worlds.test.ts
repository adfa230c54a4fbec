/** What the golden files do not tell of the mazes: starts, own mazes, what is observed of a goal, experts. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '../../../api/buffers.ts';
import type { EnvEntry } from '../../../api/types.ts';
import { GYMNASIUM_MAPS, OGBENCH_MAPS, parseMaze } from '../../../lib/maze/maps.ts';
import { cellAt, gymnasiumPlaces, ogbenchPlaces, xOfCell, yOfCell } from '../../../lib/maze/places.ts';
import { antMaze } from '../../ant-maze.ts';
import { ogbenchAntMaze } from '../../ogbench-ant-maze.ts';
import { ogbenchPointMaze } from '../../ogbench-point-maze.ts';
import { pointMaze } from '../../point-maze.ts';
import { wallBlocks } from './model.ts';

const ALL = [pointMaze, antMaze, ogbenchPointMaze, ogbenchAntMaze];

beforeAll(async () => {
  for (const entry of ALL) await entry.prepare?.();
});

function begun(entry: EnvEntry, config: JsonObject, batch: number) {
  const env = entry.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => 900 + i),
    buffers,
  );
  const states = () =>
    Array.from(
      { length: batch },
      (_, row) => env.meta.state.toJSON(env.save(row)) as { readonly qpos: number[]; readonly fixed: number[]; readonly kept: number[] },
    );
  return { env, buffers, actions: createActions(env.meta, batch), states };
}

/** Share of episodes in which the policy reaches the goal. */
function success(entry: EnvEntry, config: JsonObject, policy: string, episodes: number): number {
  const { env, buffers, actions } = begun(entry, config, episodes);
  const over = new Uint8Array(episodes);
  const one = new Float64Array(1);
  let reached = 0;
  for (let t = 0; t < env.meta.maxSteps && over.includes(0); t++) {
    entry.policies(config)[policy]!.act(env, buffers, actions);
    env.step(actions, buffers);
    for (let row = 0; row < episodes; row++) {
      if (over[row] === 1 || (buffers.terminated[row] === 0 && buffers.truncated[row] === 0)) continue;
      over[row] = 1;
      env.measure?.(row, one, 0);
      reached += one[0]!;
    }
  }
  return reached / episodes;
}

describe('starts', () => {
  test.each([
    [pointMaze, 1],
    [antMaze, 4],
  ] as const)('goal and start lie up to a quarter of a side off the middle of a free cell, apart from each other', (entry, side) => {
    const maze = parseMaze(GYMNASIUM_MAPS['large-g']);
    const places = gymnasiumPlaces(maze, side);
    const seen = new Set<number>();
    for (const { qpos, fixed } of begun(entry, { map: 'large-g' }, 60).states())
      for (const [x, y, cells] of [
        [qpos[0]!, qpos[1]!, maze.starts],
        [fixed[0]!, fixed[1]!, maze.goals],
      ] as const) {
        const cell = cellAt(places, x, y);
        seen.add(cell);
        expect(cells).toContain(cell);
        expect(Math.abs(x - xOfCell(places, cell))).toBeLessThanOrEqual(side / 4);
        expect(Math.abs(y - yOfCell(places, cell))).toBeLessThanOrEqual(side / 4);
      }
    expect(seen.size).toBe(8); // the start and seven goals
  });

  test('OGBench: the tasks’ cells; with a single task the goal is the middle of its cell', () => {
    const places = ogbenchPlaces(parseMaze(OGBENCH_MAPS.medium));
    const goals = begun(ogbenchPointMaze, {}, 60)
      .states()
      .map(({ fixed }) => cellAt(places, fixed[0]!, fixed[1]!));
    expect(new Set(goals)).toEqual(new Set([6 * 8 + 6, 8 + 6, 4 * 8 + 2, 6 * 8 + 1, 8 + 1]));
    expect(begun(ogbenchPointMaze, { singleTask: true }, 1).states()[0]?.fixed).toEqual([20, 20]);
    const { qpos } = begun(ogbenchAntMaze, { task: 3 }, 1).states()[0]!;
    expect(Math.hypot(qpos[0]! - 8, qpos[1]! - 16)).toBeLessThan(1.5);
    expect(Math.abs(qpos[2]! - 0.75)).toBeLessThanOrEqual(0.1);
  });
});

describe('goals', () => {
  test('may be exchanged only where episodes go on at them, and nothing but place and goal is paid', () => {
    expect(pointMaze.meta({}).goals).toEqual({ size: 2, achieved: 0, desired: 4 });
    expect(antMaze.meta({}).goals).toEqual({ size: 2, achieved: 105, desired: 107 });
    expect(pointMaze.meta({ continuing: false }).goals).toBeUndefined();
    expect(ogbenchPointMaze.meta({}).goals).toBeUndefined();
    expect(ogbenchPointMaze.meta({ terminateAtGoal: false }).goals).toEqual({ size: 2, achieved: 0, desired: 2 });
    expect(ogbenchAntMaze.meta({ terminateAtGoal: false }).goals).toEqual({ size: 2, achieved: 0, desired: 29 });
    expect(ogbenchAntMaze.meta({ terminateAtGoal: false, singleTask: true }).goals).toBeUndefined(); // tested before the step
  });

  test('a new goal is observed one step after it is drawn', () => {
    const { env, buffers, actions, states } = begun(pointMaze, { resetTarget: true }, 1);
    let changed = 0;
    for (let t = 0; t < 300; t++) {
      const [before] = states();
      pointMaze.policies({}).expert!.act(env, buffers, actions);
      env.step(actions, buffers);
      const [after] = states();
      for (let i = 0; i < 2; i++) {
        expect(buffers.obs[4 + i]).toBe(Math.fround(before!.fixed[i]!));
        expect(after!.kept[i]).toBe(before!.fixed[i]);
      }
      if (after!.fixed[0] !== before!.fixed[0]) {
        changed++;
        expect(buffers.reward[0]).toBe(1);
      }
    }
    expect(changed).toBeGreaterThan(1);
  });
});

describe('players', () => {
  test('the way-point expert reaches every goal, with noise too; a way through doors and a spread goal may be missed', () => {
    for (const policy of ['expert', 'expert-noisy'])
      for (const map of ['u', 'large']) expect(success(pointMaze, { map }, policy, 20)).toBe(1);
    expect(success(ogbenchPointMaze, { singleTask: true }, 'expert', 4)).toBe(1);
    expect(success(ogbenchPointMaze, {}, 'expert-noisy', 8)).toBeGreaterThan(0.5);
  });

  test('a ball that is pushed at a wall stays inside of the maze', () => {
    const { env, buffers, actions } = begun(pointMaze, { map: 'open' }, 4);
    actions.set([1, 0, -1, 0, 0, 1, 0, -1]);
    for (let t = 0; t < 300; t++) {
      env.step(actions, buffers);
      for (let row = 0; row < 4; row++) {
        expect(Math.abs(buffers.obs[row * 6]!)).toBeLessThan(2.5);
        expect(Math.abs(buffers.obs[row * 6 + 1]!)).toBeLessThan(1.5);
      }
    }
  });
});

describe('a maze of one’s own', () => {
  const rows = ['#######', '#r....#', '#.###g#', '#######'];

  test('is played, and has its own walls in the picture', () => {
    const maze = parseMaze(rows);
    const covered = wallBlocks(maze).reduce((sum, [, , high, wide]) => sum + high * wide, 0);
    expect(covered).toBe(maze.walls.reduce((sum, wall) => sum + wall, 0));
    expect(success(pointMaze, { ownMap: rows }, 'expert', 8)).toBe(1);
    expect(pointMaze.meta({ ownMap: rows, maxSteps: 40 }).maxSteps).toBe(40);
  });

  test('of 40 x 40 cells fits into the memory of a model', () => {
    const wide = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 40 }, (__, j) => (i % 39 === 0 || j % 39 === 0 || (i % 2 === 0 && j % 2 === 0) ? '#' : '.')).join(''),
    );
    for (const entry of [pointMaze, antMaze]) {
      const { env, buffers, actions } = begun(entry, { ownMap: wide }, 1);
      for (let t = 0; t < 5; t++) env.step(actions, buffers);
      expect(Number.isFinite(buffers.obs[0])).toBe(true);
    }
  });

  test('that cannot be played names its field', () => {
    expect(() => pointMaze.meta({ ownMap: ['###', '#c#', '###'] })).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ field: 'env.ownMap' }) }),
    );
  });
});
