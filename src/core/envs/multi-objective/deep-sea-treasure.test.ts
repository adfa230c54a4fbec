import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { hypervolume, nonDominated } from '#math/pareto.ts';
import { createActions, createBuffers } from '../api/buffers.ts';
import { deepSeaTreasure } from './deep-sea-treasure.ts';
import { type FRONTS, paretoFront, randomReturn } from './lib/sea.ts';

/** Sums of both rewards under a policy, one episode. */
function play(config: object, policyName: string): readonly [number, number] {
  const env = deepSeaTreasure.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const policy = deepSeaTreasure.policies(config)[policyName];
  env.reset(Uint32Array.of(1), buffers);
  let treasure = 0;
  let time = 0;
  do {
    policy?.act(env, buffers, actions);
    env.step(actions, buffers);
    treasure += buffers.reward[0]!;
    time += buffers.reward[1] ?? 0;
  } while (buffers.terminated[0] === 0 && buffers.truncated[0] === 0);
  return [treasure, time];
}

describe('the sea', () => {
  it.each(['convex', 'concave'] as const)('%s: ten scripted divers reach exactly the ten points of the front', (front) => {
    const points = paretoFront(front, 100);
    expect(points).toHaveLength(10);
    points.forEach(([treasure, time], i) => {
      const got = play({ front }, `treasure-${i + 1}`);
      expect(got[0]).toBeCloseTo(treasure as number, 5); // rewards are float32
      expect(got[1]).toBe(time);
    });
  });

  it('hypervolumes of both fronts', () => {
    expect(hypervolume(paretoFront('convex', 100), [0, -25])).toBeCloseTo(401.8, 9);
    expect(hypervolume(paretoFront('convex', 100), [0, -50])).toBeCloseTo(994.3, 9);
    expect(hypervolume(paretoFront('concave', 100), [0, -25])).toBe(1155);
    expect(hypervolume(paretoFront('concave', 100), [0, -50])).toBe(4255);
  });

  it('a short limit leaves only what is near', () => {
    expect(paretoFront('convex', 6)).toEqual([
      [0.7, -1],
      [8.2, -3],
      [11.5, -5],
    ]);
    expect(paretoFront('convex', 0)).toEqual([]);
  });

  it('weighted sums find all of the convex front but only the ends of the concave one', () => {
    const found = (front: 'convex' | 'concave') => {
      const points = paretoFront(front, 100);
      const best = new Set<number>();
      for (let k = 0; k <= 2000; k++) {
        const w = k / 2000;
        const worth = points.map(([a, b]) => w * (a as number) + (1 - w) * (b as number));
        best.add(worth.indexOf(Math.max(...worth)));
      }
      return best.size;
    };
    expect(found('convex')).toBeGreaterThanOrEqual(8);
    expect(found('concave')).toBe(2);
  });

  it('moves into rock and out of the sea do nothing, and cost a step', () => {
    const env = deepSeaTreasure.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const at = (row: number, column: number, action: number) => {
      env.load(0, env.meta.state.fromJSON({ row, column }), buffers);
      env.step(Int32Array.of(action), buffers);
      const { row: r, column: c } = env.meta.state.toJSON(env.save(0)) as { row: number; column: number };
      return [r, c, buffers.reward[1]];
    };
    expect(at(0, 0, 0)).toEqual([0, 0, -1]); // up
    expect(at(0, 0, 2)).toEqual([0, 0, -1]); // left
    expect(at(0, 10, 3)).toEqual([0, 10, -1]); // right
    expect(at(5, 6, 2)).toEqual([5, 6, -1]); // rock
    expect(at(10, 10, 1)).toEqual([10, 10, -1]); // bottom
    expect(at(0, 0, 3)).toEqual([0, 1, -1]);
    expect(() => env.load(0, env.meta.state.fromJSON({ row: 9, column: 0 }), buffers)).toThrow(LabError);
  });

  it('cuts at the limit', () => {
    const env = deepSeaTreasure.create({ maxSteps: 3 }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    for (const flag of [0, 0, 1]) {
      env.step(Int32Array.of(0), buffers);
      expect([buffers.terminated[0], buffers.truncated[0]]).toEqual([0, flag]);
    }
  });

  it('weights make one reward of two, and the best diver knows it', () => {
    expect(play({ weights: [1, 1] }, 'optimal')[0]).toBeCloseTo(7.1, 5);
    expect(play({ weights: [1, 0] }, 'optimal')[0]).toBeCloseTo(23.7, 5);
    expect(play({ weights: [0, 1] }, 'optimal')[0]).toBe(-1);
    expect(() => deepSeaTreasure.meta({ weights: [1] })).toThrow(LabError);
    expect(deepSeaTreasure.meta({}).rewards).toEqual(['treasure', 'time']);
  });

  it('random play is worth what the table says', () => {
    const n = 4000;
    const env = deepSeaTreasure.create({}, n);
    const buffers = createBuffers(env.meta, n);
    const actions = new Int32Array(n);
    env.reset(
      Uint32Array.from({ length: n }, (_, i) => i),
      buffers,
    );
    const over = new Uint8Array(n);
    let treasure = 0;
    let time = 0;
    let word = 1;
    for (let t = 0; t < 100; t++) {
      for (let i = 0; i < n; i++) {
        word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
        actions[i] = word >>> 30;
      }
      env.step(actions, buffers);
      for (let i = 0; i < n; i++) {
        if (over[i] === 1) continue;
        treasure += buffers.reward[2 * i]!;
        time += buffers.reward[2 * i + 1]!;
        if (buffers.terminated[i] === 1) over[i] = 1;
      }
    }
    const [exactTreasure, exactTime] = randomReturn('convex', 100);
    expect(Math.abs(treasure / n - exactTreasure)).toBeLessThan(0.3);
    expect(Math.abs(time / n - exactTime)).toBeLessThan(1);
  });

  it('a limit that no episode reaches costs no more than one that few do', () => {
    expect(randomReturn('convex', 1e12)).toEqual(randomReturn('convex', 50_000));
  });

  it('the front is the one of the golden file', () => {
    const file = JSON.parse(readFileSync(new URL('../golden/misc.json', import.meta.url), 'utf8')) as {
      cases: { check?: string; config: { front?: keyof typeof FRONTS }; expected: { front: number[][] } }[];
    };
    const cases = file.cases.filter((c) => c.check === 'pareto-front');
    expect(cases).toHaveLength(2);
    for (const c of cases) expect(deepSeaTreasure.check('pareto-front', c.config, {}, {})).toEqual(c.expected);
  });
});

describe('fronts', () => {
  it('keep what nothing dominates, once', () => {
    expect(
      nonDominated([
        [1, 5],
        [3, 4],
        [4, 2],
        [2, 2],
        [5, 0.5],
        [3, 4],
      ]),
    ).toEqual([0, 1, 2, 4]);
  });

  it('hypervolume in two and three dimensions', () => {
    const points = [
      [1, 5],
      [3, 4],
      [4, 2],
      [2, 2],
      [5, 0.5],
    ];
    expect(hypervolume(points, [0, 0])).toBe(15.5);
    expect(hypervolume(points, [1, 1])).toBe(7);
    expect(
      hypervolume(
        [
          [1, 2, 3],
          [3, 2, 1],
          [2, 3, 2],
        ],
        [0, 0, 0],
      ),
    ).toBe(16);
    expect(hypervolume([], [0, 0])).toBe(0);
  });
});
