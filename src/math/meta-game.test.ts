/** Golden algo-meta-game, and properties that known games fix. */
import { describe, expect, it, test } from 'vitest';
import golden from './golden/algo-meta-game.json' with { type: 'json' };
import { type Matrix, maximise, solveLinear } from './linear.ts';
import { alphaRank, fictitiousPlay, fitness, flowStep, projectedReplicator, projectMixture, replicator } from './meta-game.ts';
import { nashAverage, riskAverse, zeroSumNash } from './meta-game-nash.ts';
import { Rng } from './rng.ts';

type Case = { readonly name: string; readonly input: never; readonly expected: never };
const cases = golden.cases as unknown as readonly Case[];
const of = (prefix: string): readonly Case[] => {
  const found = cases.filter(({ name }) => name.startsWith(prefix));
  if (found.length === 0) throw new Error(`no golden case ${prefix}`);
  return found;
};
const near = (found: readonly number[], wanted: readonly number[], digits = 10): void => {
  expect(found).toHaveLength(wanted.length);
  found.forEach((x, i) => {
    expect(x, `[${i}]`).toBeCloseTo(wanted[i]!, digits);
  });
};
const ROCK: Matrix = [
  [0, -1, 1],
  [1, 0, -1],
  [-1, 1, 0],
];

describe('golden', () => {
  test.each(of('replicator'))('$name', ({ input, expected }) => {
    const { A, x, dt } = input as { readonly A: Matrix; readonly x: number[]; readonly dt?: number };
    const want = expected as { readonly dx: number[]; readonly fitness?: number[]; readonly x_next_euler?: number[] };
    const dx = replicator(A, x);
    near(dx, want.dx);
    if (want.fitness) near(fitness(A, x), want.fitness);
    if (want.x_next_euler && dt !== undefined)
      near(
        x.map((v, i) => v + dt * dx[i]!),
        want.x_next_euler,
      );
  });

  test.each(of('fictitious_play'))('$name', ({ input, expected }) => {
    const { A, rounds } = input as { readonly A: Matrix; readonly rounds: number };
    const want = expected as { readonly row_average: number[]; readonly col_average: number[]; readonly actions: number[][] };
    const found = fictitiousPlay(A, rounds);
    near(found.row, want.row_average);
    near(found.column, want.col_average);
    expect(found.actions).toEqual(want.actions);
  });

  test.each(of('alpharank'))('$name', ({ input, expected }) => {
    const { payoff, m, alpha } = input as { readonly payoff: Matrix; readonly m: number; readonly alpha: number };
    const want = expected as { readonly transition: Matrix; readonly stationary: number[] };
    const { transition, stationary } = alphaRank(payoff, m, alpha);
    transition.forEach((row, i) => {
      near(row, want.transition[i]!, 12);
    });
    near(stationary, want.stationary, 10);
  });

  test.each(of('nash_average'))('$name', ({ input, expected }) => {
    const want = expected as { readonly nash: number[]; readonly skill: number[] };
    const { nash, skill } = nashAverage((input as { readonly A: Matrix }).A);
    near(nash, want.nash, 9);
    near(skill, want.skill, 9);
  });
});

