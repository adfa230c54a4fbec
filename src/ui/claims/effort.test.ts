import { expect, test } from 'vitest';
import { paperOf } from '#claims/index.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { effortOf } from './effort.ts';

const card = (id: string): JudgedCard => {
  const found = paperOf(id);
  if (found === undefined) throw new Error(`no card ${id}`);
  return found;
};
const ran = (more: Partial<PaperResult>) =>
  ({ arms: [], seeds: [1, 2, 3, 4, 5], coreMinutes: 10, outcome: 'shown', voids: [], wanted: null, ...more }) as Pick<
    PaperResult,
    'arms' | 'seeds' | 'coreMinutes' | 'outcome' | 'voids' | 'wanted'
  >;

test('a source that was read, a first form, untuned arms and few seeds are easy', () => {
  expect(effortOf(card('P021'), ran({ coreMinutes: 3 }))).toEqual({
    easy: [
      'Of 4 parts of the source 3 are kept, 1 changed, 0 left out.',
      'The first form that was judged is this one.',
      'No arm was tuned: each has one set of settings.',
      'All runs together took 3 core-minutes.',
      '5 seeds an arm were enough.',
    ],
    hard: [],
  });
});

test('a second form, parts that are not built, dear runs that failed and seeds that do not decide are hard', () => {
  const arms = [{ scores: [1, null, 2] }, { scores: [null, null, 1] }] as unknown as PaperResult['arms'];
  expect(effortOf(card('P099'), ran({ outcome: 'open', wanted: 80, coreMinutes: 30, arms })).hard).toEqual([
    'Of 6 parts of the source 2 are kept, 2 changed, 2 left out.',
    'It took 2 forms that were judged one after another.',
    'All runs together took 30 core-minutes.',
    '5 seeds an arm do not decide; 80 could.',
    '3 runs failed.',
  ]);
});

test('a guess says that nothing but the abstract was read', () => {
  expect(effortOf(card('P010'), ran({})).hard).toContain('Nothing of the source but its abstract could be read.');
});
