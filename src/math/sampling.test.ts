import { expect, it } from 'vitest';
import { Rng } from './rng.ts';
import { argmax, categorical, gamma, normal, randomAction } from './sampling.ts';
import { mean, std } from './stats.ts';

it('categories come with the probabilities of their logits; masked ones never', () => {
  const logits = Float32Array.of(9, 9, Math.fround(Math.log(0.2)), -1e8, Math.fround(Math.log(0.5)), Math.fround(Math.log(0.3)));
  const counts = [0, 0, 0, 0];
  const rng = Rng.from(3);
  for (let i = 0; i < 40_000; i++) counts[categorical(logits, 2, 4, rng.uniform())]!++;
  expect(counts[1]).toBe(0);
  [0.2, 0, 0.5, 0.3].forEach((p, i) => {
    expect(Math.abs(counts[i]! / 40_000 - p)).toBeLessThan(0.01);
  });
});

it('categories at the ends of the unit interval', () => {
  const logits = Float32Array.of(-1e8, 0, 0, -1e8);
  expect(categorical(logits, 0, 4, 0)).toBe(1);
  expect(categorical(logits, 0, 4, 1 - 2 ** -32)).toBe(2);
  expect(categorical(Float32Array.of(1000, -1000), 0, 2, 0.999)).toBe(0);
});

it('argmax takes the first of equals and obeys a mask', () => {
  const values = Float32Array.of(5, 1, 3, 3);
  expect(argmax(values, 1, 3)).toBe(1);
  expect(argmax(values, 0, 4, Uint8Array.of(0, 1, 0, 1))).toBe(3);
});

it('random actions are legal and uniform', () => {
  const rng = Rng.from(4);
  const mask = Uint8Array.of(1, 0, 1, 1);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 30_000; i++) counts[randomAction(rng, 4, mask)]!++;
  expect(counts[1]).toBe(0);
  for (const i of [0, 2, 3]) expect(Math.abs(counts[i]! / 30_000 - 1 / 3)).toBeLessThan(0.01);
});

it('normal numbers have mean 0, deviation 1 and the right tails', () => {
  const rng = Rng.from(5);
  const draws = Float64Array.from({ length: 50_000 }, () => normal(rng));
  expect(Math.abs(mean(draws))).toBeLessThan(0.015);
  expect(Math.abs(std(draws) - 1)).toBeLessThan(0.015);
  expect(Math.abs(draws.filter((z) => Math.abs(z) > 1.959964).length / draws.length - 0.05)).toBeLessThan(0.005);
});

it.each([0.05, 0.7, 1, 8])('gamma numbers of shape %f have that mean and that variance', (shape) => {
  const n = 40_000;
  const rng = Rng.from(6);
  const draws = Float64Array.from({ length: n }, () => gamma(shape, rng));
  expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
  // variance of the mean: shape / n; of the squared deviation: (2 shape^2 + 6 shape) / n
  expect(Math.abs(mean(draws) - shape)).toBeLessThan(5 * Math.sqrt(shape / n));
  expect(Math.abs(std(draws) ** 2 - shape)).toBeLessThan(5 * Math.sqrt((2 * shape * shape + 6 * shape) / n));
});
