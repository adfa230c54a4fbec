import { expect, test } from 'vitest';
import { HELD_OUT, heldOutPresets } from '#contract/catalog/rule-tasks.ts';
import { judgedPapers } from './papers/index.ts';

test('each of the twenty tasks made by hand stands in all twenty and in one family of P039', () => {
  const arms = judgedPapers.find(({ id }) => id === 'P039')?.arms.filter(({ id }) => id.startsWith('uniform')) ?? [];
  const [all, ...families] = arms.map(({ against = [] }) => against.map((config) => JSON.stringify(config)));
  const texts = heldOutPresets.map(({ config }) => JSON.stringify(config));
  expect(texts).toHaveLength(HELD_OUT.length);
  expect(all).toEqual(texts);
  expect(families).toHaveLength(4);
  expect(families.flat().toSorted()).toEqual(texts.toSorted());
});
