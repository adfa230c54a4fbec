/**
 * What the agent sees (XLand-MiniGrid 0.9.3, core/observation.py): a square of codes [size, size, 2] (tile, colour), row 0 farthest ahead, the agent in
 * the middle of the last row; outside the map [0, 0]. Walls hide nothing, or, by the repository's second view function, walls and doors that are not
 * open hide what is behind them, by the sweep of MiniGrid; hidden cells are [0, 0].
 */
import { HIDING } from './tiles.ts';

/** Row and column step of up, right, down, left. */
export const ROWS = [-1, 0, 1, 0] as const;
export const COLUMNS = [0, 1, 0, -1] as const;

/** Tile and colour of every word as bits of float32: copying integers is faster than converting numbers. */
const BITS = new Int32Array(Float32Array.from({ length: 512 }, (_, i) => (i % 2 === 0 ? (i >> 1) & 15 : i >> 5)).buffer);

export interface Viewer {
  /** Writes size * size * 2 numbers at out[at..]. `base`: where the row's cells begin. */
  look(words: Uint32Array, base: number, row: number, column: number, dir: number, out: Float32Array, at: number): void;
}

export function createViewer(height: number, width: number, size: number, seeThrough: boolean): Viewer {
  const half = (size - 1) / 2;
  const visible = new Uint8Array(size * size);
  let seen: Float32Array | null = null;
  let bits: Int32Array = new Int32Array(0); // the same memory as `seen`

  const sweep = (words: Uint32Array, from: number, ahead: number, right: number, outside: number, first: number, last: number): void => {
    const hides = (i: number, j: number): boolean =>
      i >= outside && j >= first && j < last && ((HIDING >> (words[from - i * ahead + j * right]! & 15)) & 1) === 1;
    visible.fill(0);
    visible[size * (size - 1) + half] = 1;
    for (let i = size - 1; i >= 0; i--) {
      const k = i * size;
      for (let j = 0; j < size - 1; j++) {
        if (visible[k + j] === 0 || hides(i, j)) continue;
        visible[k + j + 1] = 1;
        if (i === 0) continue;
        visible[k - size + j] = 1;
        visible[k - size + j + 1] = 1;
      }
      for (let j = size - 1; j > 0; j--) {
        if (visible[k + j] === 0 || hides(i, j)) continue;
        visible[k + j - 1] = 1;
        if (i === 0) continue;
        visible[k - size + j] = 1;
        visible[k - size + j - 1] = 1;
      }
    }
  };

  return {
    look(words, base, row, column, dir, out, at) {
      if (out !== seen) {
        seen = out;
        bits = new Int32Array(out.buffer, out.byteOffset, out.length);
      }
      const dr = ROWS[dir]!;
      const dc = COLUMNS[dir]!;
      const ahead = dr * width + dc; // index step ahead
      const right = dc * width - dr; // index step to the right
      const before = dr === 0 ? (dc > 0 ? width - 1 - column : column) : dr > 0 ? height - 1 - row : row; // cells of the map ahead
      const across = dr === 0 ? height : width;
      const lateral = dr === 0 ? row : column;
      const left = dc - dr > 0 ? lateral : across - 1 - lateral; // cells of the map to the left
      const from = base + row * width + column + (size - 1) * ahead - half * right;
      const outside = before < size - 1 ? size - 1 - before : 0;
      const first = left < half ? half - left : 0;
      const rest = across - 1 - left;
      const last = rest < half ? half + rest + 1 : size;
      if (!seeThrough) sweep(words, from, ahead, right, outside, first, last);
      let o = at;
      const stop = at + outside * size * 2;
      while (o < stop) bits[o++] = 0;
      for (let i = outside; i < size; i++) {
        let j = 0;
        for (; j < first; j++) {
          bits[o] = 0;
          bits[o + 1] = 0;
          o += 2;
        }
        let k = from - i * ahead + first * right;
        for (; j < last; j++) {
          const code = seeThrough || visible[i * size + j] === 1 ? words[k]! << 1 : 0;
          bits[o] = BITS[code]!;
          bits[o + 1] = BITS[code + 1]!;
          k += right;
          o += 2;
        }
        for (; j < size; j++) {
          bits[o] = 0;
          bits[o + 1] = 0;
          o += 2;
        }
      }
    },
  };
}
