/**
 * Small changes of a level (ACCEL, Parker-Holder et al. 2022, as jaxued's maze example draws them, commit 0f8f1284): nothing, a wall flipped or the goal
 * moved, a third each. Whether the goal can still be reached is not checked. Cells within the outline are numbered row by row.
 */
import type { Rng } from '#math/rng.ts';
import { EMPTY, EMPTY_CELL, GOAL, objectOf, WALL, WALL_CELL } from './cells.ts';
import { X, Y } from './state.ts';

/** Bytes before the words of a saved state. */
const HEAD = 8;

/** The words of a copy of a state, cells first. */
const wordsOf = (state: Uint8Array): Uint32Array => new Uint32Array(state.buffer, state.byteOffset + HEAD);

/** Where cells within the outline stand among all, those that fit; the agent's is none of them. */
function places(words: Uint32Array, width: number, height: number, fits: (object: number) => boolean): readonly number[] {
  const agent = words[width * height + Y]! * width + words[width * height + X]!;
  const out: number[] = [];
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if (at !== agent && fits(objectOf(words[at]!))) out.push(at);
    }
  return out;
}

/** Cells that a flip may draw: walls and empty ones. */
export const flippable = (words: Uint32Array, width: number, height: number): readonly number[] =>
  places(words, width, height, (object) => object === WALL || object === EMPTY);

/** A wall becomes an empty cell, and an empty cell a wall. */
export function flipWall(words: Uint32Array, at: number): void {
  words[at] = objectOf(words[at]!) === WALL ? EMPTY_CELL : WALL_CELL;
}

/** A copy of a level, one edit later. */
export function editLevel(level: Uint8Array, width: number, height: number, rng: Rng): Uint8Array {
  const copy = level.slice();
  const words = wordsOf(copy);
  const kind = rng.int(3);
  if (kind === 1) {
    const cells = flippable(words, width, height);
    if (cells.length > 0) flipWall(words, cells[rng.int(cells.length)]!);
  } else if (kind === 2) {
    const [goal] = places(words, width, height, (object) => object === GOAL);
    const cells = places(words, width, height, (object) => object === EMPTY);
    if (goal === undefined || cells.length === 0) return copy;
    const at = cells[rng.int(cells.length)]!;
    words[at] = words[goal]!;
    words[goal] = EMPTY_CELL;
  }
  return copy;
}
