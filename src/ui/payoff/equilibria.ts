/**
 * Nash equilibria of a game of two in normal form. Two actions each: all of them, exactly, whole ranges included. More actions: support
 * enumeration over supports of equal size, which finds every equilibrium of a game without ties; where there are ties it says so.
 */
import type { Bimatrix } from '#contract/payoffs.ts';

export interface Equilibrium {
  /** Chances of the actions. */
  readonly row: readonly number[];
  readonly column: readonly number[];
  /** Where it is a range: its other end. Every mixture between the ends of both is an equilibrium too. */
  readonly until: { readonly row: readonly number[]; readonly column: readonly number[] } | null;
  /** Expected payoffs at the first end. */
  readonly pays: readonly [row: number, column: number];
}

export interface Solution {
  readonly equilibria: readonly Equilibrium[];
  /** false: payoffs are tied in a way that may hide further equilibria. */
  readonly complete: boolean;
}

type Matrix = readonly (readonly number[])[];

const cell = (m: Matrix, r: number, c: number): number => m[r]?.[c] ?? 0;

export function solve(game: Bimatrix): Solution {
  const [R, C] = [game.row.length, game.row[0]?.length ?? 0];
  return R === 2 && C === 2 ? { equilibria: solveTwo(game), complete: true } : enumerate(game, R, C);
}

/** Best responses: [r][c] is true where the row player could do no better against c, and the column player no better against r. */
export function bestResponses(game: Bimatrix): {
  readonly row: readonly (readonly boolean[])[];
  readonly column: readonly (readonly boolean[])[];
} {
  const tops = game.row[0]?.map((_, c) => Math.max(...game.row.map((r) => r[c] ?? 0))) ?? [];
  return {
    row: game.row.map((r) => r.map((value, c) => value === tops[c])),
    column: game.column.map((r) => r.map((value) => value === Math.max(...r))),
  };
}

export function payoffsOf(game: Bimatrix, row: readonly number[], column: readonly number[]): readonly [number, number] {
  let [a, b] = [0, 0];
  row.forEach((p, r) => {
    column.forEach((q, c) => {
      a += p * q * cell(game.row, r, c);
      b += p * q * cell(game.column, r, c);
    });
  });
  return [a, b];
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly sign: number;
}

/**
 * [0, 1] in pieces on which (1 - t) * at0 + t * at1 has one sign: ends, the zero between them, and what lies between. The zero is
 * the only division, so equal payoffs are compared exactly.
 */
function pieces(at0: number, at1: number): readonly Piece[] {
  const ends = [
    { from: 0, to: 0, sign: Math.sign(at0) },
    { from: 1, to: 1, sign: Math.sign(at1) },
  ];
  if (at0 * at1 < 0) {
    const zero = at0 / (at0 - at1);
    return [
      ...ends,
      { from: 0, to: zero, sign: Math.sign(at0) },
      { from: zero, to: zero, sign: 0 },
      { from: zero, to: 1, sign: Math.sign(at1) },
    ];
  }
  return [...ends, { from: 0, to: 1, sign: Math.sign(at0 + at1) }];
}

/** Whether playing the first action with these chances is best, given the sign of what it gains over the second. */
function fits({ from, to }: Piece, sign: number): boolean {
  if (from === 0 && to === 0) return sign <= 0;
  if (from === 1 && to === 1) return sign >= 0;
  return sign === 0;
}

/** p: chance of the row player's first action, q: of the column player's. */
function solveTwo({ row, column, ...names }: Bimatrix): readonly Equilibrium[] {
  const game = { row, column, ...names };
  // what the row player gains by its first action at q = 0 and q = 1, and the column player at p = 0 and p = 1
  const qs = pieces(cell(row, 0, 1) - cell(row, 1, 1), cell(row, 0, 0) - cell(row, 1, 0));
  const ps = pieces(cell(column, 1, 0) - cell(column, 1, 1), cell(column, 0, 0) - cell(column, 0, 1));
  const boxes = ps.flatMap((p) => qs.filter((q) => fits(p, q.sign) && fits(q, p.sign)).map((q) => ({ p, q })));
  const inside = (a: Piece, b: Piece) => a.from >= b.from && a.to <= b.to;
  const own = boxes.filter((box) => !boxes.some((other) => other !== box && inside(box.p, other.p) && inside(box.q, other.q)));
  return own
    .map(({ p, q }) => {
      const [from, to] = [
        { row: [p.from, 1 - p.from], column: [q.from, 1 - q.from] },
        { row: [p.to, 1 - p.to], column: [q.to, 1 - q.to] },
      ];
      const point = p.from === p.to && q.from === q.to;
      return { ...from, until: point ? null : to, pays: payoffsOf(game, from.row, from.column) };
    })
    .sort(byPurity);
}

