import { expect, test } from 'vitest';
import { BANDS, bandsOf, netOf, partOf, rangeOf, spreadOf } from './paint.ts';

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

test('a plane: all places within the picture, none stretched; neighbours are joined, others not', () => {
  const o = Number.NaN;
  const at = [0, 0, 10, 0, o, o, 0, 5, 10, 5, 20, 5]; // a lattice of 3 x 2 whose third point is wall
  const { aspect, of } = spreadOf(at);
  const places = [0, 1, 3, 4, 5].map((point) => of(at[2 * point]!, at[2 * point + 1]!));
  for (const [x, y] of places) {
    expect(Math.min(x, y)).toBeGreaterThan(0);
    expect(Math.max(x, y)).toBeLessThan(1);
  }
  const [[x0, y0], [x1], , [, y4]] = places as [number, number][] as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  expect((x1 - x0) * aspect).toBeCloseTo(2 * (y0 - y4), 9); // ten to the right, five up
  expect(netOf(at, { columns: 3, lines: 2 })).toEqual([
    [0, 1],
    [0, 3],
    [1, 4],
    [3, 4],
    [4, 5],
  ]);
});
