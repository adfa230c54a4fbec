/**
 * Nash equilibria of a game of two in normal form. Two actions each: all of them, exactly, whole ranges included. More actions: support
 * enumeration over supports of equal size (von Stengel 2002, section 2), which finds every equilibrium of a game without ties; where
 * there are ties it says so.
 */
import { type Matrix, solveLinear, transpose } from './linear.ts';

/** What the row player and the column player get for each pair of actions: [own action of row][action of column]. */
export interface Payoffs {
  readonly row: Matrix;
  readonly column: Matrix;
}

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

const cell = (m: Matrix, r: number, c: number): number => m[r]?.[c] ?? 0;

export function solve(game: Payoffs): Solution {
  const [R, C] = [game.row.length, game.row[0]?.length ?? 0];
  if (R === 2 && C === 2) return { equilibria: solveTwo(game), complete: true };
  const found = supportEnumeration(game);
  return {
    equilibria: found.map(({ row, column }) => ({ row, column, until: null, pays: payoffsOf(game, row, column) })).sort(byPurity),
    complete: found.every(({ regular }) => regular),
  };
}

/** Best responses: [r][c] is true where the row player could do no better against c, and the column player no better against r. */
export function bestResponses(game: Payoffs): {
  readonly row: readonly (readonly boolean[])[];
  readonly column: readonly (readonly boolean[])[];
} {
  const tops = game.row[0]?.map((_, c) => Math.max(...game.row.map((r) => r[c] ?? 0))) ?? [];
  return {
    row: game.row.map((r) => r.map((value, c) => value === tops[c])),
    column: game.column.map((r) => r.map((value) => value === Math.max(...r))),
  };
}

export function payoffsOf(game: Payoffs, row: readonly number[], column: readonly number[]): readonly [number, number] {
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
function solveTwo(game: Payoffs): readonly Equilibrium[] {
  const { row, column } = game;
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

/** Probabilities below this do not count as part of a support. */
const TIE = 1e-9;

export interface SupportEquilibrium {
  readonly row: readonly number[];
  readonly column: readonly number[];
  /** Outside the supports no action is as good as those in them. Where this is false, ties may hide further equilibria. */
  readonly regular: boolean;
}

/** The equilibria with supports of equal size, small supports first. The work grows with the number of pairs of supports: for up to 9 actions. */
export function supportEnumeration({ row, column }: Payoffs): readonly SupportEquilibrium[] {
  const [R, C] = [row.length, row[0]?.length ?? 0];
  const scale = Math.max(1, ...row.flat().map(Math.abs), ...column.flat().map(Math.abs));
  const theirs = transpose(column);
  const out: SupportEquilibrium[] = [];
  for (let size = 1; size <= Math.min(R, C); size++)
    for (const rows of subsets(R, size))
      for (const columns of subsets(C, size)) {
        const p = indifferent(rows, columns, theirs, R);
        const q = indifferent(columns, rows, row, C);
        if (p === null || q === null) continue;
        const [a, b] = [gainOver(row, p, q), gainOver(theirs, q, p)];
        // together within 1e-7 of an equilibrium, relative to the payoffs
        if (a.gain + b.gain >= 1e-7 * scale) continue;
        out.push({ row: p, column: q, regular: a.best === size && b.best === size });
      }
  return out;
}

/** Subsets of 0..n-1 of a size, in the order of their bits. */
function subsets(n: number, size: number): readonly (readonly number[])[] {
  const out: number[][] = [];
  for (let bits = 0; bits < 1 << n; bits++) {
    const list = Array.from({ length: n }, (_, i) => i).filter((i) => (bits >> i) & 1);
    if (list.length === size) out.push(list);
  }
  return out;
}

/**
 * The mixture over `support` (of `size` actions) that makes the opponent indifferent between `others`; null: there is none with all
 * probabilities above 0. pay[other's action][own action] is what the opponent gets.
 */
function indifferent(support: readonly number[], others: readonly number[], pay: Matrix, size: number): readonly number[] | null {
  const k = support.length;
  // unknowns: probabilities of the support and the opponent's value
  const rows = others.map((b) => [...support.map((a) => pay[b]![a]!), -1]);
  rows.push([...new Array<number>(k).fill(1), 0]);
  const x = solveLinear(rows, [...new Array<number>(k).fill(0), 1]);
  if (x.some((v) => !Number.isFinite(v)) || x.slice(0, k).some((v) => v <= TIE)) return null;
  const out = new Array<number>(size).fill(0);
  support.forEach((a, i) => {
    out[a] = x[i]!;
  });
  return out;
}

/** What a player of mixture `own` would gain by its best action against `other`, and how many actions are best. pay[own][other]. */
function gainOver(pay: Matrix, own: readonly number[], other: readonly number[]): { readonly gain: number; readonly best: number } {
  const values = pay.map((line) => line.reduce((sum, x, j) => sum + other[j]! * x, 0));
  const top = Math.max(...values);
  const slack = TIE * Math.max(1, ...pay.flat().map(Math.abs));
  return { gain: top - values.reduce((sum, v, a) => sum + v * own[a]!, 0), best: values.filter((v) => v >= top - slack).length };
}

/** Supports of more actions than this are not looked at: their number doubles with every action. */
const MOST_SYMMETRIC = 12;

/**
 * Equilibria of a symmetric game in which both players use one mixture, small supports first. pay[own][other], n x n with n <= 12. Where
 * payoffs are tied some may be missing, even all. Throws RangeError for a larger game.
 */
export function symmetricEquilibria(pay: Matrix): readonly (readonly number[])[] {
  const n = pay.length;
  if (n > MOST_SYMMETRIC) throw new RangeError(`Symmetric equilibria are sought among at most ${MOST_SYMMETRIC} actions.`);
  const scale = Math.max(1, ...pay.flat().map(Math.abs));
  const out: (readonly number[])[] = [];
  for (let size = 1; size <= n; size++)
    for (const support of subsets(n, size)) {
      const mixture = indifferent(support, support, pay, n);
      if (mixture !== null && gainOver(pay, mixture, mixture).gain < 1e-7 * scale) out.push(mixture);
    }
  return out;
}
