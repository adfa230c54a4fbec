import { expect, test } from 'vitest';
import { cos, log, sqrt } from './functions.ts';
import { meanEmergence } from './information.ts';
import { Rng } from './rng.ts';

const N = 20_000;

/** Samples [N, 2] of what `of` makes of the draws of each step. */
function drawn(of: (normal: () => number) => readonly [now: readonly number[], next: readonly number[]], seed = 1) {
  const rng = Rng.from(seed);
  const [now, next] = [new Float64Array(2 * N), new Float64Array(2 * N)];
  for (let t = 0; t < N; t++) {
    const [a, b] = of(() => sqrt(-2 * log(1 - rng.uniform())) * cos(2 * Math.PI * rng.uniform()));
    now.set(a, 2 * t);
    next.set(b, 2 * t);
  }
  return meanEmergence(now, next, 2);
}

test('two that copy each other tell nothing more together, but through the noise', () => {
  const found = drawn((normal) => {
    const [x, noise] = [normal(), normal()];
    const y = 0.6 * x + 0.8 * noise;
    return [
      [x, x],
      [y, y],
    ];
  });
  expect(found).toBeGreaterThanOrEqual(0);
  expect(found).toBeLessThan(0.01);
});

test('a future that is the sum of both is told by both together: by hand', () => {
  // y1 = (x1 + x2) / sqrt 2, y2 noise: with noise of 0.01 on all, det(X, Y) and det(x, Y) by hand
  const found = drawn((normal) => {
    const [a, b, noise] = [normal(), normal(), normal()];
    return [
      [a, b],
      [(a + b) / Math.SQRT2, noise],
    ];
  });
  const v = 1.01;
  const both = 0.5 * log((v * v * v) / (v * (v * v - 1))); // y1 is explained but for the noise
  const one = 0.5 * log((v * v) / (v * v - 0.5));
  expect(found).toBeCloseTo(both - one, 1);
  expect(found).toBeGreaterThan(1);
});

test('each with a future of its own: together they tell as much more as the second does', () => {
  const r = 0.8;
  const found = drawn((normal) => {
    const [a, b] = [normal(), normal()];
    return [
      [a, b],
      [r * a + 0.6 * normal(), r * b + 0.6 * normal()],
    ];
  });
  const v = 1.01;
  expect(found).toBeCloseTo(0.5 * log((v * v) / (v * v - r * r)), 1);
});

test('times that are shuffled tell nothing', () => {
  expect(
    drawn((normal) => [
      [normal(), normal()],
      [normal(), normal()],
    ]),
  ).toBeLessThan(0.001);
});

test('what stands still has no part', () => {
  expect(meanEmergence(Float64Array.of(1, 5, 1, 6, 1, 4), Float64Array.of(1, 6, 1, 4, 1, 5), 2)).toBe(0);
});
