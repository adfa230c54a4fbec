import { expect, test } from 'vitest';
import type { ExplainMeasure } from '#contract/catalog.ts';
import { type AgentAttribution, defaultQuestion } from '#contract/explain.ts';
import { judged } from './judged.ts';

const answer = (value: number[], half: number): AgentAttribution =>
  ({
    question: defaultQuestion,
    players: value.map((_, agent) => ({ agent, name: '' })),
    value,
    halfWidth: value.map(() => half),
    differenceHalfWidth: value.flatMap(() => value.map(() => half)),
  }) as unknown as AgentAttribution;
const never = () => Promise.reject(new Error('not asked'));
const by = (judge: ExplainMeasure['judge'], agents: number[]): ExplainMeasure => ({ judge, agents, question: {} });

test('what is said about planted truths', async () => {
  expect(await judged(by('nothing', [1]), answer([5, 0.1], 0.2), never)).toBe(1);
  expect(await judged(by('nothing', [0]), answer([5, 0.1], 0.2), never)).toBe(0);
  expect(await judged(by('alike', [0, 1]), answer([5, 5.1, 1], 0.2), never)).toBe(1);
  expect(await judged(by('alike', [0, 2]), answer([5, 5.1, 1], 0.2), never)).toBe(0);
  expect(await judged(by('below', [2, 0]), answer([5, 5.1, 1], 0.2), never)).toBe(1);
  expect(await judged(by('below', [0, 1]), answer([5, 6, 1], 0.2), never)).toBe(0); // not the lowest of all
  expect(await judged(by('above', [1, 2]), answer([5, 5.1, 1], 0.2), never)).toBe(1);
  expect(await judged(by('above', [1, 0]), answer([5, 5.1, 1], 0.2), never)).toBe(0);
});

test('ranks are compared only where intervals are apart', async () => {
  const exact = answer([3, 2.9, 1], 0.2);
  expect(await judged(by('ranks', []), exact, async () => answer([2, 4, 1], 1))).toBe(1);
  expect(await judged(by('ranks', []), exact, async () => answer([0, 4, 1], 1))).toBe(0.5);
});
