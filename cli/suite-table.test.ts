import { expect, test } from 'vitest';
import type { PaperResult } from '#contract/results.ts';
import { suiteTable } from './suite-table.ts';

const rowOf = (text: string, id: string): string => text.split('\n').find((line) => line.startsWith(`| \`${id}\` |`)) ?? '';
const single = (results: readonly PaperResult[]): string => suiteTable('single-agent', 'One agent', results);

test('what has no result says so; what has one says verdict, value and cost', () => {
  const findings = [{ id: 'x', estimate: 0.5, low: 0.25, high: 0.75, level: 0.95, state: 'held' }];
  const arms = [{ id: 'a', seconds: 60, scores: [1, 1, 1, 1] }];
  const dyna = { id: 'dyna', quick: false, verdict: 'partly', findings, arms, decidedOn: 4, coreMinutes: 2 } as unknown as PaperResult;
  const text = single([dyna]);
  expect(rowOf(text, 'dyna')).toMatch(/\| partly \| 0\.5 \(0\.25 to 0\.75\) \| 4 \| 15 \| 2 \|$/);
  expect(rowOf(text, 'deep-sea')).toMatch(/\| not run yet \|/);
  expect(rowOf(single([{ ...dyna, quick: true }]), 'dyna')).toContain('not run yet');
});

test('it lists claims of two suites too, each once', () => {
  const ids = [...single([]).matchAll(/^\| `([^`]+)` \|/gm)].map(([, id]) => id);
  expect(ids).toContain('ppo-cartpole');
  expect(new Set(ids).size).toBe(ids.length);
});

test('a suite has a table of its own', () => {
  const text = suiteTable('tokens', 'Policies on tokens', []);
  expect(text).toMatch(/^## Policies on tokens/);
  expect(rowOf(text, 'reverse-3')).toContain('not run yet');
});
