import { beforeEach, expect, test } from 'vitest';
import { answerMarks, auditOf, fittedTo, LEAST_MARKS, markOf } from './marks.ts';

const sentence = (text: string, good: boolean, reward = 0.5, runId: string | null = null) => ({
  words: text.split(' '),
  good,
  reward,
  runId,
});
const TEN = [
  ...['tom hugged the dog .', 'mia helped tom .', 'the dog was happy .', 'they hugged .', 'tom was glad .'].map((text) =>
    sentence(text, true),
  ),
  ...['tom was sad .', 'the cat was lost .', 'mia lost the ball .', 'sad tom cried .', 'the ball was lost .'].map((text) =>
    sentence(text, false),
  ),
];

beforeEach(() => {
  for (const mark of answerMarks.getState().marks) answerMarks.getState().mark(mark);
});

test('a mark is taken away by the same press, and changed by the other', () => {
  const { mark } = answerMarks.getState();
  mark(sentence('tom was glad .', true));
  mark(sentence('tom was glad .', false));
  expect(markOf(answerMarks.getState().marks, ['tom', 'was', 'glad', '.'])?.good).toBe(false);
  mark(sentence('tom was glad .', false));
  expect(answerMarks.getState().marks).toEqual([]);
});

test('a judge needs ten marks of both kinds, agrees with them, and is a setting of the world', () => {
  expect(fittedTo(TEN.slice(0, LEAST_MARKS - 1))).toBeNull();
  expect(fittedTo(TEN.map((mark) => ({ ...mark, good: true })))).toBeNull();
  const judge = fittedTo(TEN)!;
  expect(judge.agrees).toBe(10);
  expect(judge.liked).toContain('hugged');
  expect(judge.disliked).toContain('lost');
  expect(judge.taste).toMatch(/^\*:-?\d\S*( [a-z.]+:-?\d+(\.\d+)?)+$/);
});

test('what a person says of the answers of a run stands beside what they were paid', () => {
  const marks = [sentence('hugged hugged', false, 0.9, 'a'), sentence('hugged', false, 1, 'a'), sentence('tom was glad .', true, 0.4, 'b')];
  expect(auditOf(marks, 'a')).toEqual({ count: 2, good: 0, paid: 0.95 });
  expect(auditOf(marks, 'c')).toBeNull();
});
