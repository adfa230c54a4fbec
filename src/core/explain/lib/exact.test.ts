import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { banzhaf, dividends, interactions, leaveOneOut, marginalsBySize, myerson, owen, shapley } from './exact.ts';
import { additive, airport, bankruptcy, gameOf, glove, knownGames, majority, unanimity, voting } from './games.ts';

interface Case {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly expected: Record<string, unknown>;
}
const golden = (file: string): readonly Case[] =>
  (JSON.parse(readFileSync(new URL(`../golden/${file}.json`, import.meta.url), 'utf8')) as { cases: Case[] }).cases;

const near = (actual: ArrayLike<number>, wanted: readonly number[], digits = 9): void => {
  expect(actual.length).toBe(wanted.length);
  for (let i = 0; i < wanted.length; i++) expect(actual[i]).toBeCloseTo(wanted[i]!, digits);
};
const maskOf = (key: string): number => (JSON.parse(key) as number[]).reduce((mask, i) => mask | (1 << i), 0);
const tableOf = (v: Record<string, number>): Float64Array => {
  const table = new Float64Array(Object.keys(v).length);
  for (const [key, value] of Object.entries(v)) table[maskOf(key)] = value;
  return table;
};
const numbers = (value: unknown): number[] => value as number[];

describe('games with known answers', () => {
  const tables: Record<string, (input: Record<string, unknown>) => Float64Array> = {
    left: ({ left, right }) => glove(numbers(left), numbers(right)),
    costs: ({ costs }) => airport(numbers(costs)),
    weights: ({ quota, weights }) => voting(quota as number, numbers(weights)),
    carrier: ({ carrier }) => unanimity(4, numbers(carrier)),
    worth: ({ worth }) => additive(numbers(worth)),
    estate: ({ estate, claims }) => bankruptcy(estate as number, numbers(claims)),
    v_empty: ({ v_empty }) => gameOf(2, (_, mask) => (v_empty as number) + [0, 2, 2, 4][mask]!),
  };
  for (const { name, input, expected } of golden('shapley-exact')) {
    test(name, () => {
      const key = Object.keys(tables).find((k) => k in input);
      let table: Float64Array;
      if (key !== undefined) table = tables[key]!(input);
      else if (name === 'additivity') {
        const power = voting(51, [50, 49, 1]);
        table = glove([0], [1, 2]).map((g, mask) => 3 * g + 2 * power[mask]!);
      } else table = name.startsWith('majority') ? majority(input.players as number) : unanimity(input.players as number);
      near(shapley(table), numbers(expected.shapley));
      if (expected.banzhaf !== undefined) near(banzhaf(table), numbers(expected.banzhaf));
      if (expected.grand !== undefined) expect(table.at(-1)).toBeCloseTo(expected.grand as number, 9);
    });
  }

  test('the games of the trust panel name as many players as they have', () => {
    for (const game of knownGames) expect(game.table).toHaveLength(2 ** game.players.length);
  });
});

describe('tables of the reference', () => {
  let table: Float64Array = new Float64Array(0);
  for (const { name, input, expected } of golden('shapley-estimators')) {
    const wanted = expected as Record<string, number[]> & { harsanyi_dividends?: Record<string, number>; pairs?: Record<string, number> };
    const own = input.v === undefined ? null : tableOf(input.v as Record<string, number>);
    if (own !== null) table = own;
    const v = table;
    const known = ['shapley', 'owen', 'myerson', 'pairs', 'leave_one_out', 'harsanyi_dividends', 'mean_by_size', 'by_size'];
    if (!known.some((key) => key in expected) || name.includes('heuillet')) continue;
    test(name, () => {
      if (wanted.shapley !== undefined) near(shapley(v), wanted.shapley);
      if (wanted.banzhaf !== undefined) near(banzhaf(v), wanted.banzhaf);
      if (wanted.leave_one_out !== undefined) near(leaveOneOut(v), wanted.leave_one_out);
      if (wanted.owen !== undefined) near(owen(v, input.unions as number[][]), wanted.owen);
      if (wanted.myerson !== undefined) near(myerson(v, input.edges as [number, number][]), wanted.myerson);
      const shares = dividends(v);
      for (const [key, value] of Object.entries(wanted.harsanyi_dividends ?? {})) expect(shares[maskOf(key)]).toBeCloseTo(value, 9);
      const n = Math.log2(v.length);
      for (const [key, value] of Object.entries(wanted.pairs ?? {})) {
        const [i, j] = key.split(',').map(Number) as [number, number];
        expect(interactions(v)[i * n + j]).toBeCloseTo(value, 9);
        expect(interactions(v)[j * n + i]).toBeCloseTo(value, 9);
      }
      const strata = (expected.mean_by_size ?? expected.by_size ?? {}) as Record<string, number[]>;
      const means = marginalsBySize(v);
      for (const [player, values] of Object.entries(strata)) near(means.subarray(Number(player) * n, (Number(player) + 1) * n), values);
    });
  }

  for (const { name, input, expected } of golden('shapley-predator-prey')) {
    if (input.v === undefined) continue;
    test(name, () => {
      const v = tableOf(input.v as Record<string, number>);
      near(shapley(v), numbers(expected.shapley));
      near(banzhaf(v), numbers(expected.banzhaf));
    });
  }
});

describe('axioms on random games', () => {
  const rng = Rng.from(3);
  for (let n = 1; n <= 7; n++) {
    test(`${n} players`, () => {
      const v = gameOf(n, () => rng.uniform() * 10 - 5);
      const w = gameOf(n, () => rng.uniform() * 10 - 5);
      const value = shapley(v);
      const sum = value.reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(v.at(-1)! - v[0]!, 9);
      near(
        shapley(v.map((x, i) => x + w[i]!)),
        Array.from(shapley(w), (x, i) => x + value[i]!),
      );
      // player 0 made a dummy, then a twin of the last one
      near([shapley(v.map((_, mask) => v[mask & ~1]!))[0]!], [0]);
      if (n > 1) {
        const twin = (mask: number): number => {
          const [a, b] = [mask & 1, (mask >> (n - 1)) & 1];
          return a < b ? (mask | 1) & ~(1 << (n - 1)) : mask;
        };
        const both = shapley(v.map((_, mask) => v[twin(mask)]!));
        expect(both[0]).toBeCloseTo(both[n - 1]!, 9);
      }
    });
  }

  test('a table of the wrong size or unions that leave a player out are refused', () => {
    expect(() => shapley(new Float64Array(6))).toThrow('2^n');
    expect(() => owen(new Float64Array(8), [[0], [1]])).toThrow('every player');
  });
});
