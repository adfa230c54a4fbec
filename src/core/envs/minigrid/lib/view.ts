/**
 * What the agent sees: a square of `size` cells ahead of it, its own cell in the middle of the near edge.
 * Cell (i, j): i from its left to its right, j from far to near. Light spreads sideways in a row and diagonally forward
 * (Minigrid 3.1.0 `core/grid.py`, process_vis); walls and doors that are not open stop it. Outside the map is wall.
 */
import { CLOSED, DOOR, EMPTY_CELL, objectOf, stateOf, WALL, WALL_CELL } from './cells.ts';

/** dx, dy of directions right, down, left, up. */
export const DX = [1, 0, -1, 0] as const;
export const DY = [0, 1, 0, -1] as const;

function blocksSight(word: number): boolean {
  const object = objectOf(word);
  return object === WALL || (object === DOOR && stateOf(word) >= CLOSED);
}

export interface Viewer {
  readonly size: number;
  /**
   * Writes the codes [size, size, 3] at out[at..]. `base` is where the row's cells begin in `words`.
   */
  look(words: Uint32Array, base: number, x: number, y: number, dir: number, carrying: number, out: Float32Array, at: number): void;
}

export function createViewer(width: number, height: number, size: number, seeThrough: boolean): Viewer {
  const visible = new Uint8Array(size * size);
  const window: Window = { from: 0, stepAhead: 0, stepRight: 0, outside: 0, first: 0, last: 0 };
  let seen: Float32Array | null = null;
  let bits: Int32Array = new Int32Array(0); // the same memory as `seen`
  return {
    size,
    look(words, base, x, y, dir, carrying, out, at) {
      if (out !== seen) {
        seen = out;
        bits = new Int32Array(out.buffer, out.byteOffset, out.length);
      }
      place(window, base, x, y, dir, width, height, size);
      const { from, stepAhead, stepRight, outside, first, last } = window;
      if (seeThrough) copyAll(words, from, stepAhead, stepRight, outside, first, last, size, bits, at);
      else {
        light(words, from, stepAhead, stepRight, outside, first, last, size, visible);
        copyLit(words, from, stepAhead, stepRight, outside, first, last, size, visible, bits, at);
      }
      const own = at + ((size * (size + 1)) / 2 - 1) * 3;
      const held = (carrying === 0 ? EMPTY_CELL : carrying) & 511;
      for (let c = 0; c < 3; c++) bits[own + c] = CODE_BITS[held * 3 + c]!;
    },
  };
}

/** Where the view lies in the words of a row. Column i and cell j of it are at from + i * stepRight - j * stepAhead. */
interface Window {
  from: number; // of column 0, far end
  stepAhead: number;
  stepRight: number;
  outside: number; // cells at the far end that lie outside the map, in every column
  first: number; // columns first..last - 1 lie inside the map
  last: number;
}

function place(w: Window, base: number, x: number, y: number, dir: number, width: number, height: number, size: number): void {
  const half = (size - 1) / 2;
  const dx = DX[dir]!;
  const dy = DY[dir]!;
  const ahead = dx === 0 ? (dy > 0 ? height - 1 - y : y) : dx > 0 ? width - 1 - x : x; // cells of the map in front
  const across = dx === 0 ? width : height;
  const lateral = dx === 0 ? x : y;
  const toRight = (dx === 0 ? -dy : dx) > 0; // whether the lateral coordinate grows to the agent's right
  const left = toRight ? lateral : across - 1 - lateral; // cells of the map to the left
  w.stepAhead = dx + dy * width;
  w.stepRight = -dy + dx * width;
  w.from = base + y * width + x + (size - 1) * w.stepAhead - half * w.stepRight;
  w.outside = ahead < size - 1 ? size - 1 - ahead : 0;
  w.first = left < half ? half - left : 0;
  const right = across - 1 - left;
  w.last = right < half ? half + right + 1 : size;
}

/** The three codes of every look of a cell as float32 bits: copying integers is faster than converting numbers. */
const CODE_BITS = new Int32Array(
  Float32Array.from({ length: 512 * 3 }, (_, i) => {
    const seen = Math.floor(i / 3);
    return i % 3 === 0 ? seen & 15 : i % 3 === 1 ? (seen >>> 4) & 7 : seen >>> 7;
  }).buffer,
);
const WALL_BITS = CODE_BITS[WALL_CELL * 3]!;
const GREY_BITS = CODE_BITS[WALL_CELL * 3 + 1]!;

function copyAll(
  words: Uint32Array,
  from: number,
  stepAhead: number,
  stepRight: number,
  outside: number,
  first: number,
  last: number,
  size: number,
  out: Int32Array,
  at: number,
): void {
  let o = at;
  for (let i = 0; i < size; i++) {
    const end = o + size * 3;
    const walls = i >= first && i < last ? o + outside * 3 : end;
    for (; o < walls; o += 3) {
      out[o] = WALL_BITS;
      out[o + 1] = GREY_BITS;
      out[o + 2] = 0;
    }
    for (let k = from + i * stepRight - outside * stepAhead; o < end; o += 3) {
      const code = (words[k]! & 511) * 3;
      out[o] = CODE_BITS[code]!;
      out[o + 1] = CODE_BITS[code + 1]!;
      out[o + 2] = CODE_BITS[code + 2]!;
      k -= stepAhead;
    }
  }
}

function copyLit(
  words: Uint32Array,
  from: number,
  stepAhead: number,
  stepRight: number,
  outside: number,
  first: number,
  last: number,
  size: number,
  visible: Uint8Array,
  out: Int32Array,
  at: number,
): void {
  let o = at;
  for (let i = 0, k = 0; i < size; i++) {
    const inside = i >= first && i < last;
    for (let j = 0; j < size; j++, k++, o += 3) {
      const word = inside && j >= outside ? words[from + i * stepRight - j * stepAhead]! : WALL_CELL;
      const code = visible[k] === 0 ? 0 : (word & 511) * 3;
      out[o] = CODE_BITS[code]!;
      out[o + 1] = CODE_BITS[code + 1]!;
      out[o + 2] = CODE_BITS[code + 2]!;
    }
  }
}

function light(
  words: Uint32Array,
  from: number,
  stepAhead: number,
  stepRight: number,
  outside: number,
  first: number,
  last: number,
  size: number,
  visible: Uint8Array,
): void {
  const stops = (i: number, j: number): boolean =>
    i < first || i >= last || j < outside || blocksSight(words[from + i * stepRight - j * stepAhead]!);
  visible.fill(0);
  visible[(size * (size + 1)) / 2 - 1] = 1; // the agent's own cell
  for (let j = size - 1; j >= 0; j--) {
    for (let i = 0; i < size - 1; i++) {
      const k = i * size + j;
      if (visible[k] === 0 || stops(i, j)) continue;
      visible[k + size] = 1;
      if (j > 0) {
        visible[k - 1] = 1;
        visible[k + size - 1] = 1;
      }
    }
    for (let i = size - 1; i > 0; i--) {
      const k = i * size + j;
      if (visible[k] === 0 || stops(i, j)) continue;
      visible[k - size] = 1;
      if (j > 0) {
        visible[k - 1] = 1;
        visible[k - size - 1] = 1;
      }
    }
  }
}
