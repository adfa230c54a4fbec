import { expect, it } from 'vitest';
import { nearestWeights } from '#contract/files/pareto.ts';
import { paretoFront } from '#core/envs/multi-objective/lib/sea.ts';
import golden from './golden/eval-multiobjective.json' with { type: 'json' };
import {
  expectedUtility,
  hypervolume,
  maximumUtilityLoss,
  nonDominated,
  type Point,
  simplex,
  sparsity,
  supported,
  weightedSum,
} from './pareto.ts';
import { Rng } from './rng.ts';

function find<I, E>(name: string): { input: I; expected: E } {
  const found = golden.cases.find((c) => c.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found as unknown as { input: I; expected: E };
}

it('keeps the points no other dominates, equal ones once', () => {
  const { input, expected } = find<{ points: number[][] }, { indices: number[] }>('pareto');
  expect(nonDominated(input.points)).toEqual(expected.indices);
  expect(nonDominated([...input.points, [1, 5]])).toEqual(expected.indices);
});

it.each(['hypervolume_2d', 'hypervolume_2d_ref1', 'hypervolume_3d'])('%s', (name) => {
  const { input, expected } = find<{ points: number[][]; ref: number[] }, { hv: number }>(name);
  expect(hypervolume(input.points, input.ref)).toBeCloseTo(expected.hv, 12);
});

it('hypervolume agrees with counting cells on random points of four objectives', () => {
  const rng = Rng.from(3);
  const points = Array.from({ length: 6 }, () => Array.from({ length: 4 }, () => 1 + rng.int(5)));
  let cells = 0;
  for (let i = 0; i < 5 ** 4; i++) {
    const corner = [0, 1, 2, 3].map((k) => 1 + (Math.floor(i / 5 ** k) % 5));
    if (points.some((p) => p.every((x, k) => x >= corner[k]!))) cells++;
  }
  expect(hypervolume(points, [0, 0, 0, 0])).toBe(cells);
});

it('expected utility, maximum utility loss, sparsity', () => {
  const e = find<{ points: Point[]; weights: Point[] }, { eum: number }>('eum');
  expect(expectedUtility(e.input.points, e.input.weights)).toBeCloseTo(e.expected.eum, 12);
  const m = find<{ front: Point[]; reference_front: Point[]; weights: Point[] }, { mul: number }>('maximum_utility_loss');
  expect(maximumUtilityLoss(m.input.front, m.input.reference_front, m.input.weights)).toBeCloseTo(m.expected.mul, 12);
  const s = find<{ front: Point[] }, { sparsity: number }>('sparsity');
  expect(sparsity(s.input.front)).toBeCloseTo(s.expected.sparsity, 12);
  expect(sparsity([[1, 2]])).toBe(0);
});

it('the simplex lists every vector of shares once', () => {
  expect(simplex(2, 4)).toEqual([
    [0, 1],
    [0.25, 0.75],
    [0.5, 0.5],
    [0.75, 0.25],
    [1, 0],
  ]);
  const three = simplex(3, 4);
  expect(three).toHaveLength(15);
  for (const w of three) expect(w.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
});

it('weighted sums find the corners of the hull and nothing in its dents', () => {
  expect(
    supported([
      [0, 4],
      [1, 3.5],
      [2, 2],
      [3, 1.5],
      [4, 0],
    ]),
  ).toEqual([0, 1, 3, 4]);
  expect(
    supported([
      [0, 2],
      [1, 1],
      [2, 0],
    ]),
  ).toEqual([0, 2]); // the one between: some weights like it as well as its neighbours, none better
  expect(supported(paretoFront('convex', 100))).toHaveLength(9);
  expect(supported(paretoFront('convex', 100), true)).toHaveLength(10); // (20.3, -14) lies on the line
  const rng = Rng.from(8);
  const points = Array.from({ length: 30 }, () => [rng.uniform(), rng.uniform()]);
  const liked = new Set(
    simplex(2, 5000).map((w) => points.reduce((best, p, i) => (weightedSum(p, w) > weightedSum(points[best] as Point, w) ? i : best), 0)),
  );
  expect([...supported(points)].sort((a, b) => a - b)).toEqual([...liked].sort((a, b) => a - b));
});

it('of the sea, all ten convex trade-offs pay at some weight, of the concave ones only the ends', () => {
  const gamma = 0.99;
  const discounted = (front: 'convex' | 'concave'): Point[] =>
    paretoFront(front, 100).map(([treasure, time]) => [
      (treasure as number) * gamma ** (-(time as number) - 1),
      -(1 - gamma ** -(time as number)) / (1 - gamma),
    ]);
  expect(supported(discounted('convex'))).toHaveLength(10);
  expect(supported(discounted('concave'))).toEqual([0, 9]);
});

it('a wish goes to the nearest weights by direction', () => {
  const list = simplex(2, 4);
  expect(nearestWeights(list, [0.3, 0.7])).toBe(1);
  expect(nearestWeights(list, [30, 70])).toBe(1);
  expect(nearestWeights(list, [0, 0])).toBe(2);
});
