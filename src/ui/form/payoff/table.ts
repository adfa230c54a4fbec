/**
 * Reads the table of a game from the config, and writes it: a named game, or payoffs of one's own in the fields beside the name. Also how
 * the two players' payoffs hang together, and chances in words. Pure.
 */

import type { Bimatrix, GameCard, PayoffFormat } from '#contract/game/payoffs.ts';
import type { Json } from '#contract/kit/json.ts';
import { t } from '#text/text.ts';

type Fields = { readonly [name: string]: Json };
type Matrix = readonly (readonly number[])[];

/** What the column player gets follows from what the row player gets: the same game from its side, the opposite, the same; or it is free. */
export type Tie = 'free' | 'mirrored' | 'opposite' | 'equal';

export interface Shown {
  readonly game: Bimatrix;
  /** Payoffs of one's own, not those of the named game. */
  readonly own: boolean;
}

/** null: the config alone does not define a two-player game; its table, if it has one, is on the card. */
export function gameIn(format: PayoffFormat, name: Json | undefined, fields: Fields): Shown | null {
  if ((fields[format.tensor ?? ''] ?? null) !== null) return null;
  const named = typeof name === 'string' ? format.games[name] : undefined;
  const row = matrix(fields[format.row ?? '']);
  const column = matrix(fields[format.column ?? '']);
  if (row !== null || column !== null) {
    const table = { row: row ?? column ?? [], column: column ?? row ?? [] };
    return { game: { ...table, ...actionsFor(named, table.row) }, own: true };
  }
  const four = fields[format.symmetric ?? ''];
  if (Array.isArray(four) && four.length === 4) {
    const [cc, cd, dc, dd] = four as readonly number[];
    const own = [
      [cc ?? 0, cd ?? 0],
      [dc ?? 0, dd ?? 0],
    ];
    return { game: { row: own, column: transposed(own), ...actionsFor(named, own) }, own: true };
  }
  return named === undefined ? null : { game: named, own: false };
}

/** A game of two from its card; null: there are more players. */
export function pairOf(card: GameCard): Bimatrix | null {
  const [rowActions, columnActions, third] = card.actions;
  if (rowActions === undefined || columnActions === undefined || third !== undefined) return null;
  const of = (player: number): Matrix =>
    rowActions.map((_, r) => columnActions.map((_unused, c) => card.pay[r * columnActions.length + c]?.[player] ?? 0));
  return { row: of(0), column: of(1), rowActions, columnActions };
}

/** The actions of joint action j, one per player. */
export function jointActions({ actions }: GameCard, j: number): readonly number[] {
  const out: number[] = [];
  let rest = j;
  for (const list of [...actions].reverse()) {
    out.unshift(rest % list.length);
    rest = Math.floor(rest / list.length);
  }
  return out;
}

/** [joint][player]: no other action would pay this player more while all others stay. */
export function bestInJoint(card: GameCard): readonly (readonly boolean[])[] {
  return card.pay.map((pays, j) =>
    pays.map((own, player) => {
      const chosen = jointActions(card, j);
      // joint actions that differ in this player's action only lie `stride` apart
      const stride = card.actions.slice(player + 1).reduce((n, list) => n * list.length, 1);
      const first = j - (chosen[player] ?? 0) * stride;
      return (card.actions[player] ?? []).every((_, action) => (card.pay[first + action * stride]?.[player] ?? 0) <= own);
    }),
  );
}

/** Field values that write this table of many players into the config. */
export function fieldsForMany(format: PayoffFormat, pay: GameCard['pay']): Fields | null {
  if (format.tensor === undefined) return null;
  return { ...emptied(format), [format.tensor]: pay.map((line) => [...line]) };
}

/** No table of one's own. */
export function emptied(format: PayoffFormat): { [name: string]: Json } {
  const empty: { [name: string]: Json } = {};
  for (const field of [format.symmetric, format.row, format.column, format.tensor]) if (field !== undefined) empty[field] = null;
  return empty;
}

