import { describe, expect, test } from 'vitest';
import { Rng } from '../rng.ts';
import { mean, median } from '../stats.ts';
import { rungs } from './halving.ts';
import { importance } from './importance.ts';
import { replay } from './replay.ts';
import { SOBOL_DIMENSIONS, sobol } from './sobol.ts';
import { type Dimension, gridPoints, type Point, valueAt } from './space.ts';
import { type Tried, tpe } from './tpe.ts';

const range = (from: number, to: number, scale: 'linear' | 'log' = 'linear', integer = false): Dimension => ({
  kind: 'range',
  from,
  to,
  scale,
  integer,
});
const unit = range(0, 1);

describe('space', () => {
  test('a range runs from end to end on its scale, rounded to four digits', () => {
    expect(valueAt(range(1e-4, 1e-2, 'log'), 0)).toBe(1e-4);
    expect(valueAt(range(1e-4, 1e-2, 'log'), 0.5)).toBe(1e-3);
    expect(valueAt(range(0, 3), 0.12345678)).toBe(0.3704);
  });

  test('whole numbers and choices have equal parts of their scale, and a grid meets each once', () => {
    const whole = range(2, 5, 'linear', true);
    const seen = Array.from({ length: 400 }, (_, i) => valueAt(whole, i / 400));
    for (const value of [2, 3, 4, 5]) expect(seen.filter((other) => other === value)).toHaveLength(100);
    const choice: Dimension = { kind: 'choice', values: ['tanh', 'relu'] };
    const grid = gridPoints([choice, range(1, 9, 'log', true)]);
    expect(new Set(grid.map(([a, b]) => `${valueAt(choice, a!)} ${valueAt(range(1, 9, 'log', true), b!)}`)).size).toBe(18);
    expect(() => gridPoints([unit])).toThrow(/range of fractions/);
  });
});

describe('Sobol points', () => {
  // The first eight points of three dimensions, as published for these direction numbers (Joe and Kuo 2008).
  const FIRST = [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
    [0.75, 0.25, 0.25],
    [0.25, 0.75, 0.75],
    [0.375, 0.375, 0.625],
    [0.875, 0.875, 0.125],
    [0.625, 0.125, 0.875],
    [0.125, 0.625, 0.375],
  ];
  test('are those of the source, shifted together', () => {
    const points = sobol(8, 3, 4);
    const bits = (u: number): number => Math.round(u * 2 ** 32) >>> 0;
    points.forEach((point, i) => {
      expect(point.map((u, d) => ((bits(u) ^ bits(points[0]![d]!)) >>> 0) / 2 ** 32)).toEqual(FIRST[i]);
    });
  });

  test('every dimension meets each of 64 parts once in 64 points', () => {
    const points = sobol(64, SOBOL_DIMENSIONS, 1);
    for (let d = 0; d < SOBOL_DIMENSIONS; d++) expect(new Set(points.map((point) => Math.floor(64 * point[d]!))).size).toBe(64);
    expect(sobol(8, 2, 1)).not.toEqual(sobol(8, 2, 2));
    expect(() => sobol(2, SOBOL_DIMENSIONS + 1, 1)).toThrow(/at most/);
  });
});

/** Best score of `runs` trials of a search over a function of three numbers in the unit interval. */
function best(search: 'tpe' | 'draws', score: (point: Point) => number, runs: number, seed: number): number {
  const rng = Rng.from(seed);
  const dimensions = [unit, unit, unit];
  const tried: Tried[] = [];
  for (let i = 0; i < runs; i++) {
    const point = search === 'draws' || i < 8 ? [rng.uniform(), rng.uniform(), rng.uniform()] : tpe(dimensions, tried, rng);
    tried.push({ point, score: score(point) });
  }
  return Math.max(...tried.map(({ score: value }) => value ?? Number.NEGATIVE_INFINITY));
}

describe('TPE', () => {
  const bowl = ([x, y, z]: Point): number => -((x! - 0.3) ** 2) - (y! - 0.8) ** 2 - 0.1 * (z! - 0.5) ** 2;
  const ridge = ([x, y, z]: Point): number => -Math.abs(x! - 0.2) - 0.2 * Math.abs(y! - x!) - 0.02 * z!;
  test.each([
    ['a bowl', bowl],
    ['a ridge', ridge],
  ])('finds more than draws on %s in 40 runs, over 60 seeds', (_, score) => {
    const seeds = Array.from({ length: 60 }, (_s, i) => i);
    const found = seeds.map((seed) => best('tpe', score, 40, seed));
    const drawn = seeds.map((seed) => best('draws', score, 40, seed));
    expect(median(found)).toBeGreaterThan(median(drawn) / 2); // scores are negative: half of the distance is left
    expect(found.filter((value, i) => value > drawn[i]!).length).toBeGreaterThan(42); // 30 by chance
  });

  test('takes the choice that pays and forgets points that failed', () => {
    const dimensions: Dimension[] = [{ kind: 'choice', values: ['a', 'b', 'c', 'd'] }];
    const tried = [0.1, 0.4, 0.6, 0.9].flatMap((u): Tried[] => [
      { point: [u], score: u === 0.6 ? 1 : 0 },
      { point: [u], score: u === 0.9 ? null : u === 0.6 ? 0.9 : 0 },
    ]);
    const rng = Rng.from(3);
    const next = Array.from({ length: 20 }, () => valueAt(dimensions[0]!, tpe(dimensions, tried, rng)[0]!));
    expect(next.every((value) => value === 'c')).toBe(true);
  });
});

