import { expect, test } from 'vitest';
import { nextOf, timesOf } from './turns.ts';

test('finds the frames of an action of one agent among others, whatever numbers an action has', () => {
  const two = { actions: Float32Array.of(0, 1, 1, 1, 1, 0), reward: new Float32Array(6) };
  expect(timesOf(two, 2, 0, 1)).toEqual([1, 2]);
  expect(timesOf(two, 2, 1, 1)).toEqual([0, 1]);
  const wide = { actions: Float32Array.of(3, 9, 4, 9, 3, 9), reward: new Float32Array(3) };
  expect(timesOf(wide, 1, 0, 3)).toEqual([0, 2]);
  expect(timesOf(wide, 1, 0, 7)).toEqual([]);
});

test('goes on to the next one, and from the last to the first', () => {
  expect(nextOf([2, 5, 9], 2)).toBe(5);
  expect(nextOf([2, 5, 9], 9)).toBe(2);
  expect(nextOf([], 3)).toBeUndefined();
});
