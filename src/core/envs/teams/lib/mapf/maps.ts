/** Maps of blocked cells (1) and free ones (0): random density, mazes with some loops, a warehouse of shelves; connected parts. */

/** Uniform integer in 0..n-1. */
export type DrawInt = (n: number) => number;

const PER_MILLE = 1000;
const LOOPS = 100; // of 1000 inner walls of a maze that fall
const SHELF_WIDTH = 5; // with its aisle
const SHELF_HEIGHT = 3;

export function drawRandom(size: number, density: number, draw: DrawInt, out: Uint32Array, at: number): void {
  const limit = Math.round(density * PER_MILLE);
  for (let i = 0; i < size * size; i++) out[at + i] = draw(PER_MILLE) < limit ? 1 : 0;
}

/** Cells at even places joined by a walk that backs up at dead ends, then a tenth of the walls between them opened. */
export function drawMaze(size: number, draw: DrawInt, out: Uint32Array, at: number, stack: Int32Array): void {
  const n = Math.ceil(size / 2);
  out.fill(1, at, at + size * size);
  const open = (y: number, x: number) => {
    out[at + y * size + x] = 0;
  };
  const free = (y: number, x: number) => out[at + y * size + x] === 0;
  open(0, 0);
  stack[0] = 0;
  let depth = 1;
  while (depth > 0) {
    const cell = stack[depth - 1]!;
    const y = Math.floor(cell / n);
    const x = cell % n;
    const turn = draw(4);
    let moved = false;
    for (let i = 0; i < 4 && !moved; i++) {
      const d = (turn + i) % 4;
      const dy = d === 0 ? -1 : d === 1 ? 1 : 0;
      const dx = d === 2 ? -1 : d === 3 ? 1 : 0;
      const [ny, nx] = [y + dy, x + dx];
      if (ny < 0 || nx < 0 || ny >= n || nx >= n || free(2 * ny, 2 * nx)) continue;
      open(2 * y + dy, 2 * x + dx);
      open(2 * ny, 2 * nx);
      stack[depth++] = ny * n + nx;
      moved = true;
    }
    if (!moved) depth--;
  }
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) if ((y + x) % 2 === 1 && !free(y, x) && draw(PER_MILLE) < LOOPS) open(y, x);
}

/** Shelves of four by two cells with aisles of one, and a free border. */
export function fillWarehouse(size: number, out: Uint32Array, at: number): void {
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const border = y === 0 || x === 0 || y === size - 1 || x === size - 1;
      out[at + y * size + x] = border || y % SHELF_HEIGHT === 0 || x % SHELF_WIDTH === 0 ? 0 : 1;
    }
}

/** Labels connected free cells 1, 2, .. (blocked: 0); returns the label of the largest part and its size. */
export function label(
  width: number,
  height: number,
  blocked: Uint32Array,
  at: number,
  parts: Int32Array,
  partsAt: number,
  queue: Int32Array,
): { readonly largest: number; readonly size: number } {
  const cells = width * height;
  parts.fill(0, partsAt, partsAt + cells);
  let count = 0;
  let largest = 0;
  let size = 0;
  for (let from = 0; from < cells; from++) {
    if (blocked[at + from] !== 0 || parts[partsAt + from] !== 0) continue;
    count++;
    parts[partsAt + from] = count;
    queue[0] = from;
    let end = 1;
    for (let i = 0; i < end; i++) {
      const cell = queue[i]!;
      const x = cell % width;
      for (let d = 0; d < 4; d++) {
        if ((d === 2 && x === 0) || (d === 3 && x === width - 1)) continue;
        const next = cell + (d === 0 ? -width : d === 1 ? width : d === 2 ? -1 : 1);
        if (next < 0 || next >= cells || blocked[at + next] !== 0 || parts[partsAt + next] !== 0) continue;
        parts[partsAt + next] = count;
        queue[end++] = next;
      }
    }
    if (end > size) {
      size = end;
      largest = count;
    }
  }
  return { largest, size };
}
