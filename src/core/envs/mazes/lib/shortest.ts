/**
 * The shortest ways of a disc through a maze, in steps. A full step moves by `reach` in each of both directions at once, so in free space a way
 * of (dx, dy) takes max(|dx|, |dy|) / reach steps: what a king needs on a board. Breadth-first over a lattice of eight points along a cell, of
 * those where the disc fits; on a diagonal it must fit half-way too. At most a lattice step, 2.5 full steps of the point, from the fewest that a
 * search with the steps themselves finds (mazes.test.ts). Lengths in cells.
 */
import type { MazeRows } from '../../lib/maze/maps.ts';

const POINTS = 8; // along a cell
const KEPT = 256; // goals whose steps are kept
const [FITS, RISES, FALLS] = [1, 2, 4] as const;

export class ShortestWays {
  private readonly columns: number; // of the lattice
  private readonly lines: number;
  /** Of every point: FITS, and whether the disc fits half-way to the next higher point on the right, RISES, and on the left, FALLS. */
  private readonly free: Uint8Array;
  private readonly reach: number;
  /** Whether the disc fits there. */
  readonly fits: (x: number, y: number) => boolean;
  private readonly known = new Map<number, Int32Array>();

  constructor(rows: MazeRows, radius: number, reach: number) {
    const [height, width] = [rows.length, rows[0]!.length];
    this.columns = POINTS * width;
    this.lines = POINTS * height;
    this.reach = reach;
    this.fits = (x, y) => !touches(rows, x, y, radius);
    this.free = Uint8Array.from({ length: this.columns * this.lines }, (_, node) => {
      const j = node % this.columns;
      const i = Math.floor(node / this.columns);
      const fits = (right: number, up: number) => this.fits((j + right) / POINTS, (i + up) / POINTS);
      return (fits(0.5, 0.5) ? FITS : 0) | (fits(1, 1) ? RISES : 0) | (fits(0, 1) ? FALLS : 0);
    });
  }

  /** Steps from (x, y) to the goal; Infinity where no way leads there. */
  steps(x: number, y: number, goalX: number, goalY: number): number {
    const straight = Math.max(Math.abs(x - goalX), Math.abs(y - goalY));
    if (Math.floor(x) === Math.floor(goalX) && Math.floor(y) === Math.floor(goalY)) return straight / this.reach;
    const moves = this.to(this.node(goalX, goalY))[this.node(x, y)]!;
    return moves < 0 ? Number.POSITIVE_INFINITY : Math.max(straight, moves / POINTS) / this.reach;
  }

  /** The lattice point nearest to a place where the disc fits. */
  private node(x: number, y: number): number {
    const { columns, lines, free } = this;
    const i = Math.min(lines - 1, Math.max(0, Math.floor(y * POINTS)));
    const j = Math.min(columns - 1, Math.max(0, Math.floor(x * POINTS)));
    for (let ring = 0; ring < POINTS; ring++)
      for (let di = -ring; di <= ring; di++)
        for (let dj = -ring; dj <= ring; dj++) {
          if (Math.max(Math.abs(di), Math.abs(dj)) !== ring) continue;
          const [a, b] = [i + di, j + dj];
          if (a >= 0 && b >= 0 && a < lines && b < columns && (free[a * columns + b]! & FITS) > 0) return a * columns + b;
        }
    return i * columns + j;
  }

  /** Moves of a king from every point to `goal`; -1: no way. */
  private to(goal: number): Int32Array {
    const found = this.known.get(goal);
    if (found !== undefined) return found;
    const { columns, free } = this;
    const moves = new Int32Array(free.length).fill(-1);
    const reached = new Int32Array(free.length);
    moves[goal] = 0;
    reached[0] = goal;
    for (let k = 0, end = 1; k < end; k++) {
      const node = reached[k]!;
      const next = moves[node]! + 1;
      for (let di = -1; di <= 1; di++)
        for (let dj = -1; dj <= 1; dj++) {
          // the border is wall, so no neighbour of a free point lies outside
          const to = node + di * columns + dj;
          if ((free[to]! & FITS) === 0 || moves[to] !== -1) continue;
          // a diagonal belongs to the lower of its two points
          if (di * dj !== 0 && (free[di > 0 ? node : to]! & (di * dj > 0 ? RISES : FALLS)) === 0) continue;
          moves[to] = next;
          reached[end++] = to;
        }
    }
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(goal, moves);
    return moves;
  }
}

/** Whether a disc at (x, y) lies in a wall. */
function touches(rows: MazeRows, x: number, y: number, radius: number): boolean {
  const height = rows.length;
  for (let i = Math.floor(y - radius); i <= Math.floor(y + radius); i++)
    for (let j = Math.floor(x - radius); j <= Math.floor(x + radius); j++) {
      if (rows[height - 1 - i]?.[j] !== '#' && rows[height - 1 - i]?.[j] !== undefined) continue;
      const dx = x - Math.min(j + 1, Math.max(j, x));
      const dy = y - Math.min(i + 1, Math.max(i, y));
      if (dx * dx + dy * dy < radius * radius) return true;
    }
  return false;
}
