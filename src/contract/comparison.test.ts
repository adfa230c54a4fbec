import { expect, test } from 'vitest';
import { judgePair, normalised, type Sample } from './comparison.ts';

const sample = (name: string, ...tasks: readonly (readonly number[])[]): Sample => ({
  name,
  tasks: new Map(tasks.map((scores, i) => [`task ${i}`, scores])),
});
const more = { better: 'more', comparable: true } as const;
const high = [10, 11, 12, 13, 14];
const low = [1, 2, 3, 4, 5];

test('a winner stands with its chance, the interval and the seeds', () => {
  expect(judgePair(sample('A', high), sample('B', low), more)).toMatchObject({
    state: 'first',
    text: 'A above B: 1.00 [1.00, 1.00], 5 seeds.',
  });
  expect(judgePair(sample('A', low), sample('B', high), more)).toMatchObject({
    state: 'second',
    text: 'B above A: 1.00 [1.00, 1.00], 5 seeds.',
  });
  expect(judgePair(sample('A', low), sample('B', high), { ...more, better: 'less' }).text).toBe(
    'A sooner than B: 1.00 [1.00, 1.00], 5 seeds.',
  );
});

test('no winner below five seeds', () => {
  const { state, text } = judgePair(sample('A', high.slice(1)), sample('B', low), more);
  expect(state).toBe('few');
  expect(text).toBe('A above B: 1.00, only 4 seeds. No verdict below 5 seeds.');
});

test('no winner where intervals overlap, though one wins more often than not', () => {
  const found = judgePair(sample('A', [1, 5, 6, 7, 8, 9]), sample('B', [2, 3, 4, 5.5, 6.5, 7.5]), more);
  expect(found.p).toBeGreaterThan(0.5);
  expect(found.state).toBe('open');
  expect(found.text).toMatch(/^A and B cannot be told apart: 0\.\d\d \[/);
});

test('only tasks that both have count, and scores of other scales are not pooled', () => {
  expect(judgePair(sample('A', high), { name: 'B', tasks: new Map([['other', low]]) }, more).state).toBe('none');
  const large = low.map((score) => 1000 * score);
  const a = sample('A', high, large);
  const b = sample(
    'B',
    low,
    large.map((score) => score - 1),
  );
  expect(judgePair(a, b, { better: 'more', comparable: false }).state).toBe('open'); // told apart on one task of two
});

test('normalised scores', () => {
  expect(normalised([0, 5, 10], 0, 10)).toEqual([0, 0.5, 1]);
  expect(normalised([3], 3, 3)).toEqual([0]);
});
