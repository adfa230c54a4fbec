/**
 * The way: a line that wanders about its base and, in the hard form, stumps, stairs and pits between stretches of it; `_generate_terrain` of the
 * reference, draw by draw. Obstacles are upright rectangles: left, low, right, high, m.
 */
import type { GroundPiece } from '../solver/solver.ts';
import { BASE, GRASS, PIECES, SCALE, START_PAD, STEP } from './world.ts';

export const MOST_OBSTACLES = 64;

export interface TerrainDraws {
  /** In [-1, 1). */
  rough(): number;
  /** In low .. high - 1. */
  int(low: number, high: number, name: string): number;
  /** Whether stairs lead up. */
  up(): boolean;
}

const [PLAIN, STUMP, STAIRS, PIT] = [0, 1, 2, 3];

/** Writes the heights [200] and the obstacles [4 each]; returns how many obstacles there are. `roughness` 1 is the reference's. */
export function layWay(draws: TerrainDraws, hard: boolean, roughness: number, heights: Float64Array, obstacles: Float64Array): number {
  let count = 0;
  const put = (left: number, low: number, right: number, high: number): void => {
    obstacles.set([left, low, right, high], 4 * count++);
  };
  let kind = PLAIN;
  let velocity = 0;
  let y = BASE;
  let counter = START_PAD;
  let first = false;
  let [steps, width, rise, from] = [0, 0, 0, 0];
  for (let i = 0; i < PIECES; i++) {
    const x = i * STEP;
    if (kind === PLAIN && !first) {
      velocity = 0.8 * velocity + 0.01 * Math.sign(BASE - y);
      if (i > START_PAD) velocity += (roughness * draws.rough()) / SCALE;
      y += velocity;
    } else if (kind === PIT && first) {
      counter = draws.int(3, 5, 'pit');
      put(x, y - 4 * STEP, x + STEP, y);
      put(x + STEP * counter, y - 4 * STEP, x + STEP + STEP * counter, y);
      counter += 2;
      from = y;
    } else if (kind === PIT) {
      y = from;
      if (counter > 1) y -= 4 * STEP;
    } else if (kind === STUMP && first) {
      counter = draws.int(1, 3, 'stump');
      put(x, y, x + counter * STEP, y + counter * STEP);
    } else if (kind === STAIRS && first) {
      rise = draws.up() ? 1 : -1;
      width = draws.int(4, 5, 'stair width');
      steps = draws.int(3, 5, 'stairs');
      from = y;
      for (let s = 0; s < steps; s++)
        put(x + s * width * STEP, y + (-1 + s * rise) * STEP, x + (1 + s) * width * STEP, y + s * rise * STEP);
      counter = steps * width;
    } else if (kind === STAIRS) y = from + ((steps * width - counter - rise) / width) * rise * STEP;
    first = false;
    heights[i] = y;
    counter--;
    if (counter === 0) {
      counter = draws.int(GRASS / 2, GRASS, 'stretch');
      kind = kind === PLAIN && hard ? draws.int(1, 4, 'obstacle') : PLAIN;
      first = true;
    }
  }
  return count;
}

/** In the order in which the reference makes them: obstacles, then edges; each is a body of its own. */
export function groundOf(heights: ArrayLike<number>, obstacles: ArrayLike<number>, count: number, friction: number): GroundPiece[] {
  const pieces: GroundPiece[] = [];
  for (let k = 0; k < count; k++) {
    const [left, low, right, high] = [0, 1, 2, 3].map((i) => obstacles[4 * k + i]!) as [number, number, number, number];
    pieces.push({ corners: [right, low, right, high, left, high, left, low], friction, body: pieces.length });
  }
  for (let i = 0; i + 1 < PIECES; i++) {
    const corners = [i * STEP, heights[i]!, (i + 1) * STEP, heights[i + 1]!];
    pieces.push({ corners, friction, body: pieces.length });
  }
  return pieces;
}

/** The upper edge of it all for the picture: two points for each piece, x and y each. */
export function outlineOf(heights: ArrayLike<number>, obstacles: ArrayLike<number>, count: number): Float32Array {
  const out = new Float32Array(4 * (PIECES - 1));
  for (let i = 0; i + 1 < PIECES; i++) {
    const middle = (i + 0.5) * STEP;
    let top = -Infinity;
    for (let k = 0; k < count; k++)
      if (obstacles[4 * k]! < middle && middle < obstacles[4 * k + 2]!) top = Math.max(top, obstacles[4 * k + 3]!);
    out.set([i * STEP, Math.max(top, heights[i]!), (i + 1) * STEP, Math.max(top, heights[i + 1]!)], 4 * i);
  }
  return out;
}