describe('zero-sum games', () => {
  it('finds equilibria, on random tables of every shape, ties included', () => {
    const rng = Rng.from(3);
    for (let round = 0; round < 80; round++) {
      const [rows, columns] = [1 + (round % 7), 1 + (round % 5)];
      const wide = round % 2 === 0 ? 5 : 1000; // few different numbers: many ties
      const pay = Array.from({ length: rows }, () => Array.from({ length: columns }, () => rng.int(wide) - wide / 2));
      const { row, column, value } = zeroSumNash(pay);
      for (const list of [row, column]) {
        expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
        expect(list.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      }
      expect(Math.max(...fitness(pay, column)), `round ${round}`).toBeCloseTo(value, 9);
      const against = Array.from({ length: columns }, (_, j) => row.reduce((sum, p, i) => sum + p * pay[i]![j]!, 0));
      expect(Math.min(...against)).toBeCloseTo(value, 9);
    }
  });

  it('counts copies of a strategy once', () => {
    const copied = [
      [0, 0, -1, 1],
      [0, 0, -1, 1],
      [1, 1, 0, -1],
      [-1, -1, 1, 0],
    ];
    near(nashAverage(copied).nash, [1 / 6, 1 / 6, 1 / 3, 1 / 3], 9);
    // all alike: everything is an equilibrium, and the widest is even
    near(nashAverage([0, 1, 2].map(() => [0, 0, 0])).nash, [1 / 3, 1 / 3, 1 / 3], 12);
  });

  it('averages over equilibria of random antisymmetric tables: no deviation gains against them', () => {
    const rng = Rng.from(9);
    for (let round = 0; round < 40; round++) {
      const n = 2 + (round % 7);
      const pay = Array.from({ length: n }, () => new Array<number>(n).fill(0));
      for (let i = 0; i < n; i++)
        for (let j = 0; j < i; j++) {
          const v = round % 3 === 0 ? rng.int(3) - 1 : rng.uniform() - 0.5;
          pay[i]![j] = v;
          pay[j]![i] = -v;
        }
      const { nash, skill } = nashAverage(pay);
      expect(nash.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      expect(Math.max(...skill), `round ${round}`).toBeLessThan(1e-8);
    }
  });
});

describe('dynamics', () => {
  it('circles around the middle of rock, paper, scissors without leaving its orbit', () => {
    const mass = (x: readonly number[]) => x.reduce((a, b) => a * b, 1); // constant along the flow
    let x: readonly (readonly number[])[] = [[0.5, 0.3, 0.2]];
    const before = mass(x[0] as readonly number[]);
    for (let i = 0; i < 2000; i++) x = flowStep(x, ([s]) => [replicator(ROCK, s as readonly number[])], 0.05);
    expect(mass(x[0] as readonly number[])).toBeCloseTo(before, 6);
  });

  it('brings a lost strategy back by mutation only', () => {
    const dilemma = [
      [3, 0],
      [5, 1],
    ];
    const run = (mutation: number) => {
      let x: readonly (readonly number[])[] = [[1, 0]];
      for (let i = 0; i < 400; i++) x = flowStep(x, ([s]) => [replicator(dilemma, s as readonly number[], s, mutation)], 0.1);
      return x[0] as readonly number[];
    };
    near(run(0), [1, 0], 12);
    expect(run(0.01)[1]).toBeGreaterThan(0.97);
  });

  it('projects to the nearest mixture with a floor', () => {
    near(projectMixture([0.6, 0.6]), [0.5, 0.5]);
    near(projectMixture([2, 0, -1]), [1, 0, 0]);
    near(projectMixture([2, 0, -1], 0.1), [0.8, 0.1, 0.1]);
  });

  it('projected dynamics stay near the middle of a cycle on average and leave dominated strategies', () => {
    const negative = ROCK.map((row) => row.map((v) => -v));
    near(projectedReplicator(ROCK, negative, { iterations: 2000, dt: 0.05, least: 1e-6 }).row, [1 / 3, 1 / 3, 1 / 3], 3);
    const dilemma = [
      [3, 0],
      [5, 1],
    ];
    const column = [
      [3, 5],
      [0, 1],
    ];
    expect(projectedReplicator(dilemma, column, { iterations: 5000, dt: 0.01, least: 1e-6 }).row[1]).toBeGreaterThan(0.9);
  });

  it('avoids what depends on the other: hares in the stag hunt, but stags for who does not mind', () => {
    const hunt = [
      [4, 0],
      [2.1, 1.9],
    ];
    const mirrored = [
      [4, 2.1],
      [0, 1.9],
    ];
    near(riskAverse(hunt, mirrored, { aversion: 0.2, rounds: 2000 }).row, [0, 1], 2);
    const bold = [
      [4, 1],
      [2.1, 1.9],
    ];
    const boldColumn = [
      [4, 2.1],
      [1, 1.9],
    ];
    near(riskAverse(bold, boldColumn, { aversion: 0, rounds: 2000 }).row, [1, 0], 2);
    near(riskAverse(bold, boldColumn, { aversion: 0.5, rounds: 2000 }).row, [0, 1], 2);
  });
});

test('linear programs: a known one, and one without bound', () => {
  // largest 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18
  const found = maximise(
    [3, 5],
    [
      [1, 0],
      [0, 2],
      [3, 2],
    ],
    [4, 12, 18],
  );
  expect(found?.value).toBeCloseTo(36, 12);
  near(found?.x ?? [], [2, 6]);
  near(found?.dual ?? [], [0, 1.5, 1]);
  expect(maximise([1], [[-1]], [0])).toBeNull();
  near(
    solveLinear(
      [
        [0, 2],
        [1, 1],
      ],
      [4, 3],
    ),
    [1, 2],
  );
});
