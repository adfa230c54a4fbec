/** Sequences of tasks are a test of forgetting only where plain training loses: what the shipped ones lost, in their published results. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from '#contract/files/files.ts';
import { paperResultSchema } from '#contract/papers/results.ts';
import { mean } from '#math/stats.ts';

/** Least loss, as a share of the way from random play to what one task alone is learned to. */
const LEAST = 0.3;

/** Arms of plain training: `kept` is the change since the end of the task's own block, `end` the first task's return at the end, where it was 1. */
it.each([
  { id: 'P014', arm: 'plain', read: 'kept', way: 1 },
  { id: 'P113', arm: 'plain-rows', read: 'end', way: 1 },
  { id: 'P113', arm: 'plain-columns', read: 'end', way: 1 },
  { id: 'P113', arm: 'plain-long', read: 'end', way: 1 },
  { id: 'P119', arm: 'plain-grid-kept', read: 'kept', way: 1 },
  { id: 'P119', arm: 'plain-control-kept', read: 'kept', way: 180 },
  { id: 'P119', arm: 'plain-choice-kept', read: 'kept', way: 0.55 },
])('$id, $arm: plain training loses at least 30 of 100 points', ({ id, arm, read, way }) => {
  const result = parse(paperResultSchema, readFileSync(`public/results/papers/${id}.json`, 'utf8'), 'a result');
  const scores = result.arms.find((one) => one.id === arm)?.scores ?? [];
  expect(scores.length).toBeGreaterThanOrEqual(5);
  const level = mean(scores.map((score) => score ?? Number.NaN));
  expect((read === 'end' ? 1 - level : -level) / way).toBeGreaterThanOrEqual(LEAST);
});
