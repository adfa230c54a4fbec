/** A potential that was painted on the cells of a grid, as configs and links hold it. */
import type { RunOptions } from './config.ts';

type Painted = NonNullable<RunOptions['shaping']>;

/** Of every cell, row-major: its level times what a level is worth. */
export function potentialOf({ levels, unit }: Painted): Float64Array {
  return Float64Array.from(levels.join(''), (digit) => unit * Number(digit));
}

/** Whether there is a digit for every cell of a map of this size. */
export function fitsMap({ levels }: Painted, { width, height }: { readonly width: number; readonly height: number }): boolean {
  return levels.length === height && levels.every((row) => row.length === width && /^\d+$/.test(row));
}
