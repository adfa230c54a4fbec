import { expect, test } from 'vitest';
import { ternaryWeights } from '#core/nets/ternary.ts';
import { bitsOf, roundedWeights } from './rounding.ts';

const w = Float32Array.of(0.9, -0.4, 0.05, 0, -1.2, 0.3);

test('three values are those of the ternary trunk', () => {
  const [mine, theirs] = [roundedWeights(w, 3), ternaryWeights(w)];
  mine.forEach((x, i) => {
    expect(x).toBeCloseTo(theirs[i] ?? Number.NaN, 6);
  });
});

test('more values lie closer, at most as many as were asked for; all of them change nothing', () => {
  const far = (levels: 3 | 7 | 15 | 255): number => roundedWeights(w, levels).reduce((sum, x, i) => sum + Math.abs(x - (w[i] ?? 0)), 0);
  expect(far(255)).toBeLessThan(far(15));
  expect(far(15)).toBeLessThan(far(3));
  expect(
    new Set(
      roundedWeights(
        Float32Array.from({ length: 500 }, (_, i) => Math.sin(i)),
        7,
      ),
    ).size,
  ).toBe(7);
  expect(roundedWeights(w, null)).toBe(w);
  expect([bitsOf(3), bitsOf(null)].map((bits) => bits.toFixed(2))).toEqual(['1.58', '32.00']);
});
