import { expect, test } from 'vitest';
import type { Outcome } from '#lessons/define.ts';
import { foundSentence, predictionText } from './found.ts';

const of = (...values: readonly (number | null)[]): Outcome => values.map((finalReturn) => ({ finalReturn, evalReturn: null }));

test('one run: its mean and the range of its seeds', () => {
  const sentence = foundSentence([{ label: 'epsilon 0.1', outcome: of(0.9, 1) }], 'finalReturn');
  expect(sentence).toBe('Return of “epsilon 0.1”: 0.95 (while learning, at the end, mean over 2 seeds; single seeds from 0.9 to 1).');
  expect(foundSentence([{ label: 'one', outcome: of(3) }], 'finalReturn')).toBe('Return of “one”: 3 (while learning, at the end).');
});

test('two runs: by how much, and whether their seeds overlap', () => {
  const sarsa = { label: 'SARSA', outcome: of(-26, -28) };
  expect(foundSentence([{ label: 'Q-learning', outcome: of(-48, -50) }, sarsa], 'finalReturn')).toBe(
    '“SARSA” has 22 more return than “Q-learning”: −27 and −49 (while learning, at the end, mean over 2 seeds). Fewer than five seeds do not tell whether it would be so with others.',
  );
  expect(foundSentence([sarsa, { ...sarsa, label: 'again' }], 'finalReturn')).toBe(
    'All have the same return: −27 (while learning, at the end, mean over 2 seeds).',
  );
});

test('whether the order is more than chance is said by the one rule of comparing, not by the ranges of single seeds', () => {
  // As on the last step about the cliff: single seeds touch, the intervals of the interquartile means do not.
  const sarsa = { label: 'SARSA', outcome: of(-22, -25, -26, -27, -28, -28, -29, -30, -31, -34) };
  const other = { label: 'Q-learning', outcome: of(-30, -44, -47, -49, -50, -52, -54, -56, -58, -64) };
  expect(foundSentence([other, sarsa], 'finalReturn')).toBe(
    '“SARSA” has 23 more return than “Q-learning”: −28 and −51 (while learning, at the end, interquartile mean over 10 seeds). By the rule of comparing, “SARSA” is above “Q-learning”.',
  );
  const near = { label: 'near', outcome: of(-20, -25, -27, -29, -31, -33, -30, -28, -26, -36) };
  expect(foundSentence([near, sarsa], 'finalReturn')).toContain('there is no winner');
});

test('many runs: the highest and the lowest', () => {
  const runs = [1, 3, 2].map((value) => ({ label: `e ${value}`, outcome: of(value) }));
  expect(foundSentence(runs, 'finalReturn')).toBe('Highest return: 3 with “e 3”. Lowest: 1 with “e 1” (while learning, at the end).');
});

test('nothing is said of runs that have not finished, and a seed without a measure is named', () => {
  expect(foundSentence([], 'finalReturn')).toBeNull();
  expect(foundSentence([{ label: 'a', outcome: null }], 'finalReturn')).toBeNull();
  expect(foundSentence([{ label: 'a', outcome: of(1, null) }], 'finalReturn')).toBe('Nothing was measured for “a”.');
});

test('a prediction as it was given', () => {
  const choice = { kind: 'choice', ask: '', options: ['low', 'high'] } as const;
  expect(predictionText(choice, 1)).toBe('high');
  expect(predictionText({ kind: 'number', ask: '', unit: 'points', min: 0, max: 9 }, 4)).toBe('4 points');
  expect(predictionText(choice, undefined)).toBe('');
  expect(predictionText(undefined, 1)).toBe('');
});
