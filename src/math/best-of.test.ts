import { expect, test } from 'vitest';
import { bestOf, bestOfKl } from './best-of.ts';

const judge = [0.3, 0.9, 0.1, 0.6, 0.6];
const value = [1, 0, 0.4, 0.8, 0.2];

/** Over all choices, by hand. */
function byHand(N: number): number {
  const chosen: number[] = [];
  const go = (at: number, held: readonly number[]): void => {
    if (held.length === N) {
      const most = Math.max(...held.map((i) => judge[i]!));
      const best = held.filter((i) => judge[i] === most);
      chosen.push(best.reduce((sum, i) => sum + value[i]!, 0) / best.length);
      return;
    }
    for (let i = at; i < judge.length; i++) go(i + 1, [...held, i]);
  };
  go(0, []);
  return chosen.reduce((a, b) => a + b) / chosen.length;
}

test.each([1, 2, 3, 4, 5])('the best of %i of five is that of all choices of so many', (N) => {
  expect(bestOf(judge, value, N)).toBeCloseTo(byHand(N), 12);
});

test('one is the mean, all are the best one', () => {
  expect(bestOf(judge, value, 1)).toBeCloseTo(0.48, 12);
  expect(bestOf(judge, value, 5)).toBe(0);
  expect(bestOf([1, 1, 1], [0, 1, 0.5], 2)).toBeCloseTo(0.5, 12);
});

test('KL is none for one and grows', () => {
  expect(bestOfKl(1)).toBe(0);
  expect(bestOfKl(2)).toBeCloseTo(Math.log(2) - 0.5, 12);
  expect(bestOfKl(64)).toBeGreaterThan(bestOfKl(16));
});