describe('replay on a table', () => {
  const rng = Rng.from(8);
  const table = Array.from({ length: 60 }, (): Tried => {
    const point = [rng.uniform(), rng.uniform()];
    return { point, score: -Math.abs(point[0]! - 0.7) - 0.1 * point[1]! };
  });

  test('both begin alike, and TPE finds more of a smooth table', () => {
    const games = Array.from({ length: 60 }, (_, seed) => replay([unit, unit], table, 24, 4, Rng.from(seed)));
    expect(games.filter(({ tpe: found, random }) => found > random).length).toBeGreaterThan(
      games.filter(({ tpe: found, random }) => found < random).length + 15,
    );
    const short = replay([unit, unit], table, 8, 4, Rng.from(1)); // the warm-up alone
    expect(short.tpe).toBe(short.random);
  });

  test('is no better than chance where scores do not depend on the points', () => {
    const noise = table.map(({ point }) => ({ point, score: rng.uniform() }));
    const games = Array.from({ length: 200 }, (_, seed) => replay([unit, unit], noise, 24, 4, Rng.from(seed)));
    const ahead =
      games.filter(({ tpe: found, random }) => found > random).length - games.filter(({ tpe: found, random }) => found < random).length;
    expect(Math.abs(ahead)).toBeLessThan(100);
  });

  test('tries every row of a whole table once, and refuses more', () => {
    const all = replay([unit, unit], table, 60, 4, Rng.from(2));
    expect(all.tpe).toBe(all.random);
    expect(() => replay([unit, unit], table, 61, 4, Rng.from(2))).toThrow(/at most 60/);
  });
});

test('halving spends about as much in every round and ends with the whole budget', () => {
  expect(rungs(27, 90_000, 3)).toEqual([
    { setups: 27, steps: 3333 },
    { setups: 9, steps: 10_000 },
    { setups: 3, steps: 30_000 },
    { setups: 1, steps: 90_000 },
  ]);
  expect(rungs(1, 100, 3)).toEqual([{ setups: 1, steps: 100 }]);
});

describe('importance', () => {
  const points = sobol(64, 3, 9);
  const choice: Dimension = { kind: 'choice', values: ['off', 'on'] };
  test('is the share of the variance that a field explains', () => {
    const scores = points.map(([x, on]) => 10 * Math.floor(4 * x!) + (on! < 0.5 ? 0 : 10));
    const [first, second, third] = importance([unit, choice, unit], points, scores);
    expect(first!.share).toBeCloseTo(125 / 150, 1); // variances of 0, 10, 20, 30 and of 0, 10
    expect(second!.share).toBeCloseTo(25 / 150, 1);
    expect(third!.share).toBeLessThan(0.05);
    expect(first!.interval![0]).toBeGreaterThan(0.6);
  });

  test('of a field without effect holds 0, and the corrected share is 0 on average', () => {
    const found = Array.from({ length: 100 }, (_, seed) => {
      const rng = Rng.from(seed);
      return importance(
        [unit],
        points,
        points.map(() => rng.uniform()),
      )[0]!;
    });
    expect(Math.abs(mean(found.map(({ share }) => share ?? Number.NaN)))).toBeLessThan(0.02);
    expect(found.filter(({ interval }) => interval![0] <= 0).length).toBeGreaterThan(85);
  });

  test('is 0 where all scores are alike, without an interval', () => {
    const flat = points.map(() => 1);
    expect(importance([unit], points, flat)).toEqual([{ share: 0, interval: null }]);
  });

  test('is not known where no value has two scores, whatever they are', () => {
    const rates: Dimension = { kind: 'choice', values: [1e-5, 1e-3, 3e-3] };
    expect(importance([rates], gridPoints([rates]), [97, 456, 366])).toEqual([{ share: null, interval: null }]);
    expect(importance([rates, choice], gridPoints([rates, choice]), [97, 96, 456, 455, 366, 367])[0]?.share).toBeGreaterThan(0.9);
    expect(importance([choice], [[0.1], [0.2]], [1, 2])).toEqual([{ share: null, interval: null }]); // one value only
  });
});
