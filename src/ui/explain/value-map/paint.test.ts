import { expect, test } from 'vitest';
import { BANDS, bandsOf, partOf, rangeOf } from './paint.ts';

test('the range leaves out what is no number', () => {
  expect(rangeOf([Number.NaN, 3, -2, Infinity])).toEqual([-2, 3]);
  expect(rangeOf([Number.NaN])).toEqual([0, 0]);
});

test('bands follow the order, equally many places in each; equal numbers share one', () => {
  const bands = bandsOf(Array.from({ length: 10 * BANDS }, (_, i) => -(i ** 3)));
  expect(bands[0]).toBe(1);
  expect(bands.at(-1)).toBe(0);
  expect(new Set(bands).size).toBe(BANDS);
  for (const band of new Set(bands)) expect(bands.filter((one) => one === band)).toHaveLength(10);
  expect(bandsOf([5, Number.NaN, 5, 5])).toEqual([0, Number.NaN, 0, 0]);
});

test('the part leaves out lines and columns without numbers', () => {
  const [o, x] = [Number.NaN, 1];
  expect(partOf([o, o, o, o, o, x, x, o, o, o, x, o], { columns: 4, lines: 3 })).toEqual({ left: 1, below: 1, columns: 2, lines: 2 });
  expect(partOf([o, o], { columns: 2, lines: 1 })).toEqual({ left: 0, below: 0, columns: 1, lines: 1 });
});
