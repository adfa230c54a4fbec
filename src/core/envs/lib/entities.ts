/** Where the rows of things stand in a flat observation, for the descriptions that ObsSpace.entities holds. */

/** Places of `count` rows of `width` numbers each, one row behind the other. */
export const rowsFrom = (from: number, width: number, count: number): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, row) => Array.from({ length: width }, (_, k) => from + row * width + k));

/** Rows whose numbers stand apart: row k of the first, then row k of the second. */
export const joined = (first: readonly (readonly number[])[], second: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  first.map((row, k) => [...row, ...(second[k] ?? [])]);
