import { expect, it } from 'vitest';
import type { AnswerGroup, GroupAnswer } from '#contract/run/tokens.ts';
import { factorOf, movedInWords } from './moved.ts';

const answer = (solved: number, logProb: number | null): GroupAnswer => ({
  tokens: [{ id: 3, written: true, logProb }],
  logProb,
  reward: solved,
  terms: [],
  measures: { solved },
  advantage: null,
  dropped: false,
});
const group = (...answers: readonly GroupAnswer[]): AnswerGroup => ({ prompt: [], asked: '', comparison: null, answers });

it('the factor is the geometric mean over answers of one verdict, and the sentence names those there are', () => {
  const before = group(answer(1, Math.log(0.1)), answer(1, Math.log(0.2)), answer(0, Math.log(0.4)));
  const after = group(answer(1, Math.log(0.4)), answer(1, Math.log(0.2)), answer(0, Math.log(0.1)));
  expect(factorOf(before, after, true)).toBeCloseTo(2, 12);
  expect(factorOf(before, after, false)).toBeCloseTo(0.25, 12);
  expect(movedInWords(before, after)).toBe('Right answers are 2 times as probable as when they were written, wrong ones 0.25 times.');
  const wrong = group(answer(0, -1));
  expect(factorOf(wrong, wrong, true)).toBeNull();
  expect(movedInWords(wrong, wrong)).toMatch(/^These answers, all wrong, are 1 times/);
  expect(movedInWords(group(answer(1, null)), group(answer(1, null)))).toBe('This policy gives no probabilities.');
});
