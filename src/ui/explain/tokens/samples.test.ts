import { expect, it } from 'vitest';
import type { AnswerGroup, GroupAnswer } from '#contract/run/tokens.ts';
import { lessonOf, meanReward, rightOf, weightOf } from '#ui/stage/tokens/weighed.ts';
import { linesOf, passes, samplesCsv } from './samples.ts';

const env = {
  action: { kind: 'discrete', labels: ['pad', 'begin', 'end', 'a', ',', '=', '"'] },
  tokens: { begin: 1, end: 2 },
  terms: [
    { id: 'right', title: 'right', weights: [] },
    { id: 'form', title: 'right form', weights: ['formatReward'] },
  ],
} as unknown as Parameters<typeof samplesCsv>[0];

const answer = (ids: readonly number[], reward: number, advantage: number): GroupAnswer => ({
  tokens: ids.map((id) => ({ id, written: true, logProb: -1 })),
  logProb: -1.5,
  reward,
  terms: [reward, 0],
  measures: { solved: reward === 1 ? 1 : 0 },
  advantage,
  dropped: false,
});
const group: AnswerGroup = {
  prompt: [1, 3, 5],
  asked: 'Write a.',
  comparison: 'group',
  answers: [answer([2], 0, -0.5), answer([3, 2], 1, 1.5), answer([2], 0, -0.5), answer([4, 2], 0, -0.5)],
};

it('equal answers of a group are one line, the best paid first, then the more frequent', () => {
  expect(linesOf(group).map(({ answer: { tokens }, count }) => [tokens.length, count])).toEqual([
    [2, 1],
    [1, 2],
    [2, 1],
  ]);
  expect(meanReward(group)).toBe(0.25);
  expect(rightOf(group.answers)).toBe(1);
});

it('a sentence says what the method that trained the policy makes of the group', () => {
  const { answers } = group;
  const dropped = answers.map((one) => ({ ...one, dropped: true }));
  const alike = answers.map((one) => ({ ...one, advantage: 0 }));
  expect(lessonOf({ comparison: null, answers })).toContain('compares no answers');
  expect(lessonOf({ comparison: 'group', answers })).toContain('above 0 become likelier');
  expect(lessonOf({ comparison: 'group', answers: dropped })).toContain('dropped from the averages');
  expect(lessonOf({ comparison: 'group', answers: alike })).toContain('paid alike');
  expect(lessonOf({ comparison: 'best', answers })).toContain('copied');
  expect(lessonOf({ comparison: 'tokens', answers: alike })).toContain('Each token has an advantage of its own');
  expect(lessonOf({ comparison: 'pairs', answers: dropped })).toContain('no pair');
});

it('a cell says what an answer weighs: an advantage, a side of its pair, or that it is left out', () => {
  const of = (advantage: number, dropped = false) => ({ ...answer([2], 0, advantage), dropped });
  expect(weightOf('group', of(1.5))).toBe('+1.50');
  expect(weightOf('group', of(-0.5))).toBe('−0.50');
  expect(weightOf('group', of(-0.001))).toBe('0.00');
  expect(weightOf('group', of(0.5, true))).toBe('left out');
  expect([weightOf('pairs', of(1)), weightOf('pairs', of(-1))]).toEqual(['preferred', 'other']);
  expect(weightOf(null, of(1))).toBe('');
});

it('filters by the verdict and by the side of the mean', () => {
  const kept = (filter: Parameters<typeof passes>[1]) => group.answers.filter((one) => passes(one, filter)).length;
  expect([kept('all'), kept('right'), kept('wrong'), kept('above'), kept('below')]).toEqual([4, 1, 3, 1, 3]);
  expect(passes({ ...group.answers[1]!, measures: null }, 'right')).toBe(false); // cut before its end
});

it('a CSV row holds an answer with all that was measured of it; signs of formulas and commas stay text', () => {
  const [head, first, second, , last, end] = samplesCsv(env, [group]).split('\n');
  expect(head).toBe('group,prompt,question,completion,reward,right,right form,advantage,logProb,solved');
  expect(first).toBe('1,▸a=,Write a.,■,0,0,0,-0.5,-1.5,0');
  expect(second).toBe('1,▸a=,Write a.,a■,1,1,0,1.5,-1.5,1');
  expect(last).toBe('1,▸a=,Write a.,",■",0,0,0,-0.5,-1.5,0');
  expect(end).toBe('');
});