/** Pure ones first, in reading order. */
function byPurity(a: Equilibrium, b: Equilibrium): number {
  const mixed = (e: Equilibrium) => Number(e.until !== null) + [...e.row, ...e.column].filter((p) => p > 0 && p < 1).length;
  return mixed(a) - mixed(b) || a.row.indexOf(1) - b.row.indexOf(1) || a.column.indexOf(1) - b.column.indexOf(1);
}

function subsets(n: number, size: number, from = 0): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return Array.from({ length: Math.max(0, n - from) }, (_, i) => from + i).flatMap((first) =>
    subsets(n, size - 1, first + 1).map((rest) => [first, ...rest]),
  );
}

function enumerate(game: Bimatrix, R: number, C: number): Solution {
  const scale = Math.max(1, ...game.row.flat().map(Math.abs), ...game.column.flat().map(Math.abs));
  const slack = 1e-9 * scale;
  const theirs = Array.from({ length: C }, (_, c) => Array.from({ length: R }, (_unused, r) => cell(game.column, r, c)));
  const equilibria: Equilibrium[] = [];
  let complete = true;
  for (let size = 1; size <= Math.min(R, C); size++) {
    const columns = subsets(C, size);
    for (const I of subsets(R, size))
      for (const J of columns) {
        const column = mixture(game.row, I, J, C, slack);
        if (column === null) continue;
        const row = mixture(theirs, J, I, R, slack);
        if (row === null) continue;
        equilibria.push({ row: row.chances, column: column.chances, until: null, pays: payoffsOf(game, row.chances, column.chances) });
        complete &&= row.best === size && column.best === size;
      }
  }
  return { equilibria: equilibria.sort(byPurity), complete };
}

/**
 * The mixture of the other player over `others` that leaves the player of `m` ([own action][other's action]) indifferent between its
 * `own` actions and no other action better; null: there is none with all chances above 0. `best`: how many actions are then best.
 */
function mixture(
  m: Matrix,
  own: readonly number[],
  others: readonly number[],
  n: number,
  slack: number,
): { readonly chances: readonly number[]; readonly best: number } | null {
  const size = own.length;
  // sum_j m[i][j] y_j - v = 0 for each own i; sum_j y_j = 1
  const rows = own.map((i) => [...others.map((j) => cell(m, i, j)), -1, 0]);
  const solved = eliminate([...rows, [...others.map(() => 1), 0, 1]]);
  if (solved === null) return null;
  const value = solved[size] ?? 0;
  if (solved.slice(0, size).some((p) => p <= 1e-12)) return null;
  const chances: number[] = new Array<number>(n).fill(0);
  others.forEach((j, k) => {
    chances[j] = solved[k] ?? 0;
  });
  let best = 0;
  for (const line of m) {
    const gain = line.reduce((sum, x, j) => sum + x * (chances[j] ?? 0), 0) - value;
    if (gain > slack) return null;
    if (gain > -slack) best++;
  }
  return { chances, best };
}

/** Solves an n x (n + 1) system by elimination with pivoting; null: it has no single solution. */
function eliminate(system: number[][]): readonly number[] | null {
  const n = system.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(cell(system, i, k)) > Math.abs(cell(system, pivot, k))) pivot = i;
    const line = system[pivot];
    if (line === undefined || Math.abs(line[k] ?? 0) < 1e-12) return null;
    system[pivot] = system[k]!;
    system[k] = line;
    for (let i = 0; i < n; i++) {
      const row = system[i]!;
      const factor = i === k ? 0 : (row[k] ?? 0) / line[k]!;
      if (factor !== 0) for (let j = k; j <= n; j++) row[j] = (row[j] ?? 0) - factor * (line[j] ?? 0);
    }
  }
  return system.map((row, k) => (row[n] ?? 0) / row[k]!);
}
