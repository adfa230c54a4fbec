import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { Rng } from '#math/rng.ts';
import { lifelongMapf } from '../../lifelong-mapf.ts';
import { presets } from './config.ts';
import { DCOLUMN, DROW, Ground } from './ground.ts';
import { Horizon } from './horizon.ts';
import { Push } from './push.ts';

function groundOf(...rows: string[]): Ground {
  const width = (rows[0] as string).length;
  const ground = new Ground(width, rows.length);
  ground.lay(
    Uint32Array.from(rows.join(''), (tile) => (tile === '#' ? 1 : 0)),
    0,
  );
  return ground;
}

interface Outcome {
  readonly arrivals: number;
  readonly refused: number;
}

/** Plays from one start; `stir` makes all agents move at random now and then, which a plan must survive. */
function play(config: object, policy: 'planner' | 'greedy', seed: number, steps: number, stir = 0): Outcome {
  const env = lifelongMapf.create(config, 1);
  const { agentCount: A, state } = env.meta;
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const scripted = lifelongMapf.policies(config)[policy];
  const rng = Rng.from(seed);
  const cells = (state.fields[0]?.shape ?? []).reduce((a, b) => a * b, 1);
  /** Rows and columns in turn; the obstacles stand before them. */
  const places = () => new Uint32Array(env.save(0).buffer, 8 + 4 * cells, 2 * A);
  env.reset(Uint32Array.of(seed), buffers);
  let arrivals = 0;
  let refused = 0;
  for (let t = 0; t < steps; t++) {
    const stirred = stir > 0 && t % stir === stir - 1;
    if (stirred) for (let i = 0; i < A; i++) actions[i] = rng.int(5);
    else scripted?.act(env, buffers, actions);
    const before = places();
    env.step(actions, buffers);
    const after = places();
    for (const r of buffers.reward) arrivals += r;
    if (stirred) continue;
    for (let i = 0; i < A; i++) {
      const [dy = 0, dx = 0] = [DROW[actions[i]!], DCOLUMN[actions[i]!]];
      if (after[2 * i] !== before[2 * i]! + dy || after[2 * i + 1] !== before[2 * i + 1]! + dx) refused++;
    }
  }
  return { arrivals, refused };
}

