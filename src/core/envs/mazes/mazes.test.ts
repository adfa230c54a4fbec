/** The quick point maze: its walls and shortest ways against brute force, its motion against the references' recorded trajectories. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '#core/envs/all.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { GYMNASIUM_MAPS, type MazeRows, OGBENCH_MAPS } from '../lib/maze/maps.ts';
import { ShortestWays } from './lib/shortest.ts';
import { createWalls } from './lib/walls.ts';

const entry = getEnv('quick-point-maze');

/** Distance from a place to the nearest wall, by looking at every wall of the map. */
function nearestWall(rows: MazeRows, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  rows.forEach((row, i) => {
    for (let j = 0; j < row.length; j++) {
      if (row[j] !== '#') continue;
      const bottom = rows.length - 1 - i;
      const dx = x - Math.min(j + 1, Math.max(j, x));
      const dy = y - Math.min(bottom + 1, Math.max(bottom, y));
      least = Math.min(least, Math.hypot(dx, dy));
    }
  });
  return least;
}

interface Trajectory {
  readonly name: string;
  readonly state: { readonly qpos: readonly number[]; readonly qvel: readonly number[] };
  readonly holdActions?: number;
  readonly actions: readonly (readonly (readonly number[])[])[]; // [step][agent][number]
  readonly expected: readonly { readonly t: number; readonly obs: readonly (readonly number[])[] }[];
}
const { cases }: { readonly cases: readonly Trajectory[] } = JSON.parse(
  readFileSync(new URL('../golden/point_maze.json', import.meta.url), 'utf8'),
);
const golden = (name: string): Trajectory => cases.find((one) => one.name === name)!;

/** An environment of one row whose disc stands there; `steps` walks it and answers what it saw. */
function at(config: JsonObject, place: readonly [number, number], goal: readonly [number, number], velocity: readonly number[] = [0, 0]) {
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  const { state } = env.meta;
  env.load(0, state.fromJSON({ ...state.toJSON(env.save(0)), place: [...place], goal: [...goal], velocity: [...velocity] }), buffers);
  const step = (action: readonly number[]) => {
    actions.set(action);
    env.step(actions, buffers);
    return {
      obs: [...buffers.obs],
      reward: buffers.reward[0]!,
      terminated: buffers.terminated[0]!,
      truncated: buffers.truncated[0]!,
      state: state.toJSON(env.save(0)),
    };
  };
  return { env, buffers, step };
}

describe('motion is the references’ where no wall is met', () => {
  test('a pushed mass: Gymnasium-Robotics’ free flight, faster than its top speed', () => {
    const { state, actions, expected, holdActions = 1 } = golden('point-maze: free flight, velocity above 5');
    const far = expected.filter(({ obs: [seen] }) => Math.abs(seen![0]!) < 2.3 && Math.abs(seen![1]!) < 0.8);
    expect(far.length).toBeGreaterThan(5);
    // its map is 7 by 5 cells of 1 m around the middle
    const walk = at({ maze: 'open', body: 'pushed' }, [state.qpos[0]! + 3.5, state.qpos[1]! + 2.5], [1.5, 3.5], state.qvel);
    let t = 0;
    for (const { t: when, obs } of far) {
      let seen: readonly number[] = [];
      for (; t < when; t++) seen = walk.step(actions[Math.floor(t / holdActions)]![0]!).obs;
      if (when === 0) continue;
      const [x, y, vx, vy] = obs[0]!;
      const wanted = [x! + 3.5, y! + 2.5, vx!, vy!];
      for (const [k, value] of wanted.entries()) expect(seen[k], `step ${when}, number ${k}`).toBeCloseTo(value, 5);
    }
  });

  test('a steered disc: OGBench’s way-points through the medium maze, as long as no wall is met', () => {
    const { state, actions, expected } = golden('ogbench-point: way-points medium task 1');
    // cells of 4 m, (0, 0) in cell (1, 1) of 8 by 8, whose rows are counted down there
    const cells = ([x, y]: readonly number[]): [number, number] => [x! / 4 + 1.5, 8 - (y! / 4 + 1.5)];
    const walk = at({ maze: 'medium', episodes: 'navigate' }, cells(state.qpos), [6.5, 1.5]);
    let compared = 0;
    let met = false;
    for (let t = 1; !met && t <= actions.length; t++) {
      const [right, down] = actions[t - 1]![0]!;
      const { obs } = walk.step([right!, -down!]);
      met = nearestWall(OGBENCH_MAPS.medium, obs[0]!, obs[1]!) < 0.18;
      const there = expected.find((one) => one.t === t);
      if (met || there === undefined) continue;
      const [x, y] = cells(there.obs[0]!);
      expect(obs[0], `step ${t}`).toBeCloseTo(x, 5);
      expect(obs[1], `step ${t}`).toBeCloseTo(y, 5);
      compared = t;
    }
    expect(compared).toBeGreaterThan(20);
  });
});

