/**
 * What lowering produces: steps, each one kernel call (or a short loop of calls) that writes one buffer. Once every buffer has an
 * address, `bind` gives the command: a closure of no arguments that allocates nothing.
 */
import type { Tensor } from '../types.ts';
import type { Machine } from './memory.ts';
import type { Buffer, View } from './view.ts';

export type Command = () => void;

export interface Step {
  readonly reads: readonly View[];
  readonly write: Buffer;
  bind(machine: Machine): Command;
}

/** Lists of codes, and the order in which to add them up; null where lists go by blocks. */
export interface CodeList {
  readonly list: View;
  readonly order: View | null;
}

/** A matrix of one-hot codes, see codes.ts. */
export interface CodeLists {
  readonly rows: number;
  /** Of the codes; `tail` more follow. */
  readonly columns: number;
  readonly tail: number;
  /** The tail numbers; null without. */
  readonly tailView: View | null;
  /** Of the kernel codeRows, and the order of its lists. */
  readonly byRow: CodeList & { readonly order: View };
  /** Of codeColumns, computed when first asked for. */
  byColumn(): CodeList;
  /** Ones in a row, if every number is a code. */
  readonly ones: number;
}

/** What the lowering of one primitive may ask for. */
export interface Context {
  readonly machine: Machine;
  /** The operand as a view of something already computed. */
  view(t: Tensor): View;
  /** The buffer that node t's value goes to. */
  out(t: Tensor): Buffer;
  /** The view itself if it is dense, else a copy, made once per program. */
  contiguous(v: View): View;
  /** The lists of a matrix of one-hot codes that is not written out; undefined for every other node. */
  codes(t: Tensor): CodeLists | undefined;
  /** Constant words in memory for the life of the program; the address. */
  table(words: readonly number[]): number;
  emit(step: Step): void;
  countFlops(n: number): void;
}