describe('the planner', () => {
  it.each(['random-32-64', 'maze-32-64', 'warehouse-32-64'])('%s: never refused, far ahead of shortest paths', (id) => {
    const config = presets.find((preset) => preset.id === id)?.config as object;
    for (const seed of [1, 2, 3]) {
      const planned = play(config, 'planner', seed, 256);
      const greedy = play(config, 'greedy', seed, 256);
      expect(planned.refused, `seed ${seed}`).toBe(0);
      expect(planned.arrivals, `seed ${seed}`).toBeGreaterThan(2 * greedy.arrivals);
      expect(planned.arrivals / 256, `seed ${seed}`).toBeGreaterThan(id === 'maze-32-64' ? 0.3 : 2);
    }
  });

  it.each(['priority', 'block_both', 'soft'] as const)(
    '%s: is never refused, even after others have moved its agents',
    (collisionSystem) => {
      const config = { size: 16, density: 0.2, agents: 32, collisionSystem, maxSteps: 256 };
      for (const seed of [4, 5]) {
        const { arrivals, refused } = play(config, 'planner', seed, 120, 10);
        expect(refused).toBe(0);
        expect(arrivals).toBeGreaterThan(60);
      }
    },
  );

  it('256 agents on 32x32, shoulder to shoulder: still never refused', () => {
    const { arrivals, refused } = play({ generator: 'warehouse', size: 32, agents: 256, collisionSystem: 'soft' }, 'planner', 6, 40);
    expect(refused).toBe(0);
    expect(arrivals).toBeGreaterThan(40);
  });

  it.each(['finish', 'nothing'])('%s: brings all to their targets', (onTarget) => {
    const config = { size: 12, density: 0.2, agents: 12, collisionSystem: 'soft', onTarget, maxSteps: 128 };
    const env = lifelongMapf.create(config, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    const planner = lifelongMapf.policies(config).planner;
    env.reset(Uint32Array.of(7), buffers);
    for (let t = 0; t < 128 && buffers.terminated[0] === 0; t++) {
      planner?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    expect(buffers.terminated[0]).toBe(1);
  });

  it('works on several rows at once', () => {
    const config = { size: 16, density: 0.2, agents: 8, collisionSystem: 'soft' };
    const env = lifelongMapf.create(config, 3);
    const buffers = createBuffers(env.meta, 3);
    const actions = createActions(env.meta, 3);
    const planner = lifelongMapf.policies(config).planner;
    const arrivals = [0, 0, 0];
    env.reset(Uint32Array.of(1, 2, 3), buffers);
    for (let t = 0; t < 60; t++) {
      planner?.act(env, buffers, actions);
      env.step(actions, buffers);
      buffers.reward.forEach((r, i) => {
        arrivals[Math.floor(i / 8)] = arrivals[Math.floor(i / 8)]! + r;
      });
    }
    expect(Math.min(...arrivals)).toBeGreaterThan(10);
  });
});

describe('the search', () => {
  it('goes round a wall on the shortest way', () => {
    const ground = groundOf('...', '.#.', '...');
    const horizon = new Horizon(ground, 4, true, false);
    const path = Int32Array.of(3, 0, 0, 0, 0);
    horizon.begin(Int32Array.of(3));
    expect(horizon.search(path, 0, 0, ground.distances(5))).toBe(true);
    expect(path[4]).toBe(5);
  });

  it('lets another pass in a niche, and does not swap with it', () => {
    const ground = groundOf('.....', '##.##');
    const horizon = new Horizon(ground, 7, true, false);
    const paths = new Int32Array(16);
    paths[0] = 4; // first: from 4 to 0
    paths[8] = 1; // second: from 1 to 4
    horizon.begin(Int32Array.of(4, 1));
    expect(horizon.search(paths, 0, 0, ground.distances(0))).toBe(true);
    horizon.mark(paths, 0, 0, 0, true);
    expect(horizon.search(paths, 8, 0, ground.distances(4))).toBe(true);
    for (let t = 0; t < 7; t++) {
      expect(paths[t + 1]).not.toBe(paths[8 + t + 1]);
      expect(paths[t] === paths[8 + t + 1] && paths[t + 1] === paths[8 + t]).toBe(false);
    }
    expect([paths[4], paths[8 + 5]]).toEqual([0, 4]);
    expect(Array.from(paths.slice(8))).toContain(7); // the niche
  });

  it('says when there is no way', () => {
    const ground = groundOf('..#');
    const horizon = new Horizon(ground, 3, true, false);
    horizon.begin(Int32Array.of(0, 1));
    horizon.mark(Int32Array.of(0, 1, 0, 1), 0, 0, 0, true); // walks to and fro over both cells
    expect(horizon.search(Int32Array.of(1, 0, 0, 0), 0, 0, ground.distances(1))).toBe(false);
  });
});

describe('priority inheritance', () => {
  it('pushes a whole line out of the way', () => {
    const ground = groundOf('......');
    const at = Int32Array.of(1, 2, 3);
    const to = new Push(ground, 3).step(at, [0, 1, 2], [ground.distances(5), ground.distances(0), ground.distances(0)], true);
    expect(Array.from(to)).toEqual([2, 3, 4]);
  });

  it('stays where nobody can make room', () => {
    const ground = groundOf('...');
    const to = new Push(ground, 3).step(
      Int32Array.of(0, 1, 2),
      [0, 1, 2],
      [2, 0, 0].map((target) => ground.distances(target)),
      true,
    );
    expect(Array.from(to)).toEqual([0, 1, 2]);
  });
});
