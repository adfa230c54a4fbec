/** What checks read of a result: the rise of a curve, and only curves in the unit of the quantity. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from '#contract/files/files.ts';
import { type ArmResult, paperResultSchema } from '#contract/papers/results.ts';
import { factsOf, riseOf } from './facts.ts';
import { decide } from './judge.ts';
import { judgedPapers as papers } from './papers/index.ts';

test('the last fifth of a curve against the fifth before, mean over seeds', () => {
  const flat = Array.from({ length: 10 }, () => 1);
  const late = [...flat.slice(2), 3, 5];
  expect(riseOf({ values: [flat, late] })).toBeCloseTo(1.5);
  expect(riseOf({ values: [[...flat.slice(2), null, 2]] })).toBe(1);
  expect(riseOf({ values: [[...flat.slice(2), null, null]] })).toBeUndefined();
  expect(riseOf({ values: [] })).toBeUndefined();
});

test('arms are found by their ids: another order, or an arm that the card no longer has, moves no fact to another arm', () => {
  const paper = papers.find(({ id }) => id === 'P033')!;
  const stored = parse(paperResultSchema, readFileSync('public/results/papers/P033.json', 'utf8'), 'a result');
  const facts = factsOf(paper, stored.arms, stored.decidedOn);
  const [first, ...others] = stored.arms;
  expect(Object.keys(facts)).toEqual(paper.arms.map(({ id }) => id));
  expect(factsOf(paper, [...others, { ...first!, id: 'gone' }, first!], stored.decidedOn)).toEqual(facts);
  expect(decide(paper, [...others, first!])).toEqual(decide(paper, stored.arms));
  expect(() => decide(paper, others)).toThrow(`P033: there are no runs of ${first!.id}`);
});

test('a card’s bounds come before measured ones; a curve of another metric has no rise', () => {
  const paper = papers.find(({ id }) => id === 'P033')!;
  const curve = { metric: 'loss', steps: [1], values: [[1, 1, 1, 1, 1]] };
  const arms = paper.arms.map(
    ({ id, title, trials }): ArmResult => ({
      id,
      title,
      trials,
      config: '0'.repeat(12),
      env: { id: 'e', version: 1, config: {} },
      algo: { id: 'a', version: 1, config: {} },
      steps: 1,
      parameters: 1,
      random: { value: -77, from: 'measured' },
      ceiling: { value: 77, from: 'measured' },
      scores: [1],
      parameterHashes: ['x'],
      seconds: 1,
      curve,
    }),
  );
  const facts = factsOf(paper, arms, 1)[paper.arms[0]!.id]!;
  expect(facts.random).toBe(paper.scale.random ?? -77);
  expect(facts.ceiling).toBe(paper.scale.ceiling ?? 77);
  expect(facts.rise).toBeUndefined();
  expect(facts.learned).toEqual(['x']);
});
