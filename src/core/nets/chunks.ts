/** Policies run any number of rows through programs of three sizes, compiled when first needed and kept; rows marked unread are skipped. */
import type { Program, Tensor, Views } from '../engine/types.ts';

/** Rows of the program that takes the next chunk when `left` rows remain: 64, 8 or 1. */
export function chunkSize(left: number): number {
  return left > 56 ? 64 : left > 1 ? 8 : 1;
}

/** Writes the indices of the rows that are read to `asked` [rows] and returns their count: at least one, so that an answer has all its outputs. */
export function readRows(rows: number, unread: Uint8Array | undefined, asked: Int32Array): number {
  let count = 0;
  for (let row = 0; row < rows; row++) if (unread === undefined || unread[row] === 0) asked[count++] = row;
  if (count === 0 && rows > 0) asked[count++] = 0;
  return count;
}

/** The programs of one network by their number of rows. */
export interface PolicyPrograms<In> {
  /** All outputs. */
  whole(rows: number): Program<In>;
  /** Without the part of the network that only `value` needs. */
  actor(rows: number): Program<In>;
}

export function policyPrograms<In extends Views>(compile: (rows: number) => Program<In>): PolicyPrograms<In> {
  const programs = new Map<number, Program<In>>();
  const actors = new Map<number, Program<In>>();

  function whole(rows: number): Program<In> {
    let found = programs.get(rows);
    if (found === undefined) programs.set(rows, (found = compile(rows)));
    return found;
  }

  function actor(rows: number): Program<In> {
    let found = actors.get(rows);
    if (found === undefined) {
      const all = whole(rows);
      const acting = ({ value: _, ...rest }: { readonly [name: string]: Tensor }) => rest;
      actors.set(rows, (found = all.out.value === undefined || Object.keys(all.out).length === 1 ? all : all.derive(acting)));
    }
    return found;
  }

  return { whole, actor };
}
