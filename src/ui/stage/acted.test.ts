import { expect, test } from 'vitest';
import { spansOf } from './acted.ts';

test('stretches in which a person acted, whichever agent; none where nobody or only a person acted', () => {
  expect(spansOf(Int16Array.of(-1, 0, 2, -1, -1, 1))).toEqual([
    [1, 3],
    [5, 6],
  ]);
  expect(spansOf(Int16Array.of(0, 0))).toEqual([]);
  expect(spansOf(Int16Array.of(-1, -1))).toEqual([]);
  expect(spansOf(undefined)).toEqual([]);
});
