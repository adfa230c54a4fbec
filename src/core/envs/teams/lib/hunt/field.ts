/** Neighbours on the field of a hunt: right, down, left, up. */
import type { Config } from './config.ts';
import { fieldOf } from './config.ts';

const DROW = [0, 1, 0, -1] as const;
const DCOLUMN = [1, 0, -1, 0] as const;

/** The cell beside another in a direction, -1: a wall or the edge. */
export function neighbours(c: Config): (cell: number, d: number) => number {
  const { width, height, letters } = fieldOf(c);
  const walls = Uint8Array.from(letters, (letter) => (letter === '#' ? 1 : 0));
  return (cell, d) => {
    let y = Math.floor(cell / width) + DROW[d]!;
    let x = (cell % width) + DCOLUMN[d]!;
    if (c.torus) {
      y = (y + height) % height;
      x = (x + width) % width;
    } else if (y < 0 || x < 0 || y >= height || x >= width) return -1;
    return walls[y * width + x] === 1 ? -1 : y * width + x;
  };
}
