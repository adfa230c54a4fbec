import { expect, test } from 'vitest';
import type { ExplainMeasure } from '#contract/catalog/catalog.ts';
import { type AgentAttribution, defaultQuestion } from '#contract/explain/explain.ts';
import { judge } from './explanation-measure.ts';

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
  expect((await judge(by('nothing', [1]), answer([5, 0.1], 0.2), never)).value).toBe(1);
  expect((await judge(by('nothing', [0]), answer([5, 0.1], 0.2), never)).value).toBe(0);
  expect((await judge(by('alike', [0, 1]), answer([5, 5.1, 1], 0.2), never)).value).toBe(1);
  expect((await judge(by('alike', [0, 2]), answer([5, 5.1, 1], 0.2), never)).value).toBe(0);
  expect((await judge(by('below', [2, 0]), answer([5, 5.1, 1], 0.2), never)).value).toBe(1);
  expect((await judge(by('below', [0, 1]), answer([5, 6, 1], 0.2), never)).value).toBe(0); // not the lowest of all
  expect((await judge(by('above', [1, 2]), answer([5, 5.1, 1], 0.2), never)).value).toBe(1);
  expect((await judge(by('above', [1, 0]), answer([5, 5.1, 1], 0.2), never)).value).toBe(0);
});

test('ranks are compared only where values differ', async () => {
  const exact = answer([3, 2.9, 1], 0.2);
  expect(await judge(by('ranks', []), exact, async () => answer([2, 4, 1], 1))).toEqual({ value: 1, pairs: 2 });
  expect(await judge(by('ranks', []), exact, async () => answer([0, 4, 1], 1))).toEqual({ value: 0.5, pairs: 2 });
});

test('the interval of the difference decides, not those of the values', async () => {
  // intervals that overlap; the pair differs all the same, because both values move together
  const paired = { ...answer([3, 2.9], 0.2), differenceHalfWidth: [0, 0.05, 0.05, 0] };
  expect(await judge(by('ranks', []), paired, async () => answer([1, 2], 1))).toEqual({ value: 0, pairs: 1 });
  expect((await judge(by('below', [1, 0]), paired, never)).value).toBe(1);
  expect((await judge(by('above', [0, 1]), paired, never)).value).toBe(1);
});

test('where no pair differs, ranks say nothing', async () => {
  for (const half of [5, Number.POSITIVE_INFINITY])
    expect(await judge(by('ranks', []), answer([3, 2.9, 1], half), async () => answer([2, 4, 1], 1))).toEqual({ value: null, pairs: 0 });
});
