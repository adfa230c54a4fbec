import { expect, test } from 'vitest';
import type { Counterfactual, Future } from '#contract/explain/counterfactual.ts';
import { binsOf, verdict } from './histogram.ts';

test('both sides share their bins, and every continuation is in one', () => {
  const bins = binsOf([
    [0, 1, 2],
    [2, 2, 4],
  ]);
  expect(bins.counts.map((side) => side.reduce((a, b) => a + b, 0))).toEqual([3, 3]);
  expect(bins.low).toBeLessThan(0);
  expect(bins.high).toBeGreaterThan(4);
  const alone = binsOf([[3, 3], [3]]);
  expect(alone.high).toBeGreaterThan(alone.low);
  expect(alone.most).toBe(2);
});

const future = (returns: readonly number[]): Future => ({
  returns,
  mean: returns.reduce((a, b) => a + b, 0) / returns.length,
  halfWidth: 0,
  replay: {} as never,
});
const answer = (was: number[], is: number[], half: number): Counterfactual => ({
  asItWas: future(was),
  changed: future(is),
  difference: future(is).mean - future(was).mean,
  differenceHalfWidth: half,
  steps: 10,
});

test('the difference in words', () => {
  expect(verdict(answer([1, 1], [1, 1], 0))).toBe('nothing changes.');
  expect(verdict(answer([3, 3], [1, 1], 0))).toBe('the return is 2 lower (3 becomes 1); nothing is left to chance here.');
  expect(verdict(answer([1, 3], [2, 3], 0.9))).toContain('no significant difference (0.50 ± 0.90');
  expect(verdict(answer([1, 3], [5, 6], 0.5))).toBe('the return changes by 3.50 ± 0.50, from 2 to 5.5 on average: better.');
});
