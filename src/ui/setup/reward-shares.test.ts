import { expect, it } from 'vitest';
import { addedUp, sharesAt } from './reward-shares.ts';

it('shares are of what has been paid and taken so far, and stay where the episode ends', () => {
  const sums = addedUp(Float64Array.of(1, -1, 2, -1, 0, -4), 2);
  expect(sharesAt(sums, 2, 0)).toEqual([
    { amount: 0, share: 0 },
    { amount: 0, share: 0 },
  ]);
  expect(sharesAt(sums, 2, 2)).toEqual([
    { amount: 3, share: 0.6 },
    { amount: -2, share: 0.4 },
  ]);
  expect(sharesAt(sums, 2, 3).map(({ amount }) => amount)).toEqual([3, -6]);
  expect(sharesAt(sums, 2, 99)).toEqual(sharesAt(sums, 2, 3));
});
