import { expect, test } from 'vitest';
import type { PaperResult } from '#contract/results.ts';
import { singleAgentTable } from './single-table.ts';

const rowOf = (text: string, id: string): string => text.split('\n').find((line) => line.startsWith(`| \`${id}\` |`)) ?? '';

test('what has no result says so; what has one says verdict, value and cost', () => {
  const findings = [{ id: 'x', estimate: 0.5, low: 0.25, high: 0.75, level: 0.95, state: 'held' }];
  const dyna = { id: 'dyna', quick: false, verdict: 'partly', findings, decidedOn: 5, coreMinutes: 2 } as unknown as PaperResult;
  const text = singleAgentTable([dyna]);
  expect(rowOf(text, 'dyna')).toMatch(/\| partly \| 0\.5 \(0\.25 to 0\.75\) \| 5 \| 2 \|$/);
  expect(rowOf(text, 'deep-sea')).toMatch(/\| not run yet \|/);
  expect(rowOf(singleAgentTable([{ ...dyna, quick: true }]), 'dyna')).toContain('not run yet');
});

test('it lists claims of two suites too, each once', () => {
  const ids = [...singleAgentTable([]).matchAll(/^\| `([^`]+)` \|/gm)].map(([, id]) => id);
  expect(ids).toContain('ppo-cartpole');
  expect(new Set(ids).size).toBe(ids.length);
});