describe('walls', () => {
  const maps = { ...GYMNASIUM_MAPS, ...OGBENCH_MAPS };
  test.each(['u', 'medium', 'giant'] as const)(
    'a disc pushed about in %s never overlaps one, and is nowhere moved without touching',
    (name) => {
      const rows = maps[name];
      for (const radius of [0.1, 0.175]) {
        const walls = createWalls(rows, radius);
        const rng = Rng.from(3);
        const place = Float64Array.of(1.5, rows.length - 1.5, 0, 0);
        expect(rows[1]![1]).not.toBe('#');
        let touched = 0;
        for (let k = 0; k < 5000; k++) {
          // keeps a direction for a while, so that it leans on walls and slides into corners
          if (k % 17 === 0) place.set([rng.uniform() * 2 - 1, rng.uniform() * 2 - 1], 2);
          const [x, y] = [place[0]! + 0.05 * place[2]!, place[1]! + 0.05 * place[3]!];
          place.set([x, y]);
          const met = walls.settle(place, 0, -1);
          expect(nearestWall(rows, place[0]!, place[1]!)).toBeGreaterThan(radius - 1e-9);
          if (met) touched++;
          else expect([place[0], place[1]]).toEqual([x, y]);
          if (met) expect(nearestWall(rows, x, y)).toBeLessThan(radius);
        }
        expect(touched).toBeGreaterThan(500);
      }
    },
  );

  test('a disc is put back to the nearest place where it fits', () => {
    const rows = ['#####', '#...#', '#.#.#', '#...#', '#####'];
    const radius = 0.175;
    const walls = createWalls(rows, radius);
    const rng = Rng.from(8);
    for (let tried = 0; tried < 40; ) {
      const [x, y] = [1 + 3 * rng.uniform(), 1 + 3 * rng.uniform()];
      const near = nearestWall(rows, x, y);
      if (near >= radius || near < radius - 0.05 || near === 0) continue;
      tried++;
      const place = Float64Array.of(x, y);
      expect(walls.settle(place, 0, -1)).toBe(true);
      const moved = Math.hypot(place[0]! - x, place[1]! - y);
      // a corner of two walls asks for both; elsewhere no place of a fine ring of the same size fits that is nearer
      for (let a = 0; a < 360; a++) {
        const nearer = 0.98 * moved;
        const [tryX, tryY] = [x + nearer * Math.cos((a * Math.PI) / 180), y + nearer * Math.sin((a * Math.PI) / 180)];
        expect(nearestWall(rows, tryX, tryY)).toBeLessThan(radius);
      }
    }
  });

  test('speed towards a wall is lost, speed along it stays', () => {
    const walls = createWalls(GYMNASIUM_MAPS.u, 0.1);
    const flat = Float64Array.of(1.05, 3.5, -2, 1);
    walls.settle(flat, 0, 2);
    expect([...flat]).toEqual([1.1, 3.5, 0, 1]);
    const leaving = Float64Array.of(1.05, 3.5, 2, 1);
    walls.settle(leaving, 0, 2);
    expect([...leaving]).toEqual([1.1, 3.5, 2, 1]);
  });
});

/** Full steps of 1/20 of a cell from every lattice place to the goal's, along places where the disc fits. */
function fewestSteps(rows: MazeRows, radius: number, [goalX, goalY]: readonly [number, number]): (x: number, y: number) => number {
  const N = 20;
  const [width, height] = [N * rows[0]!.length + 1, N * rows.length + 1];
  const steps = new Float64Array(width * height).fill(Number.POSITIVE_INFINITY);
  const fits = Uint8Array.from(steps, (_, k) => (nearestWall(rows, (k % width) / N, Math.floor(k / width) / N) >= radius ? 1 : 0));
  const node = (x: number, y: number): number => Math.round(y * N) * width + Math.round(x * N);
  let ring = [node(goalX, goalY)];
  steps[ring[0]!] = 0;
  for (let n = 1; ring.length > 0; n++) {
    const next: number[] = [];
    for (const from of ring)
      for (const to of [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1].map((d) => from + d)) {
        if (fits[to] !== 1 || steps[to] !== Number.POSITIVE_INFINITY) continue;
        steps[to] = n;
        next.push(to);
      }
    ring = next;
  }
  return (x, y) => steps[node(x, y)]!;
}

