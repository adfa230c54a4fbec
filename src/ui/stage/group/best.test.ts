/** Best-of-N: what is paid rises with N whatever the judge, a true score only as far as the judge knows it. */
import { expect, test } from 'vitest';
import type { GroupAnswer } from '#contract/run/tokens.ts';
import { bestOfEach, learnedRows, truths } from './best.ts';

const answer = (reward: number, grammar: number): GroupAnswer => ({
  tokens: [],
  logProb: -1,
  reward,
  terms: [],
  measures: { 'judge-grammar': grammar },
  advantage: null,
  dropped: false,
});

test('a judge that likes what is no sentence is paid more and worth less', () => {
  const group = { answers: [answer(0.1, 1), answer(0.2, 1), answer(0.9, 0), answer(0.3, 0.5)] };
  const found = bestOfEach([group, group], 'judge-grammar');
  expect(found.map(({ N }) => N)).toEqual([1, 2, 4]);
  expect(found[0]).toMatchObject({ kl: 0, paid: 0.375, true: 0.625 });
  expect(found[2]).toMatchObject({ paid: 0.9, true: 0 });
  expect(found[1]!.paid).toBeGreaterThan(found[0]!.paid);
});

test('exact judges are held against what is paid, the fitted one never; else whether it is right', () => {
  const card = (id: string) => ({ id, title: id, description: '' });
  expect(truths({ measures: ['solved', 'judge-grammar', 'judge-own'].map(card) }).map(({ id }) => id)).toEqual(['judge-grammar']);
  expect(truths({ measures: ['solved', 'wellFormed'].map(card) }).map(({ id }) => id)).toEqual(['solved']);
});

test('two curves of a run meet where both were measured', () => {
  const rows = learnedRows({ steps: [1, 2, 3], values: [0.1, 0.2, 0.3] }, { steps: [2, 3], values: [0.9, 0.8] });
  expect(rows).toEqual([
    { x: 2, paid: 0.2, true: 0.9 },
    { x: 3, paid: 0.3, true: 0.8 },
  ]);
  expect(learnedRows(null, null)).toEqual([]);
});
