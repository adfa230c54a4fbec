/** What stands in public/results/papers is what its paper would say today: no result of an older rule, and what is of an older version says so. */

import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isListed } from '#claims/define.ts';
import { afterBoth, decide } from '#claims/judge.ts';
import { pilotInWords, withPilot } from '#claims/pilot.ts';
import { isNegative, outcomeInWords } from '#contract/papers/labels.ts';
import { FIRST_REPORTED_SEED, type JudgedCard, ruleHash } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { isCounted } from '#math/contrasts.ts';
import { outdatedIn, readPaperResults, resultsPages } from '../pages/results.ts';
import { cardOf } from '../pages/suites.ts';

/** The card of a result, with the looks of its pilot. */
const formOf = (result: PaperResult): JudgedCard | undefined => {
  const card = cardOf(result.id);
  return card && withPilot(card, result.pilot);
};

const results = readPaperResults('.');
const sections = [...resultsPages('.').values()].flatMap((text) => text.split('\n## '));

test.each(results.map((result) => [result.id, result] as const))('%s follows the rule and the versions of today', (id, result) => {
  const paper = formOf(result);
  expect(paper, 'its paper is gone: remove the file').toBeDefined();
  expect(result.rule, `its rule has changed: npm run claims -- ${id}, or remove the file`).toBe(paper && ruleHash(paper));
  expect(result.outdated ?? [], `what has changed since it ran must stand in it: npm run claims -- ${id} --again`).toEqual(
    outdatedIn(result),
  );
  expect(result.quick).toBe(false);
});

test.each(results.map((result) => [result.id, result] as const))(
  '%s: reported seeds are apart from tuned ones, and its outcome follows',
  (id, result) => {
    expect(result.seeds.length).toBeGreaterThanOrEqual(5);

    if (result.tunedOn !== null) expect(result.tunedOn[1]).toBeLessThan(FIRST_REPORTED_SEED);
    expect(gzipSync(readFileSync(`public/results/papers/${id}.json`)).length).toBeLessThanOrEqual(60_000); // as it is sent
    const paper = formOf(result);
    expect(result.seeds).toEqual(result.seeds.map((_, i) => (paper?.firstSeed ?? 0) + i));
    if (paper !== undefined) expect(decide(paper, result.arms)).toMatchObject({ outcome: result.first, judge: result.judge });
  },
);

test('no file of the first format stands here: none of them is shown', () => {
  const first = readdirSync('public/results').filter((file) => file.endsWith('.json'));
  expect(first, 'remove them').toEqual([]);
});

test.each(results.map((result) => [result.id, result] as const))('%s: the document says whether it had a pilot', (id, result) => {
  const section = sections.find((text) => text.startsWith(`${id} `));
  expect(section?.split('\n')).toContain(`- ${pilotInWords(result.pilot)}`);
});

const ofPapers = results.filter(({ id }) => isListed(id)).map((result) => [result.id, result] as const);

test.each(ofPapers)('%s: its labels say no more than its runs', (id, result) => {
  const card = formOf(result)!;
  const { tested, outcome, first, findings, confirm } = result;
  expect(tested).toEqual(card.tested);
  // nothing is said against a title by a guess at its method
  if (tested.label === 'our guess') expect(isNegative(outcome), `${id}: ${outcome}`).toBe(false);
  if (tested.label !== 'the method' && isNegative(outcome)) expect(outcomeInWords({ tested: tested.label, outcome })).toMatch(/^our /);
  const states = card.contrasts.filter(isCounted).map((contrast) => findings.find((found) => found.id === contrast.id)?.state);
  if (outcome === 'shown') expect(states.every((state) => state === 'held')).toBe(true);
  if (first === 'mixed') expect(states.slice(1).some((state) => state !== 'held' && state !== 'smaller')).toBe(true);
  if (states[0] === 'reversed') expect(['reversed', 'open']).toContain(outcome);
  expect(outcome).toBe(confirm === null ? first : afterBoth(first, confirm.outcome).outcome);
  expect(card.found?.outcome, 'write its sentence anew: the outcome is another one now').toBe(outcome);
});

/** Intervals that a sentence states, "(-0.10 to 0.20)": their ends as written. */
const intervalsIn = (text: string) => [...text.matchAll(/\((-?[\d.]+) to (-?[\d.]+)\)/g)].map(([, low = '', high = '']) => [low, high]);

/** Whether a number, rounded to as many decimals as are written, is what is written. */
const isWritten = (value: number, written: string): boolean =>
  Number(value.toFixed(written.split('.')[1]?.length ?? 0)) === Number(written);

test.each(ofPapers)('%s: an interval in its sentence is one of its runs', (id, result) => {
  const { found } = formOf(result)!;
  if (found?.outcome !== result.outcome) return; // it is not shown
  const all = [...result.findings, ...(result.confirm?.findings ?? [])];
  for (const [low = '', high = ''] of intervalsIn(found.text))
    expect(
      all.some((one) => isWritten(one.low, low) && isWritten(one.high, high)),
      `${id}: (${low} to ${high}) is no interval of its runs`,
    ).toBe(true);
});
