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
  const half = (size - 1) / 2;
  const cells = new Uint32Array(size * size);
  const visible = new Uint8Array(size * size);
  const own = half * size + size - 1;

  const gather = (words: Uint32Array, base: number, x: number, y: number, dir: number) => {
    const dx = DX[dir] as number;
    const dy = DY[dir] as number;
    let k = 0;
    for (let i = 0; i < size; i++) {
      const r = i - half;
      // the cell farthest ahead in this column, then nearer by one step each
      let cx = x - dy * r + dx * (size - 1);
      let cy = y + dx * r + dy * (size - 1);
      for (let j = 0; j < size; j++) {
        cells[k++] = cx >= 0 && cx < width && cy >= 0 && cy < height ? (words[base + cy * width + cx] as number) : WALL_CELL;
        cx -= dx;
        cy -= dy;
      }
    }
  };

  const light = () => {
    visible.fill(0);
    visible[own] = 1;
    for (let j = size - 1; j >= 0; j--) {
      for (let i = 0; i < size - 1; i++) {
        const k = i * size + j;
        if (visible[k] === 0 || blocksSight(cells[k] as number)) continue;
        visible[k + size] = 1;
        if (j > 0) {
          visible[k - 1] = 1;
          visible[k + size - 1] = 1;
        }
      }
      for (let i = size - 1; i > 0; i--) {
        const k = i * size + j;
        if (visible[k] === 0 || blocksSight(cells[k] as number)) continue;
        visible[k - size] = 1;
        if (j > 0) {
          visible[k - 1] = 1;
          visible[k - size - 1] = 1;
        }
      }
    }
  };

  return {
    size,
    look(words, base, x, y, dir, carrying, out, at) {
      gather(words, base, x, y, dir);
      if (!seeThrough) light();
      cells[own] = carrying === 0 ? EMPTY_CELL : carrying;
      let o = at;
      for (let k = 0; k < cells.length; k++) {
        const word = seeThrough || visible[k] === 1 ? (cells[k] as number) : 0;
        out[o] = word & 15;
        out[o + 1] = (word >>> 4) & 7;
        out[o + 2] = (word >>> 7) & 3;
        o += 3;
      }
    },
  };
}
