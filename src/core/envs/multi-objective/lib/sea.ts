/**
 * The sea of deep-sea-treasure: rows x columns from the top left, rock below the treasure of each column, open water right of the
 * last one. Exact values by dynamic programming on cells: which (treasure, time) can be reached, and what chance play expects.
 * Source: Vamplew et al. 2011; the numbers of `Farama-Foundation/MO-Gymnasium` at 2fd5f69 `envs/deep_sea_treasure`.
 */
import { nonDominated, type Point } from '#math/pareto.ts';

export const SIDE = 11;
export const CELLS = SIDE * SIDE;
export const START = 0;
const ROWS = [1, 2, 3, 4, 4, 4, 7, 7, 9, 10] as const;

export const FRONTS = {
  convex: [0.7, 8.2, 11.5, 14.0, 15.1, 16.1, 19.6, 20.3, 22.4, 23.7],
  concave: [1, 2, 3, 5, 8, 16, 24, 50, 74, 124],
} as const;
export type Front = keyof typeof FRONTS;

/** Row of the treasure in each column that has one. */
export const TREASURE_ROWS: readonly number[] = ROWS;

export function treasureAt(front: Front, cell: number): number {
  const column = cell % SIDE;
  return ROWS[column] === Math.floor(cell / SIDE) ? FRONTS[front][column]! : 0;
}

export function isRock(cell: number): boolean {
  const deepest = ROWS[cell % SIDE];
  return deepest !== undefined && Math.floor(cell / SIDE) > deepest;
}

const MOVES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const; // [row, column] of up, down, left, right

/** NEXT[4 * cell + action]: moves into rock or out of the sea do nothing. */
export const NEXT = Int32Array.from({ length: 4 * CELLS }, (_, i) => {
  const cell = i >> 2;
  const [dr, dc] = MOVES[(i & 3) as 0];
  const row = Math.floor(cell / SIDE) + dr;
  const column = (cell % SIDE) + dc;
  if (row < 0 || row >= SIDE || column < 0 || column >= SIDE || isRock(row * SIDE + column)) return cell;
  return row * SIDE + column;
});

/** Cells where the submarine can be before the end: water that is neither rock nor treasure. */
export const WATER: readonly number[] = Array.from({ length: CELLS }, (_, cell) => cell).filter(
  (cell) => !isRock(cell) && treasureAt('convex', cell) === 0,
);

/** Fewest moves to every cell, by breadth-first search over the moves; Infinity where there is no way. */
export function distances(from = START): Float64Array {
  const out = new Float64Array(CELLS).fill(Infinity);
  out[from] = 0;
  const queue = [from];
  for (const cell of queue) {
    if (cell !== from && treasureAt('convex', cell) !== 0) continue;
    for (let a = 0; a < 4; a++) {
      const next = NEXT[4 * cell + a]!;
      if (out[next] !== Infinity) continue;
      out[next] = out[cell]! + 1;
      queue.push(next);
    }
  }
  return out;
}

/** All (treasure, -steps) that no other play within the limit beats, fewest steps first. */
export function paretoFront(front: Front, maxSteps: number): readonly Point[] {
  const steps = distances();
  const reached = ROWS.flatMap((row, column) => {
    const cell = row * SIDE + column;
    const t = steps[cell]!;
    return t <= maxSteps ? [[treasureAt(front, cell), -t]] : [];
  });
  return nonDominated(reached)
    .map((i) => reached[i] as Point)
    .sort((a, b) => b[1]! - a[1]!);
}

/** The share of episodes that still run below which neither sum changes any more: far under their last bit. */
const NO_SHARE = 1e-24;

/** Expected (treasure, time) of uniform random play within the limit. */
export function randomReturn(front: Front, maxSteps: number): readonly [number, number] {
  let here = new Float64Array(CELLS);
  here[START] = 1;
  let treasure = 0;
  let time = 0;
  for (let t = 0, running = 1; t < maxSteps && running > NO_SHARE; t++) {
    running = 0;
    const after = new Float64Array(CELLS);
    for (const cell of WATER) {
      const mass = here[cell]!;
      if (mass === 0) continue;
      time -= mass;
      for (let a = 0; a < 4; a++) {
        const next = NEXT[4 * cell + a]!;
        const found = treasureAt(front, next);
        if (found > 0) treasure += (mass / 4) * found;
        else {
          after[next] = after[next]! + mass / 4;
          running += mass / 4;
        }
      }
    }
    here = after;
  }
  return [treasure, time];
}

/** First move of a shortest way from each water cell to a cell; 0 where there is none. */
export function wayTo(goal: number): Uint8Array {
  const out = new Uint8Array(CELLS);
  const left = new Float64Array(CELLS).fill(Infinity);
  left[goal] = 0;
  const queue = [goal];
  for (const cell of queue)
    for (const from of WATER)
      for (let a = 0; a < 4; a++)
        if (left[from] === Infinity && NEXT[4 * from + a] === cell) {
          left[from] = left[cell]! + 1;
          out[from] = a;
          queue.push(from);
        }
  return out;
}
