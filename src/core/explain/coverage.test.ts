/** How often intervals of sampled agent values hold the truth, by simulation on games whose values are known: the table of docs/explainers-intervals.md. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { antitheticScheme, permutationScheme, type Scheme, stratifiedScheme } from './lib/draws.ts';
import { shapley } from './lib/exact.ts';
import { airport, apex, bankruptcy, glove, voting } from './lib/games.ts';
import { sampleTable } from './trust.ts';

const REPEATS = 400;
const GAMES: readonly (readonly [string, number, Float64Array])[] = [
  ['gloves, 3', 3, glove([0], [1, 2])],
  ['airport, 4', 4, airport([1, 2, 3, 5])],
  ['council, 4', 4, voting(6, [4, 3, 2, 1])],
  ['bankruptcy, 5', 5, bankruptcy(10, [1, 2, 3, 5, 8])],
  ['apex, 8', 8, apex(8)],
  ['weighted vote, 8', 8, voting(14, [9, 5, 4, 3, 2, 2, 1, 1])],
];
const SCHEMES: readonly (readonly [string, (n: number) => Scheme])[] = [
  ['permutation', permutationScheme],
  ['antithetic', antitheticScheme],
  ['stratified', stratifiedScheme],
];

/** Share of all players' intervals that hold the truth, and their mean half width. */
function coverage(scheme: Scheme, table: Float64Array, draws: number): readonly [held: number, width: number] {
  const truth = shapley(table);
  let [held, width, all] = [0, 0, 0];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const estimate = sampleTable(scheme, table, draws, Rng.from(repeat).split('coverage', draws));
    truth.forEach((value, i) => {
      const half = estimate.halfWidth(i);
      if (Math.abs(estimate.mean[i]! - value) <= half + 1e-12) held++;
      width += half;
      all++;
    });
  }
  return [held / all, width / all];
}

const rows = [16, 25, 100].flatMap((draws) =>
  SCHEMES.map(([name, make]) => {
    const found = GAMES.map(([, n, table]) => coverage(make(n), table, draws));
    return { draws, name, found };
  }),
);

test('the automatic choice covers what it says, also where a player is seldom decisive', () => {
  for (const { draws, name, found } of rows.filter(({ name }) => name === 'stratified'))
    for (const [g, [held]] of found.entries()) expect(held, `${name}, ${draws} draws, ${GAMES[g]?.[0]}`).toBeGreaterThanOrEqual(0.93);
});

test('the table of the documents is what the simulation gives', () => {
  const cells = (found: (typeof rows)[number]['found']): string =>
    found.map(([held, width]) => `${(100 * held).toFixed(1)} (${width.toPrecision(2)})`).join(' | ');
  const table = [
    `| draws | sampling | ${GAMES.map(([name]) => name).join(' | ')} |`,
    `| ---: | --- |${GAMES.map(() => ' ---: |').join('')}`,
    ...rows.map(({ draws, name, found }) => `| ${draws} | ${name} | ${cells(found)} |`),
  ].join('\n');
  expect(readFileSync('docs/explainers-intervals.md', 'utf8')).toContain(table);
});
