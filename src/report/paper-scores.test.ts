import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from '#contract/files/files.ts';
import { cellsOf } from '#contract/kit/csv.ts';
import { paperResultSchema } from '#contract/papers/results.ts';
import { scoresCsv } from './paper-scores.ts';

const read = (id: string) => parse(paperResultSchema, readFileSync(`public/results/papers/${id}.json`, 'utf8'), id);

test('every score of both blocks is a row, with its seed, arm and commit', () => {
  const result = read('P092');
  expect(result.confirm).not.toBeNull();
  const [head = [], ...rows] = scoresCsv([{ result, quantityOf: (arm) => `of ${arm}` }])
    .trimEnd()
    .split('\n')
    .map((line) => cellsOf(line) ?? []);
  const scores = [...result.arms, ...result.confirm!.arms].flatMap((arm) => arm.scores);
  expect(rows).toHaveLength(scores.length);
  const at = (row: readonly string[] | undefined, name: string) => row?.[head.indexOf(name)];
  expect(rows.every((row) => row.length === head.length)).toBe(true);
  expect(at(rows[0], 'score')).toBe(String(result.arms[0]!.scores[0]));
  expect(at(rows[0], 'seed')).toBe(String(result.seeds[0]));
  expect(at(rows[0], 'quantity')).toBe(`of ${result.arms[0]!.id}`);
  const second = rows.filter((row) => at(row, 'block') === '2');
  expect(second).toHaveLength(result.confirm!.arms.flatMap((arm) => arm.scores).length);
  expect(new Set(second.map((row) => at(row, 'seed')))).toEqual(new Set(result.confirm!.seeds.map(String)));
  expect(new Set(second.map((row) => at(row, 'commit')))).toEqual(new Set([result.confirm!.commit]));
});

test('a run that gave no number has an empty score', () => {
  const result = read('P021');
  const [arm] = result.arms;
  const lost = { ...result, confirm: null, arms: [{ ...arm!, scores: [null, 1] }] };
  expect(scoresCsv([{ result: lost, quantityOf: () => '' }]).split('\n')[1]).toMatch(/,1001,,/);
});
