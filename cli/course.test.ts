/** Every link of docs/course.md opens, and what it opens can be trained. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getAlgo } from '#core/algos/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { configOfLink } from './kit/link.ts';

const text = readFileSync(new URL('../docs/course.md', import.meta.url), 'utf8');
const weeks = [...text.matchAll(/^\| (\d+) \|.*$/gm)].map(([row, week]) => ({
  week: Number(week),
  links: [...row.matchAll(/`(#[^`]+)`/g)].map((match) => match[1] ?? ''),
}));

test('twelve weeks in order, two links each', () => {
  expect(weeks.map(({ week }) => week)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  expect(weeks.every(({ links }) => links.length === 2)).toBe(true);
});

test.each(weeks.flatMap(({ links }) => links))('%s', (link) => {
  const { config, experiment } = configOfLink(link);
  expect(experiment).toBeNull();
  const run = completeRun(config);
  const said = new URLSearchParams(link.slice(1));
  expect([run.env.id, run.algo.id, run.run.steps]).toEqual([said.get('env'), said.get('algo'), Number(said.get('steps'))]);
  expect(getAlgo(run.algo.id).version).toBe(run.algo.version);
});