describe('shortest ways', () => {
  test.each(['u', 'medium', 'large'] as const)('%s: as many as breadth-first search with the world’s own steps finds', (name) => {
    const rows = { ...GYMNASIUM_MAPS, ...OGBENCH_MAPS }[name];
    const ways = new ShortestWays(rows, 0.175, 0.05);
    const free = rows.flatMap((row, i) => [...row].flatMap((tile, j) => (tile === '#' ? [] : [[j + 0.5, rows.length - 0.5 - i] as const])));
    const rng = Rng.from(4);
    for (let g = 0; g < 3; g++) {
      const goal = free[rng.int(free.length)]!;
      const fewest = fewestSteps(rows, 0.175, goal);
      for (let k = 0; k < 15; k++) {
        const [cellX, cellY] = free[rng.int(free.length)]!;
        const [x, y] = [cellX + (rng.int(11) - 5) / 20, cellY + (rng.int(11) - 5) / 20];
        const told = ways.steps(x, y, goal[0], goal[1]);
        const searched = fewest(x, y);
        expect(told).toBeGreaterThanOrEqual(Math.max(Math.abs(x - goal[0]), Math.abs(y - goal[1])) / 0.05 - 1e-9);
        expect(Math.abs(told - searched), `${x}, ${y} to ${goal}: told ${told}, searched ${searched}`).toBeLessThan(3);
      }
    }
  });

  it('there is none into a part that is cut off', () => {
    expect(new ShortestWays(['#####', '#.#.#', '#####'], 0.175, 0.05).steps(1.5, 1.5, 3.5, 1.5)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('episodes', () => {
  test('drawn: over at the goal, which pays 1', () => {
    const { step } = at({}, [1.5, 3.5], [1.8, 3.5]);
    expect(step([1, 0])).toMatchObject({ reward: 1, terminated: 1, truncated: 0 });
  });

  test('time: -1 a step, 0 at the goal', () => {
    const { step } = at({ reward: 'time' }, [1.5, 3.5], [1.84, 3.5]);
    expect(step([1, 0])).toMatchObject({ reward: -1, terminated: 0 });
    expect(step([1, 0])).toMatchObject({ reward: 0, terminated: 1 });
  });

  test('navigate: a reached goal is replaced as the next step begins, up to the step limit', () => {
    const { step } = at({ episodes: 'navigate', maxSteps: 3 }, [1.5, 3.5], [1.6, 3.5]);
    const reached = step([0, 0]);
    expect(reached).toMatchObject({ reward: 1, terminated: 0, truncated: 0, state: { reached: 1, there: 1, goal: [1.6, 3.5] } });
    const next = step([0, 0]);
    expect(next.state.goal).not.toEqual([1.6, 3.5]);
    expect(next).toMatchObject({ reward: 0, state: { reached: 1, there: 0 } });
    expect(step([0, 0])).toMatchObject({ truncated: 1 });
  });

  test('stitch: one goal, which stays', () => {
    const { step } = at({ maze: 'medium', episodes: 'stitch' }, [1.5, 6.5], [1.6, 6.5]);
    expect(step([0, 0])).toMatchObject({ reward: 1, terminated: 0 });
    expect(step([0, 0])).toMatchObject({ reward: 1, state: { reached: 1, goal: [1.6, 6.5] } });
  });

  test.each(['medium', 'large', 'giant'] as const)('tasks: %s begins in the five published pairs, each as often', (maze) => {
    const env = entry.create({ maze, episodes: 'tasks' }, 200);
    const buffers = createBuffers(env.meta, 200);
    env.reset(
      Uint32Array.from({ length: 200 }, (_, i) => i),
      buffers,
    );
    const pairs = new Map<string, number>();
    for (let row = 0; row < 200; row++) {
      const cells = [0, 1, 2, 3].map((k) => Math.floor(buffers.obs[4 * row + k]!)).join(' ');
      pairs.set(cells, (pairs.get(cells) ?? 0) + 1);
    }
    expect(pairs.size).toBe(5);
    expect(Math.min(...pairs.values())).toBeGreaterThan(20);
  });

  test('a person puts the goal into a free cell, never into a wall', () => {
    const { env, step } = at({}, [1.5, 3.5], [3.5, 3.5]);
    const part = (env.meta.frame as { readonly count: number }).count - 2;
    env.pull?.(0, { part, at: [0, 0, 0], to: [2.5, 2.5, 0] });
    expect(step([0, 0]).state.goal).toEqual([3.5, 3.5]);
    env.pull?.(0, { part, at: [0, 0, 0], to: [1.5, 1.25, 0] });
    expect(step([0, 0]).state.goal).toEqual([1.5, 1.25]);
    env.pull?.(0, null);
    expect(step([0, 0]).state.goal).toEqual([1.5, 1.25]);
  });

  test('goals exchanged in hindsight pay what the step would have paid', () => {
    const { env, step } = at({ reward: 'time' }, [1.5, 3.5], [1.84, 3.5]);
    for (let k = 0; k < 2; k++) {
      const { obs, reward } = step([1, 0]);
      const seen = Float32Array.from(obs);
      expect(env.goalReward?.(seen, 0, seen, 2)).toBe(reward);
    }
  });
});
