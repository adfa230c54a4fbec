import { expect, it } from 'vitest';
import type { GroupAnswer } from '#contract/run/tokens.ts';
import { byReward, pushesOf } from './rules.ts';

const answer = (length: number, reward: number, advantage: number | null = null): GroupAnswer => ({
  tokens: Array.from({ length }, () => ({ id: 3, written: true, logProb: -1 })),
  logProb: -length,
  reward,
  terms: [],
  measures: { solved: reward === 1 ? 1 : 0 },
  advantage,
  dropped: false,
});
/** A right answer of two tokens, and two wrong ones, short and long. */
const group = { answers: [answer(2, 1), answer(2, 0), answer(8, 0)] };
const tokens = (rule: Parameters<typeof pushesOf>[1]): number[] => pushesOf(group, rule, null, 8).map(({ token }) => token);

it('GRPO pushes each token of a long wrong answer less than of a short one; Dr. GRPO pushes both alike', () => {
  const [, short = 0, long = 0] = tokens('grpo');
  expect(short).toBeLessThan(0);
  expect(long / short).toBeCloseTo(0.25, 9); // two tokens against eight
  const [right = 0, same = 0, alike = 0] = tokens('dr-grpo');
  expect(alike).toBeCloseTo(same, 12);
  expect(right).toBeCloseTo(2 / 3 / (3 * 8), 9);
});

it('GRPO makes rare and common success as large as each other by its deviation; Dr. GRPO does not', () => {
  const of = (rewards: readonly number[], rule: 'grpo' | 'dr-grpo') =>
    pushesOf({ answers: rewards.map((reward) => answer(2, reward)) }, rule, null, 8)[0]!.advantage!;
  expect(of([1, 0.9, 0.9, 0.9], 'grpo') / of([1, 0, 0, 0], 'grpo')).toBeCloseTo(1, 1);
  expect(of([1, 0.9, 0.9, 0.9], 'dr-grpo') / of([1, 0, 0, 0], 'dr-grpo')).toBeCloseTo(0.1, 9);
});

it('RLOO compares with the others, RAFT copies the best alone, DAPO drops groups of one reward', () => {
  expect(pushesOf(group, 'rloo', null, 8).map(({ advantage }) => advantage)).toEqual([1, -0.5, -0.5]);
  expect(pushesOf(group, 'raft', null, 8).map(({ dropped }) => dropped)).toEqual([false, true, true]);
  const same = { answers: [answer(2, 0.5), answer(4, 0.5)] };
  expect(pushesOf(same, 'dapo', null, 8).map(({ dropped, token }) => [dropped, token])).toEqual([
    [true, 0],
    [true, 0],
  ]);
});

it('this run: its own advantages, by its own averaging; a method that compares nothing pushes nothing here', () => {
  const own = { answers: [answer(2, 1, 1.5), { ...answer(4, 0, -0.5), dropped: true }] };
  expect(pushesOf(own, 'own', 'sequence', 8)).toEqual([
    { advantage: 1.5, token: 0.75, dropped: false },
    { advantage: -0.5, token: -0, dropped: true },
  ]);
  expect(pushesOf(group, 'own', null, 8).map(({ token }) => token)).toEqual([0, 0, 0]);
  expect(byReward({ answers: [answer(1, 0), answer(1, 1), answer(1, 0)] })).toEqual([1, 0, 2]);
});
