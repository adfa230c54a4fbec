import { expect, test } from 'vitest';
import { checkedJson } from './bounded.ts';
import { MOST_VALUES } from './json.ts';

const takes = (value: unknown): boolean => checkedJson.safeParse(value).success;

test('every value of what may be anything is looked at', () => {
  for (const value of [null, '', 0, false, [], {}, { a: [1, { b: ['c', null] }] }]) expect(takes(value), JSON.stringify(value)).toBe(true);
  const circle: unknown[] = [];
  circle.push(circle);
  for (const value of [undefined, () => 1, Number.NaN, Number.POSITIVE_INFINITY, new Float32Array(1), new Map(), new Date(), 1n, circle])
    for (const given of [value, [value], { a: { b: value } }]) expect(takes(given)).toBe(false);
});

test('no more values than a text may have, at a cost that ends with them', () => {
  expect(takes(Array.from({ length: MOST_VALUES - 1 }, () => 0))).toBe(true);
  expect(takes(Array.from({ length: MOST_VALUES }, () => 0))).toBe(false);
  expect(takes(Array.from({ length: 600 }, () => Array.from({ length: 600 }, () => 0)))).toBe(false);
});
