import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ago } from './ago.ts';
import { alike, bytes, clock, compact, editable, measure, parseNumber } from './numbers.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

test.each([
  [0, '0'],
  [7, '7'],
  [999, '999'],
  [1234, '1 234'],
  [12_345, '12.3 k'],
  [148_200, '148 k'],
  [999_400, '999 k'],
  [999_600, '1 M'],
  [1_200_000, '1.2 M'],
  [2_500_000_000, '2.5 G'],
  [Number.NaN, '–'],
])('compact(%d) is %s', (value, text) => expect(plain(compact(value))).toBe(text));

test.each([
  [0, '0'],
  [500, '500'],
  [-13, '−13'],
  [0.74419, '0.7442'],
  [487.34999, '487.3'],
  [0.0000321, '3.21e-5'],
  [-0.000674, '−6.74e-4'],
  [null, '–'],
  [Number.POSITIVE_INFINITY, '–'],
])('measure(%s) is %s', (value, text) => expect(measure(value)).toBe(text));

test.each([
  [6, '0:06'],
  [760, '12:40'],
  [3730, '1:02:10'],
  [Number.NaN, '–'],
])('clock(%d) is %s', (seconds, text) => expect(clock(seconds)).toBe(text));

test.each([
  ['3e-4', 3e-4],
  ['1.2 M', 1.2e6],
  ['50k', 50_000],
  ['−5', -5],
  ['1,000,000', 1e6],
  ['1 000', 1000],
  ['.5', 0.5],
  ['20 %', 0.2],
])('parseNumber(%s) is %d', (text, value) => expect(parseNumber(text)).toBeCloseTo(value, 12));

test.each(['', 'NaN', 'Infinity', 'abc', '1..2', '1e', '--1', '0x10'])('parseNumber(%s) is not a number', (text) =>
  expect(parseNumber(text)).toBeNaN(),
);

test('what stands in a field reads back as the same number', () => {
  fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => parseNumber(editable(value)) === value));
});

test('bytes and times', () => {
  expect(plain(bytes(22_000))).toBe('22 kB');
  expect(plain(bytes(1.5e9))).toBe('1.5 GB');
  expect(ago(0, 30_000)).toBe('just now');
  expect(ago(0, 180_000)).toBe('3 minutes ago');
});

test('numbers beside each other have the same decimals', () => {
  expect([84, 83.67].map(alike([84, 83.67]))).toEqual(['84.00', '83.67']);
  expect([84, 83].map(alike([84, 83]))).toEqual(['84', '83']);
  expect([1234.5, 0.1234].map(alike([1234.5, 0.1234]))).toEqual(['1235', '0']);
  expect([-0.5, 0.25, -0.001].map(alike([-0.5, 0.25, -0.001]))).toEqual(['−0.500', '0.250', '−0.001']);
  expect([-0.4, -20].map(alike([-0.4, -20.5]))).toEqual(['−0.4', '−20.0']);
  expect([-0.2, 900].map(alike([-0.2, 900]))).toEqual(['−0.2', '900.0']);
  expect([3e-5].map(alike([3e-5]))).toEqual(['3.00e-5']);
});
