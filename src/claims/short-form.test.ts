import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from '#contract/files/files.ts';
import { judgedFormOf } from '#contract/papers/forms.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { paperResultSchema } from '#contract/papers/results.ts';
import { papers } from './papers/index.ts';
import { runsHere, shortForm, shortSeconds, whyNotHere } from './short-form.ts';

/** Cores that a run in a tab has at least, and seconds that its short run may take. */
const [CORES, MOST] = [2, 60];

const ranBy = (id: string): readonly ArmResult[] =>
  parse(paperResultSchema, readFileSync(`public/results/papers/${id}.json`, 'utf8'), id).arms;

describe('every card has a run of at most a minute in the tab', () => {
  test.each(papers.map((card) => [card.id, card] as const))('%s', (id, card) => {
    const judged = judgedFormOf(card);
    if (judged === null) throw new Error(`${id} has no arms, and no reason is written: add one here`);
    expect(existsSync(`public/results/papers/${id}.json`)).toBe(true);
    expect(whyNotHere(judged)).toBe('');
    expect(runsHere(card)).toBe(true);
    expect(shortForm(judged).seeds).toBeGreaterThan(0);
    const learns = judged.arms.some(({ script }) => script === undefined);
    const seconds = shortSeconds(judged, ranBy(id));
    expect(seconds > 0, 'what it costs is known').toBe(learns);
    expect(seconds / CORES).toBeLessThanOrEqual(MOST);
  });
});

test('seconds are those of a short run: fewer steps and seeds take their share, shared runs count once', () => {
  const judged = judgedFormOf(papers.find(({ id }) => id === 'P021')!)!;
  const arms = ranBy('P021');
  const all = shortSeconds(judged, arms);
  const half = { ...judged, quick: { ...judged.quick!, seeds: judged.quick!.seeds / 2 } };
  expect(shortSeconds(half, arms)).toBeCloseTo(all / 2, 6);
  const shared = judged.arms.find((arm) => arm.id === 'doorkey-shared')!;
  expect(shortSeconds({ ...judged, arms: judged.arms.filter((arm) => arm !== shared) }, arms)).toBeCloseTo(all, 6);
  expect(shortSeconds(judged, [])).toBe(0);
});

test('a paper whose file is not part of the page says so', () => {
  const judged = judgedFormOf(papers[0]!)!;
  expect(whyNotHere({ ...judged, arms: [{ ...judged.arms[0]!, data: ['file.json'] }] })).toContain('file.json');
});
