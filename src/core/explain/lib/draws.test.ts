import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { drawsFor, Estimate, tQuantile } from '../api/estimate.ts';
import { sampleTable } from '../trust.ts';
import { antitheticScheme, banzhafScheme, exactScheme, owenScheme, permutationScheme, type Scheme, stratifiedScheme } from './draws.ts';
import { banzhaf, owen, shapley } from './exact.ts';
import { airport, gameOf, glove, voting } from './games.ts';

interface Case {
  readonly name: string;
  readonly input: { readonly v?: Record<string, number>; readonly sd?: number; readonly half_width?: number[] };
  readonly expected: Record<string, number[]>;
}
const file = JSON.parse(readFileSync(new URL('../golden/shapley-estimators.json', import.meta.url), 'utf8')) as { cases: Case[] };
const caseOf = (name: string): Case => file.cases.find((c) => c.name === name)!;
const tableOf = (v: Record<string, number>): Float64Array => {
  const table = new Float64Array(Object.keys(v).length);
  for (const [key, value] of Object.entries(v)) table[(JSON.parse(key) as number[]).reduce((mask, i) => mask | (1 << i), 0)] = value;
  return table;
};
const rich = tableOf(caseOf('rich4').input.v!);

function sample(scheme: Scheme, table: Float64Array, draws: number, rng: Rng): { estimate: Estimate; sd: Float64Array } {
  const estimate = sampleTable(scheme, table, draws, rng);
  const sd = estimate.mean.map((_, i) => (estimate.halfWidth(i) / tQuantile(draws - 1)) * Math.sqrt(draws));
  return { estimate, sd };
}

describe('each scheme finds its value', () => {
  const four = [
    ['permutation', permutationScheme(4), shapley(rich)],
    ['antithetic', antitheticScheme(4), shapley(rich)],
    ['stratified', stratifiedScheme(4), shapley(rich)],
    ['owen', owenScheme(4, [[0, 1], [2, 3]]), owen(rich, [[0, 1], [2, 3]])], // biome-ignore format: unions in one line
    ['banzhaf', banzhafScheme(4), banzhaf(rich)],
  ] as const;
  for (const [name, scheme, wanted] of four) {
    test(name, () => {
      const { estimate } = sample(scheme, rich, 20_000, Rng.from(5));
      for (let i = 0; i < 4; i++) expect(Math.abs(estimate.mean[i]! - wanted[i]!)).toBeLessThan(2 * estimate.halfWidth(i));
      expect(estimate.widest).toBeLessThan(0.1);
      if (name !== 'banzhaf') expect(estimate.efficiencyGap).toBeCloseTo(0, 9);
      expect([estimate.vEmpty, estimate.vGrand]).toEqual([1, 25]);
      expect([estimate.vEmptyHalfWidth, estimate.vGrandHalfWidth]).toEqual([0, 0]);
    });
  }

  test('all coalitions at once leave no error', () => {
    const { estimate } = sample(exactScheme(4), rich, 2, Rng.from(1));
    const wanted = shapley(rich);
    for (let i = 0; i < 4; i++) expect(estimate.mean[i]).toBeCloseTo(wanted[i]!, 12);
    expect(estimate.widest).toBeLessThan(1e-12);
  });

  test('one antithetic pair is exact on a game of pairs; one order is not', () => {
    const pairs = tableOf(caseOf('game').input.v!);
    const wanted = shapley(pairs);
    const { estimate } = sample(antitheticScheme(3), pairs, 1, Rng.from(2));
    for (let i = 0; i < 3; i++) expect(estimate.mean[i]).toBeCloseTo(wanted[i]!, 12);
    expect(sample(permutationScheme(3), pairs, 50, Rng.from(2)).estimate.widest).toBeGreaterThan(0.1);
  });
});

test('the spread of one draw is the one computed exactly', () => {
  const wanted = caseOf('rich4_exact_sampling_sd').expected;
  const draws = 40_000;
  const close = (actual: Float64Array, exact: readonly number[]): void => {
    for (let i = 0; i < 4; i++) expect(Math.abs(actual[i]! / exact[i]! - 1)).toBeLessThan(0.03);
  };
  close(sample(permutationScheme(4), rich, draws, Rng.from(7)).sd, wanted.one_permutation!);
  close(sample(antitheticScheme(4), rich, draws, Rng.from(7)).sd, wanted.antithetic_pair_mean!);
  close(sample(banzhafScheme(4), rich, draws, Rng.from(7)).sd, wanted.uniform_coalition!);
});

test('how many draws a width needs', () => {
  const { input, expected } = caseOf('normal_samples');
  expect(input.half_width!.map((width) => drawsFor(input.sd!, width))).toEqual(expected.m);
});

test('quantiles of t', () => {
  for (const [degrees, t] of [
    [3, 3.182],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [1000, 1.962],
  ] as const) {
    // biome-ignore format: a table
    expect(Math.abs(tQuantile(degrees) - t)).toBeLessThan(0.01);
  }
});

describe('intervals', () => {
  const games = [
    ['gloves', glove([0], [1, 2])],
    ['airport', airport([1, 2, 3, 5])],
    ['council', voting(6, [4, 3, 2, 1])],
    ['rich', rich],
  ] as const;
  for (const [name, table] of games) {
    test(`95 % of ${name} at 1,000 orders hold the truth in at least 93.5 % of 2,000 repetitions`, () => {
      const wanted = shapley(table);
      const n = wanted.length;
      const held = new Float64Array(n);
      const rng = Rng.from(20);
      for (let r = 0; r < 2000; r++) {
        const { estimate } = sample(permutationScheme(n), table, 1000, rng);
        for (let i = 0; i < n; i++) {
          expect(estimate.halfWidth(i)).toBeGreaterThan(0);
          if (Math.abs(estimate.mean[i]! - wanted[i]!) <= estimate.halfWidth(i)) held[i]!++;
        }
      }
      for (let i = 0; i < n; i++) expect(held[i]! / 2000).toBeGreaterThanOrEqual(0.935);
    }, 120_000);
  }

  test('the difference of two players has its own interval: none for twins in every draw of all coalitions', () => {
    const noise = Rng.from(9);
    const estimate = new Estimate(2);
    for (let d = 0; d < 500; d++) {
      const shared = noise.uniform();
      estimate.add(Float64Array.of(shared, shared + 0.1 * noise.uniform()), 0, 1);
    }
    expect(estimate.differenceHalfWidth(0, 1)).toBeLessThan(estimate.halfWidth(0) / 3);
    expect(estimate.differenceHalfWidth(0, 1)).toBeCloseTo(estimate.differenceHalfWidth(1, 0), 12);
  });

  test('players who make no difference get zero, and schemes refuse what they cannot do', () => {
    const flat = gameOf(3, () => 4);
    expect(Array.from(sample(stratifiedScheme(3), flat, 3, Rng.from(1)).estimate.mean)).toEqual([0, 0, 0]);
    expect(() => exactScheme(13)).toThrow('too many');
    expect(() => owenScheme(3, [[0], [1]])).toThrow('every player');
  });
});
