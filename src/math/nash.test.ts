import { expect, test } from 'vitest';
import { bestResponses, type Payoffs, payoffsOf, solve, symmetricEquilibria } from './nash.ts';

type Matrix = readonly (readonly number[])[];
const game = (row: Matrix, column: Matrix): Payoffs => ({
  row,
  column,
});
const mirrored = (row: Matrix) =>
  game(
    row,
    (row[0] ?? []).map((_, c) => row.map((line) => line[c]!)),
  );
const found = (g: Payoffs) => solve(g).equilibria.map(({ row, column }) => [row, column]);

test('the dilemma has one equilibrium, and it is pure', () => {
  expect(
    solve(
      mirrored([
        [-1, -3],
        [0, -2],
      ]),
    ).equilibria,
  ).toEqual([{ row: [0, 1], column: [0, 1], until: null, pays: [-2, -2] }]);
});

test('stag hunt and battle of the sexes have two pure and one mixed', () => {
  expect(
    found(
      mirrored([
        [4, 0],
        [2, 2],
      ]),
    ),
  ).toEqual([
    [
      [1, 0],
      [1, 0],
    ],
    [
      [0, 1],
      [0, 1],
    ],
    [
      [0.5, 0.5],
      [0.5, 0.5],
    ],
  ]);
  const sexes = solve(
    game(
      [
        [3, 0],
        [0, 2],
      ],
      [
        [2, 0],
        [0, 3],
      ],
    ),
  );
  expect(sexes.equilibria).toHaveLength(3);
  const mixed = sexes.equilibria[2]!;
  expect(mixed.row[0]).toBeCloseTo(3 / 5, 12);
  expect(mixed.column[0]).toBeCloseTo(2 / 5, 12);
  expect(mixed.pays[0]).toBeCloseTo(6 / 5, 12);
});

test('matching pennies has only the even mixture', () => {
  expect(
    found(
      game(
        [
          [1, -1],
          [-1, 1],
        ],
        [
          [-1, 1],
          [1, -1],
        ],
      ),
    ),
  ).toEqual([
    [
      [0.5, 0.5],
      [0.5, 0.5],
    ],
  ]);
});

test('ties give whole ranges', () => {
  // the row player does not care; the column player wants its first action while p > 1/2
  const ranges = solve(
    game(
      [
        [1, 1],
        [1, 1],
      ],
      [
        [1, 0],
        [0, 1],
      ],
    ),
  ).equilibria;
  const ends = ranges.map(({ row, until, column }) => [row[0], until?.row[0] ?? row[0], column[0], until?.column[0] ?? column[0]]);
  expect(ends).toContainEqual([0.5, 1, 1, 1]);
  expect(ends).toContainEqual([0, 0.5, 0, 0]);
  expect(ends).toContainEqual([0.5, 0.5, 0, 1]);
  expect(ends).toHaveLength(3);
  // constant payoffs: everything is an equilibrium
  expect(
    solve(
      game(
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 0],
        ],
      ),
    ).equilibria,
  ).toMatchObject([{ row: [0, 1], until: { row: [1, 0], column: [1, 0] } }]);
});

test('rock, paper, scissors: a third each', () => {
  const { equilibria, complete } = solve(
    mirrored([
      [0, -1, 1],
      [1, 0, -1],
      [-1, 1, 0],
    ]),
  );
  expect(complete).toBe(true);
  expect(equilibria).toHaveLength(1);
  for (const p of [...equilibria[0]!.row, ...equilibria[0]!.column]) expect(p).toBeCloseTo(1 / 3, 12);
});

test('coordination of n has 2^n - 1 equilibria; tables need not be square', () => {
  const identity = (n: number) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_unused, j) => (i === j ? 1 : 0)));
  for (const n of [3, 4, 5]) expect(solve(game(identity(n), identity(n))).equilibria).toHaveLength(2 ** n - 1);
  expect(
    found(
      game(
        [
          [3, 1, 0],
          [0, 2, 1],
        ],
        [
          [2, 1, 0],
          [0, 3, 4],
        ],
      ),
    ).filter(([row]) => row!.includes(1)),
  ).toContainEqual([
    [1, 0],
    [1, 0, 0],
  ]);
});

test('a tied game says that there may be more', () => {
  expect(
    solve(
      game(
        [
          [1, 1, 0],
          [1, 1, 0],
          [0, 0, 0],
        ],
        [
          [1, 1, 0],
          [1, 1, 0],
          [0, 0, 0],
        ],
      ),
    ).complete,
  ).toBe(false);
});

test('no player gains by deviating from what is found, on random games of every small shape', () => {
  let seed = 12345;
  const draw = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * 21) - 10;
  };
  for (let round = 0; round < 60; round++) {
    const [R, C] = [2 + (round % 4), 2 + (Math.floor(round / 4) % 4)];
    const table = () => Array.from({ length: R }, () => Array.from({ length: C }, draw));
    const g = game(table(), table());
    const { equilibria, complete } = solve(g);
    if (complete) expect(equilibria.length, `round ${round}`).toBeGreaterThan(0);
    for (const { row, column, until, pays } of equilibria)
      for (const [p, q] of [
        [row, column],
        [until?.row ?? row, until?.column ?? column],
      ] as const) {
        const [a, b] = payoffsOf(g, p, q);
        if (until === null) expect(pays).toEqual([a, b]);
        for (let i = 0; i < R; i++)
          expect(
            payoffsOf(
              g,
              p.map((_, k) => Number(k === i)),
              q,
            )[0],
          ).toBeLessThanOrEqual(a + 1e-8);
        for (let j = 0; j < C; j++)
          expect(
            payoffsOf(
              g,
              p,
              q.map((_, k) => Number(k === j)),
            )[1],
          ).toBeLessThanOrEqual(b + 1e-8);
      }
  }
});

test('best responses, ties included', () => {
  const best = bestResponses(
    mirrored([
      [-1, -3],
      [0, -2],
    ]),
  );
  expect(best.row).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(best.column).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(
    bestResponses(
      game(
        [
          [1, 1],
          [1, 0],
        ],
        [
          [0, 0],
          [0, 0],
        ],
      ),
    ).row,
  ).toEqual([
    [true, true],
    [true, false],
  ]);
});

test('symmetric equilibria: both of the hunt and the mixed one, the one of the dilemma, even chances of rock, paper, scissors', () => {
  expect(
    symmetricEquilibria([
      [4, -8],
      [2, 2],
    ]),
  ).toEqual([[1, 0], [0, 1], [10 / 12, 1 - 10 / 12].map((p) => expect.closeTo(p, 12))]);
  expect(
    symmetricEquilibria([
      [-1, -3],
      [0, -2],
    ]),
  ).toEqual([[0, 1]]);
  const [even, ...others] = symmetricEquilibria([
    [0, -1, 1],
    [1, 0, -1],
    [-1, 1, 0],
  ]);
  expect(others).toEqual([]);
  for (const p of even ?? []) expect(p).toBeCloseTo(1 / 3, 12);
  expect(() => symmetricEquilibria(Array.from({ length: 13 }, () => new Array<number>(13).fill(0)))).toThrow(RangeError);
});