/** Field values that write this table into the config; field names without their path. null: it cannot be written. */
export function fieldsFor(format: PayoffFormat, name: string, game: Bimatrix): { readonly game: string; readonly fields: Fields } | null {
  const empty = emptied(format);
  const same = [name, ...Object.keys(format.games)].find((known) => {
    const candidate = format.games[known];
    return candidate !== undefined && sameTable(candidate.row, game.row) && sameTable(candidate.column, game.column);
  });
  if (same !== undefined) return { game: same, fields: empty };
  const copy = (m: Matrix): Json => m.map((line) => [...line]);
  if (format.symmetric !== undefined && game.row.length === 2 && game.row[0]?.length === 2 && tieOf(game) === 'mirrored')
    return { game: name, fields: { ...empty, [format.symmetric]: game.row.flat() } };
  if (format.row === undefined || format.column === undefined) return null;
  return { game: name, fields: { ...empty, [format.row]: copy(game.row), [format.column]: copy(game.column) } };
}

/** Sets one payoff; what is tied to it follows. */
export function withPayoff(game: Bimatrix, who: 'row' | 'column', r: number, c: number, value: number, tie: Tie): Bimatrix {
  const put = (m: Matrix, y: number, x: number, to: number): Matrix =>
    m.map((line, i) => (i === y ? line.map((old, j) => (j === x ? to : old)) : line));
  const other = who === 'row' ? 'column' : 'row';
  const next = { ...game, [who]: put(game[who], r, c, value) };
  if (tie === 'mirrored' && square(game)) return { ...next, [other]: put(next[other], c, r, value) };
  if (tie === 'opposite') return { ...next, [other]: put(next[other], r, c, value === 0 ? 0 : -value) };
  if (tie === 'equal') return { ...next, [other]: put(next[other], r, c, value) };
  return next;
}

/** Makes the column player's payoffs follow the row player's. */
export function tied(game: Bimatrix, tie: Tie): Bimatrix {
  if (tie === 'mirrored') return square(game) ? { ...game, column: transposed(game.row) } : game;
  if (tie === 'opposite') return { ...game, column: game.row.map((line) => line.map((x) => (x === 0 ? 0 : -x))) };
  return tie === 'equal' ? { ...game, column: game.row } : game;
}

export function tieOf(game: Bimatrix): Tie {
  if (square(game) && sameTable(game.column, transposed(game.row))) return 'mirrored';
  if (sameTable(game.column, tied(game, 'opposite').column)) return 'opposite';
  return sameTable(game.column, game.row) ? 'equal' : 'free';
}

export function square(game: Bimatrix): boolean {
  return game.row.length === game.row[0]?.length;
}

/** Cut or grown with zeros. */
export function sized(game: Bimatrix, rows: number, columns: number): Bimatrix {
  const cut = (m: Matrix): Matrix =>
    Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_unused, c) => m[r]?.[c] ?? 0));
  const row = cut(game.row);
  return { row, column: cut(game.column), ...actionsFor(game, row) };
}

/** The named game's words where its shape fits, else numbers. */
function actionsFor(named: Bimatrix | undefined, row: Matrix): Pick<Bimatrix, 'rowActions' | 'columnActions'> {
  const columns = row[0]?.length ?? 0;
  if (named?.rowActions.length === row.length && named.columnActions.length === columns)
    return { rowActions: named.rowActions, columnActions: named.columnActions };
  return {
    rowActions: row.map((_, i) => `row ${i + 1}`),
    columnActions: Array.from({ length: columns }, (_, i) => `column ${i + 1}`),
  };
}

function matrix(value: Json | undefined): Matrix | null {
  return Array.isArray(value) && value.length > 0 && value.every(Array.isArray) ? (value as unknown as Matrix) : null;
}

function transposed(m: Matrix): Matrix {
  return (m[0] ?? []).map((_, c) => m.map((line) => line[c] ?? 0));
}

function sameTable(a: Matrix, b: Matrix): boolean {
  return a.length === b.length && a.every((line, r) => line.length === b[r]?.length && line.every((x, c) => x === b[r]?.[c]));
}

const LARGEST_DENOMINATOR = 24;

/** "1/3" where it is a simple fraction, else three digits. */
export function chance(p: number): string {
  for (let d = 1; d <= LARGEST_DENOMINATOR; d++) {
    const n = Math.round(p * d);
    if (Math.abs(p * d - n) < 1e-9) return d === 1 ? String(n) : `${n}/${d}`;
  }
  return p.toFixed(3);
}

/** "cooperate", or "stag 1/2, hare 1/2". */
export function inWords(chances: readonly number[], actions: readonly string[]): string {
  const sure = chances.indexOf(1);
  if (sure >= 0) return t(actions[sure] ?? '');
  return chances.flatMap((p, i) => (p > 0 ? [`${t(actions[i] ?? '')} ${chance(p)}`] : [])).join(', ');
}
