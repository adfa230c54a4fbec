import { expect, test } from 'vitest';
import { spread } from './explain.ts';

test('points over training: the ends first, then halves; never one twice', () => {
  const all = Array.from({ length: 41 }, (_, i) => i * 100);
  expect(spread(all, [], 5)).toEqual([4000, 0, 2000, 1000, 3000]);
  expect(spread(all, [4000, 0, 2000], 3)).toEqual([1000, 3000, 500]);
  expect([...spread([1, 2, 3], [], 9)].sort()).toEqual([1, 2, 3]);
  expect(spread([], [], 4)).toEqual([]);
});
