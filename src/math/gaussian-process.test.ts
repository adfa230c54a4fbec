/** Posteriors worked out by hand for one and two points, and the most likely of some kernels. */
import { expect, test } from 'vitest';
import { type Kernel, likeliest, logLikelihood, posterior } from './gaussian-process.ts';

const kernel: Kernel = { variance: 4, length: 0.5 };
const k = (d: number) => 4 * Math.exp(-(d * d) / (2 * 0.25));

test('one point: mean k y / (v + s^2), variance v - k^2 / (v + s^2)', () => {
  const [there, away, far] = posterior([0.2], [3], [0.2, 0.6, 9], kernel, 1);
  expect(there!.mean).toBeCloseTo((4 * 3) / 5, 12);
  expect(there!.deviation).toBeCloseTo(Math.sqrt(4 - 16 / 5), 12);
  expect(away!.mean).toBeCloseTo((k(0.4) * 3) / 5, 12);
  expect(away!.deviation).toBeCloseTo(Math.sqrt(4 - k(0.4) ** 2 / 5), 12);
  expect(far!.mean).toBeCloseTo(0, 12);
  expect(far!.deviation).toBeCloseTo(2, 12);
});

test('two points: as the inverse of a matrix of two rows says', () => {
  const [a, b] = [5, k(0.3)];
  const determinant = a * a - b * b;
  const [p, q] = [k(0.1), k(0.2)]; // of 0.1 with 0 and with 0.3
  const [y, z] = [1, -2];
  const [one] = posterior([0, 0.3], [y, z], [0.1], kernel, 1);
  expect(one!.mean).toBeCloseTo((p * (a * y - b * z) + q * (a * z - b * y)) / determinant, 10);
  expect(one!.deviation ** 2).toBeCloseTo(4 - (p * (a * p - b * q) + q * (a * q - b * p)) / determinant, 10);
  const likelihood = -0.5 * ((y * (a * y - b * z) + z * (a * z - b * y)) / determinant) - 0.5 * Math.log(determinant);
  expect(logLikelihood([0, 0.3], [y, z], kernel, 1)).toBeCloseTo(likelihood, 10);
});

test('a smooth curve asks for a long kernel, a jagged one for a short one', () => {
  const x = Array.from({ length: 12 }, (_, i) => i / 11);
  const kernels = [0.02, 0.5].map((length) => ({ variance: 1, length }));
  const smooth = likeliest(
    x,
    x.map((at) => Math.sin(3 * at)),
    kernels,
    0.1,
  );
  const jagged = likeliest(
    x,
    x.map((_, i) => (i % 2 === 0 ? 1 : -1)),
    kernels,
    0.1,
  );
  expect([smooth.length, jagged.length]).toEqual([0.5, 0.02]);
  expect(() => likeliest(x, x, [], 0.1)).toThrow('one at least');
});
