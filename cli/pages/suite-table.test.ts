import { expect, test } from 'vitest';
import { papers } from '#claims/papers/index.ts';
import { isJudged } from '#contract/papers/forms.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { readPaperResults } from './results.ts';
import { anchor, suitesOf, suiteTable } from './suite-table.ts';

const rowOf = (text: string, id: string): string =>
  text.split('\n').find((line) => line.startsWith(`| \`${id}\` |`) || line.startsWith(`| [\`${id}\`](`)) ?? '';
const single = (results: readonly PaperResult[]): string => suiteTable(suitesOf(results).find(({ name }) => name === 'single-agent')!);

test('what has no result says so; what has one says its labels, value, cost and age', () => {
  const findings = [{ id: 'x', estimate: 0.5, low: 0.25, high: 0.75, level: 0.95, state: 'held' }];
  const arms = [{ id: 'a', seconds: 60, scores: [1, 1, 1, 1] }];
  const told = {
    title: 'Dyna',
    tested: { label: 'our question', why: '' },
    outcome: 'smaller',
    findings,
    arms,
    decidedOn: 4,
    coreMinutes: 2,
  };
  const dyna = { id: 'dyna', ...told } as unknown as PaperResult;
  const text = single([dyna]);
  expect(rowOf(text, 'dyna')).toMatch(/\| our question: smaller \| 0\.5 \(0\.25 to 0\.75\) \| 4 \| 15 \| 2 \|$/);
  expect(rowOf(text, 'dyna')).toContain('(results/single-agent.md#dyna-dyna)');
  expect(rowOf(text, 'deep-sea')).toMatch(/\| not run yet \|/);
  expect(rowOf(single([{ ...dyna, outdated: ['x'] }]), 'dyna')).toContain('our question: smaller, by an older version |');
  expect(single([])).toBe('');
});

test('every result stands in one suite, once', () => {
  const results = readPaperResults('.');
  const placed = suitesOf(results).flatMap((suite) => suite.results.map(({ id }) => id));
  expect(placed.toSorted()).toEqual(results.map(({ id }) => id).toSorted());
  const cards = suitesOf([]).flatMap((suite) => suite.cards.map(({ id }) => id));
  expect(new Set(cards).size).toBe(cards.length);
});

test('anchors are those of GitHub', () => {
  expect(anchor('P015 Learning to Fly -- a Gym Environment')).toBe('p015-learning-to-fly----a-gym-environment');
  expect(anchor('crossq-droq-hover Hovering sooner: CrossQ, over 2.5 s')).toBe('crossq-droq-hover-hovering-sooner-crossq-over-25-s');
});

test('papers whose card has no verdict today are marked: what was judged is an earlier form', () => {
  const [suite] = suitesOf(readPaperResults(process.cwd()));
  const rows = suiteTable(suite!)
    .split('\n')
    .filter((line) => line.includes('no verdict; earlier form: '));
  const without = papers.filter((card) => !isJudged(card)).map(({ id }) => id);
  expect(without.length).toBeGreaterThan(0);
  expect(rows.map((line) => /P\d{3}/.exec(line)?.[0])).toEqual(without);
});
