import { expect, test } from 'vitest';
import { certaintyWords, standingOfChoice } from './certainty.ts';
import type { ActionRow } from './inspect.ts';
import { decisionWords, likeliest, settingWords } from './simple.ts';

const rows = (probabilities: readonly number[], q: readonly number[] = []): readonly ActionRow[] =>
  probabilities.map((probability, action) => ({
    action,
    label: ['left', 'right', 'up', 'down', 'wait', 'jump'][action]!,
    probability,
    q: q[action] ?? Number.NaN,
    chosen: action === 0,
  }));
const none = (n: number): number[] => new Array<number>(n).fill(Number.NaN);

test('how sure a choice is, in a sentence with its own numbers', () => {
  expect(decisionWords(rows([0.97, 0.03]))).toBe('It is nearly sure here: left.');
  expect(decisionWords(rows([0.2, 0.8]))).toBe('It leans to right: 80 of 100 times.');
  expect(decisionWords(rows([0.52, 0.48]))).toBe('It is close to chance here: left 52\u00a0%, right 48\u00a0%.');
  expect(decisionWords(rows([0.6, 0.4]))).toBe('It is unsure here: left 60\u00a0%, right 40\u00a0%.');
  expect(decisionWords(rows([0.3, 0.3, 0.4]))).toBe('It is unsure here: up 40\u00a0%, left 30\u00a0%.');
});

test('a method that chooses by values rates, and says where it rates alike', () => {
  expect(decisionWords(rows(none(3), [1, 3, 2]))).toBe('It rates “right” highest here.');
  expect(decisionWords(rows(none(3), [0, 0, 0]))).toBe('All 3 actions are worth the same to it: it takes the first, left.');
  expect(decisionWords(rows(none(3), [0, 2, 2]))).toBe('These are worth the same to it, and the most: right, up.');
  expect(decisionWords([])).toBe('');
  // The first of equals is taken each time, which is no certainty.
  expect(decisionWords(rows([1, 0, 0], [0, 0, 0]))).toBe('All 3 actions are worth the same to it: it takes the first, left.');
  expect(decisionWords(rows([1, 0, 0], [1, 0, 1]))).toBe('These are worth the same to it, and the most: left, up. It takes the first.');
  expect(decisionWords(rows([1, 0, 0], [2, 0, 0]))).toBe('It is nearly sure here: left.');
});

test('of many actions the likeliest stay, in their own order', () => {
  expect(likeliest(rows([0.1, 0.3, 0.05, 0.2, 0.15, 0.2])).map(({ label }) => label)).toEqual(['right', 'down', 'wait', 'jump']);
  expect(likeliest(rows([0.5, 0.5]))).toHaveLength(2);
});

test('of several numbers that a continuous policy sets the sentence names the furthest from its middle, whatever the range', () => {
  const setting = (name: string, value: number, low = -1, high = 1) => ({ name, low, high, value });
  expect(settingWords([])).toBe('');
  expect(settingWords([setting('force', 0.5)])).toBe('It sets force to 0.5 here; the range is \u22121 to 1.');
  expect(settingWords([setting('force x', 0.2), setting('force y', -0.9)])).toBe(
    'It sets 2 numbers here. Furthest from the middle of its range is force y: \u22120.9, in a range of \u22121 to 1.',
  );
  // 8 of 0 to 10 is 0.6 of the way to an end, 0.5 of -1 to 1 half of it
  expect(settingWords([setting('force x', 0.5), setting('fuel', 8, 0, 10)])).toMatch(/is fuel: 8, in a range of 0 to 10\.$/);
  expect(settingWords([setting('force x', 0.02), setting('force y', -0.05)])).toBe(
    'It sets 2 numbers here, all of them near the middle of their ranges.',
  );
});

test('simple and full words come of one rule: a choice that leans at one depth is not chance at the other', () => {
  const table: readonly (readonly [probabilities: readonly number[], words: string, sentence: RegExp])[] = [
    [[0.733, 0.267], 'leaning to left', /^It leans to left: 73/],
    [[0.29, 0.71], 'leaning to right', /^It leans to right: 71/],
    [[0.96, 0.04], 'nearly sure', /^It is nearly sure/],
    [[0.6, 0.4], 'unsure', /^It is unsure/],
    [[0.53, 0.47], 'close to chance', /^It is close to chance/],
    [[0.27, 0.25, 0.24, 0.24], 'close to chance', /^It is close to chance/],
    [[0.4, 0.2, 0.2, 0.2], 'unsure', /^It is unsure/],
  ];
  for (const [probabilities, words, sentence] of table) {
    expect(certaintyWords(standingOfChoice(rows(probabilities)))).toBe(words);
    expect(decisionWords(rows(probabilities))).toMatch(sentence);
  }
  expect(certaintyWords(standingOfChoice(rows([1, 0, 0, 0], [0, 0, 0, 0])))).toBe('a tie');
});
