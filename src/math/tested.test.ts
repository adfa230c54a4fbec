import { expect, test } from 'vitest';
import { shareInterval, testedBy } from './tested.ts';

test('shares of games have the interval of Wilson', () => {
  // Brown, Cai and DasGupta 2001: 10 of 10 and 8 of 10
  expect(shareInterval(1, 10)[0]).toBeCloseTo(0.7225, 4);
  expect(shareInterval(1, 10)[1]).toBe(1);
  expect(shareInterval(0.8, 10)[0]).toBeCloseTo(0.4902, 4);
  expect(shareInterval(0.8, 10)[1]).toBeCloseTo(0.9433, 4);
  const { value, low, high, episodes } = testedBy([1, 1, 0.5, 0.5], true);
  expect([value, low, high, episodes]).toEqual([0.75, ...shareInterval(0.75, 4), 4]);
});

test('returns have the interval of Student, and a few episodes a wide one', () => {
  const { value, low, high, error } = testedBy([1, 2, 3, 4, 5], false);
  expect(value).toBe(3);
  expect(high - 3).toBeCloseTo((2.7764 * Math.sqrt(2.5)) / Math.sqrt(5), 3);
  expect(3 - low).toBeCloseTo(high - 3, 12);
  expect(error).toBeCloseTo((high - 3) / 1.95996, 4);
  expect(testedBy([7, 7, 7], false)).toMatchObject({ value: 7, low: 7, high: 7, error: 0 });
  expect(testedBy([7], false)).toMatchObject({ value: 7, error: Number.POSITIVE_INFINITY });
});
