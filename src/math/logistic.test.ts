import { expect, test } from 'vitest';
import { logisticFit, sigmoid } from './logistic.ts';

const examples = [
  [1, 0, 2],
  [0, 1, 0],
  [2, 0, 1],
  [0, 2, 1],
  [1, 1, 0],
  [0, 1, 2],
];
const first = [true, false, true, false, true, false];
const loss = (bias: number, weights: readonly number[], ridge: number): number =>
  examples.reduce((sum, x, i) => {
    const z = bias + x.reduce((a, b, k) => a + b * weights[k]!, 0);
    return sum + Math.log1p(Math.exp(first[i] ? -z : z));
  }, 0) +
  (ridge / 2) * weights.reduce((sum, w) => sum + w * w, 0) +
  0.005 * bias * bias;

test('nothing near the fit has a smaller loss', () => {
  const { bias, weights } = logisticFit(examples, first, 0.7);
  const best = loss(bias, weights, 0.7);
  for (const step of [-0.01, 0.01]) {
    expect(loss(bias + step, weights, 0.7)).toBeGreaterThan(best);
    for (let k = 0; k < 3; k++)
      expect(
        loss(
          bias,
          weights.map((w, j) => (j === k ? w + step : w)),
          0.7,
        ),
      ).toBeGreaterThan(best);
  }
});

test('says on which side each example lies, and a stronger ridge says less', () => {
  const { bias, weights } = logisticFit(examples, first, 0.1);
  expect(examples.map((x) => sigmoid(bias + x.reduce((a, b, k) => a + b * weights[k]!, 0)) > 0.5)).toEqual(first);
  const weaker = logisticFit(examples, first, 10).weights;
  expect(Math.hypot(...weaker)).toBeLessThan(Math.hypot(...weights));
});

test('examples of one kind alone, alike or far apart, leave it finite', () => {
  for (const [x, y] of [
    [
      [[1], [1]],
      [true, true],
    ],
    [
      [[0], [40]],
      [false, true],
    ],
    [[[3, 3]], [false]],
  ] as const) {
    const { bias, weights } = logisticFit(x, y, 1);
    expect([bias, ...weights].every(Number.isFinite)).toBe(true);
  }
});
