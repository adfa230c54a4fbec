/** What stands in public/results/papers is what its paper would say today: no result of an older rule, and what is of an older version says so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { claimPaper } from '#claims/claim.ts';
import { experiments } from '#claims/experiments/index.ts';
import { paperOf } from '#claims/index.ts';
import { decide } from '#claims/judge.ts';
import { FIRST_REPORTED_SEED, type PaperCard, ruleHash } from '#contract/papers.ts';
import type { PaperResult } from '#contract/results.ts';
import { outdatedIn, readPaperResults } from '../results-page.ts';

function paperFor({ id }: PaperResult): PaperCard | null {
  const card = experiments.find((experiment) => experiment.id === id);
  return paperOf(id) ?? (card ? claimPaper(card) : null);
}

const results = readPaperResults('.');

test.each(results.map((result) => [result.id, result] as const))('%s follows the rule and the versions of today', (id, result) => {
  const paper = paperFor(result);
  expect(paper, 'its paper is gone: remove the file').not.toBeNull();
  expect(result.rule, `its rule has changed: npm run claims -- ${id}, or remove the file`).toBe(paper && ruleHash(paper));
  expect(result.outdated ?? [], `what has changed since it ran must stand in it: npm run claims -- ${id} --again`).toEqual(
    outdatedIn(result),
  );
  expect(result.quick).toBe(false);
});

test.each(results.map((result) => [result.id, result] as const))(
  '%s: reported seeds are apart from tuned ones, and its verdict follows',
  (id, result) => {
    expect(result.seeds.length).toBeGreaterThanOrEqual(5);
    expect(result.seeds).toEqual(result.seeds.map((_, i) => FIRST_REPORTED_SEED + i));
    if (result.tunedOn !== null) expect(result.tunedOn[1]).toBeLessThan(FIRST_REPORTED_SEED);
    expect(readFileSync(`public/results/papers/${id}.json`).length).toBeLessThanOrEqual(100_000);
    const paper = paperFor(result);
    if (paper !== null)
      expect(decide(paper, result.arms)).toMatchObject({ verdict: result.verdict, parts: result.parts, judge: result.judge });
  },
);
