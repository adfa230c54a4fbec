import { expect, test } from 'vitest';
import type { Quantity } from '#contract/papers/papers.ts';
import { quantityOf } from './quantity.ts';

const curves = new Map([
  ['episodicReturn', { steps: [100, 300, 500, 600, 800], values: [9, Number.NaN, 2, 6, 7] }], // the first is of other worlds
]);
const level = (more: Partial<{ log10: true; since: number }>, reaches = 6): number | null => {
  const quantity: Quantity = { title: 'steps', metric: 'episodicReturn', reaches, ...more };
  return quantityOf(quantity, 'more', {}, curves, 1000);
};

test('steps to a level count from the share of the budget that they are asked from', () => {
  expect(level({})).toBe(100);
  expect(level({ since: 0.4 })).toBe(200);
  expect(level({ since: 0.4, log10: true })).toBeCloseTo(Math.log10(200));
});

test('a level that is never reached stands for all steps from there on', () => {
  expect(level({ since: 0.4 }, 8)).toBe(600);
  expect(level({}, 10)).toBe(1000);
});

test('what is got elsewhere is read of greedy episodes, or of drawn ones, and is missing where it was not measured', () => {
  const outcome = { elsewhere: { return: 0.4, solved: 0.5 }, elsewhereDrawn: { return: 0.6, solved: 0.75 } };
  const read = (quantity: object, of: object) => quantityOf({ title: 'elsewhere', ...quantity } as Quantity, 'more', of, curves, 1000);
  expect(read({ elsewhere: 'solved' }, outcome)).toBe(0.5);
  expect(read({ elsewhere: 'solved', drawn: true }, outcome)).toBe(0.75);
  expect(read({ elsewhere: 'return', drawn: true }, outcome)).toBe(0.6);
  expect(read({ elsewhere: 'solved', drawn: true }, { elsewhere: outcome.elsewhere })).toBeNull();
});
