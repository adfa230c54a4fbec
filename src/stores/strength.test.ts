import { expect, test } from 'vitest';
import { strengthStore, strengths } from './strength.ts';

test('tests of one policy add up, stand by step, and redraw', () => {
  const before = strengthStore.getState().version;
  strengths.add('a', 1, 900, 'return', Float64Array.of(4, 6));
  strengths.add('a', 1, 100, 'return', Float64Array.of(1, 3));
  strengths.add('a', 1, 900, 'return', Float64Array.of(5, 5));
  expect(strengthStore.getState().version).toBe(before + 3);
  const series = strengths.series('a', 1);
  expect([...(series?.steps ?? [])]).toEqual([100, 900]);
  expect([...(series?.values ?? [])]).toEqual([2, 5]);
  expect([...(series?.episodes ?? [])]).toEqual([2, 4]);
  expect(series!.low[1]!).toBeLessThan(5);
  expect(strengths.tested('a', 1).get(900)).toBe(4);
  expect(strengths.kind('a')).toBe('return');
  expect(strengths.random('a')).toBeNull(); // its world knows what random play returns
});

test('wins against random play: random play itself is even', () => {
  strengths.add('b', 1, 10, 'share of wins against random', Float64Array.of(1, 0.5, 1, 0.5));
  expect(strengths.random('b')?.value).toBe(0.5);
  expect(strengths.series('b', 1)?.high[0]).toBeLessThan(1);
});

test('an end is spoken of where the newest policy of every seed was tested', () => {
  const seeds = [
    { seed: 1, step: 100 },
    { seed: 2, step: 100 },
  ];
  for (const seed of [1, 2]) strengths.add('e', seed, 10, 'return', Float64Array.of(1, 2));
  strengths.add('e', 1, 100, 'return', Float64Array.of(1, 2));
  expect(strengths.reached('e', seeds)).toBe(false);
  strengths.add('e', 2, 100, 'return', Float64Array.of(1, 2));
  expect(strengths.reached('e', seeds)).toBe(true);
});

test('what a run forgets of its policies it forgets of their tests', () => {
  for (const step of [10, 20, 30]) strengths.add('c', 1, step, 'return', Float64Array.of(step, step));
  strengths.cut('c', 1, 20);
  expect([...(strengths.series('c', 1)?.steps ?? [])]).toEqual([10, 20]);
  strengths.drop('c');
  expect(strengths.series('c', 1)).toBeNull();
  expect(strengths.kind('c')).toBeNull();
});
