import { expect, test } from 'vitest';
import { expectSame, expectSameArrays } from './same-numbers.ts';

test('any difference is found: a value, a zero of the other sign, a length, a name', () => {
  expectSame(Float32Array.of(1, Number.NaN, -0), [1, Number.NaN, -0], 'a');
  expect(() => expectSame([1, 2], [1, 3], 'a')).toThrow('a: number 1 of 2 is 2, wanted 3 of 2');
  for (const other of [[0], [], [-0, 1]]) expect(() => expectSame(other, [-0], 'a')).toThrow('a: number');
  expect(() => expectSameArrays({ x: [1] }, { x: [1], y: [] }, '')).toThrow();
  expect(() => expectSameArrays({ x: [1] }, { x: [2] }, 'late')).toThrow('x late: number 0');
});
