/** A size that the budget cannot show is found before anything runs; one that the rival leaves no room for, from the pilot. */
import { expect, test } from 'vitest';
import type { Contrast } from '#math/contrasts.ts';
import { definePaper } from './define.ts';
import { judgedPapers as papers } from './papers/index.ts';
import { impossible, rangeOf, rangeWith } from './possible.ts';

const told = {
  id: 'test-paper',
  title: 'A test',
  authors: 'Doe',
  year: 2026,
  link: 'https://example.org',
  question: 'Is it?',
  idea: 'It is.',
  equation: '',
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } },
  arms: [
    { id: 'slow', title: 'slow', trials: 0 },
    { id: 'fast', title: 'fast', trials: 0 },
  ],
  quantity: { title: 'steps to 100', metric: 'episodicReturn', reaches: 100 },
  scale: { better: 'less' },
  scaledDown: '',
  dishonest: '',
  next: '',
} as const;

const ratio = (size: number): Contrast => ({ id: 'sooner', kind: 'ratio', arm: 'slow', over: 'fast', claim: 'above', size });

test('a ratio of steps ends at the budget over the winner’s steps', () => {
  const paper = (size: number) => definePaper({ ...told, contrasts: [ratio(size)] });
  expect(impossible(paper(10))).toEqual([]);
  expect(impossible(paper(1001))[0]).toContain('at most 1000');
  expect(rangeWith(paper(10), ratio(10), { slow: 900, fast: 400 })[1]).toBe(2.5);
  const below: Contrast = { id: 'sooner', kind: 'ratio', arm: 'fast', over: 'slow', claim: 'below', size: 0.1 };
  expect(rangeWith(paper(10), below, { slow: 900, fast: 400 })[0]).toBe(0.4);
});

test('a difference ends at the ceiling, and beside a rival at what the rival leaves', () => {
  const scored = { ...told, quantity: { title: 'return', of: 'evalReturn' as const }, scale: { better: 'more' as const, ceiling: 500 } };
  const over: Contrast = { id: 'more', kind: 'difference', arm: 'fast', over: 'slow', claim: 'above', size: 200 };
  const paper = definePaper({ ...scored, contrasts: [over] });
  expect(impossible(paper)).toEqual([]); // nothing bounds the rival from below
  expect(rangeWith(paper, over, { slow: 420, fast: 450 })[1]).toBe(80);
  const bar: Contrast = { id: 'bar', kind: 'level', arm: 'fast', claim: 'above', none: 501 };
  expect(impossible(definePaper({ ...scored, contrasts: [bar] }))[0]).toContain('asks for 501');
});

test('correlations and shares have their own ends', () => {
  expect(rangeOf({ id: 'r', kind: 'rank', arms: ['a', 'b'], x: [1, 2], claim: 'above', size: 0.5 }, {})).toEqual([-1, 1]);
  expect(rangeOf({ id: 's', kind: 'difference', arm: 'a', over: 'b', share: { atLeast: 1 }, claim: 'above', size: 0.5 }, {})).toEqual([
    -1, 1,
  ]);
  expect(rangeOf({ id: 'o', kind: 'order', arms: ['a', 'b', 'c'], claim: 'above', size: 1 }, { a: [0, 1], b: [0, 1], c: [0, 5] })).toEqual([
    -5, 1,
  ]);
});

test.each(papers.map((paper) => [paper.id, paper] as const))('%s asks for nothing that its budget excludes', (_, paper) => {
  expect(impossible(paper)).toEqual([]);
});
