import { expect, test } from 'vitest';
import { stopCheck } from './stop-rules.ts';

const standing = (step: number, value: number) => ({ step, row: { episodicReturn: value }, seconds: 1, episodes: 5, meanReturn: value });
const rung = (step: number, bound: number, seed = 7) => ({ seed, step, metric: 'episodicReturn', better: 'more' as const, bound });

test('a run ends at the first row at or after a step where it had to reach more, and only there', () => {
  const check = stopCheck(7, 0);
  const rules = { rungs: [rung(100, 5), rung(200, 9)] };
  expect(check(rules, standing(90, 0))).toBeNull();
  expect(check(rules, standing(110, Number.NaN))).toBeNull(); // nothing was measured yet
  expect(check(rules, standing(120, 6))).toBeNull();
  expect(check(rules, standing(130, 1))).toBeNull(); // the row that counts was above
  expect(check(rules, standing(210, 8))).toContain('8, 9 was needed');
});

test('rules of other seeds, and steps that were passed before it went on, end nothing', () => {
  expect(stopCheck(7, 0)({ rungs: [rung(100, 5, 8)] }, standing(100, 0))).toBeNull();
  expect(stopCheck(7, 150)({ rungs: [rung(100, 5)] }, standing(160, 0))).toBeNull();
  expect(stopCheck(7, 150)({ rungs: [rung(155, 5)] }, standing(160, 0))).toContain('was needed');
});
