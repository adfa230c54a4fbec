/**
 * Ways of a point round discs, in metres. Where the straight line to the goal is free it is the way; else breadth-first over a square lattice from the
 * goal, with the moves of a king, since a robot that moves as far along both axes at once takes as many steps. Discs are grown by `margin`.
 */
import { sqrt } from '#math/functions.ts';

const SPACING = 0.06; // two full steps
const AHEAD = 2; // lattice points along the way that it aims at

export class Around {
  private readonly edge: number;
  private readonly side: number; // points along an edge
  private readonly moves: Int32Array; // to the goal; -1: not reached, -2: blocked
  private readonly queue: Int32Array;
  /** x, y, radius of each disc. */
  private discs: readonly number[] = [];
  private goal: readonly [number, number] = [Number.NaN, Number.NaN];

  /** The robot's middle stays within -edge..edge. */
  constructor(edge: number) {
    this.edge = edge;
    this.side = Math.floor((2 * edge) / SPACING) + 1;
    this.moves = new Int32Array(this.side * this.side);
    this.queue = new Int32Array(this.side * this.side);
  }

  /** Where to head for from (x, y): writes x, y. `discs`: x, y, radius of each, with its margin. */
  towards(x: number, y: number, goalX: number, goalY: number, discs: readonly number[], out: Float64Array): void {
    out[0] = goalX;
    out[1] = goalY;
    if (free(x, y, goalX, goalY, discs)) return;
    this.plan(goalX, goalY, discs);
    let node = this.node(x, y);
    for (let k = 0; k < AHEAD && this.moves[node]! > 0; k++) node = this.next(node);
    out[0] = this.place(node % this.side);
    out[1] = this.place(Math.floor(node / this.side));
  }

  private plan(goalX: number, goalY: number, discs: readonly number[]): void {
    const known = this.goal[0] === goalX && this.goal[1] === goalY && discs.length === this.discs.length;
    if (known && discs.every((number, i) => number === this.discs[i])) return;
    this.goal = [goalX, goalY];
    this.discs = [...discs];
    const { side, moves, queue } = this;
    moves.fill(-1);
    for (let i = 0; i < side * side; i++) {
      const [x, y] = [this.place(i % side), this.place(Math.floor(i / side))];
      for (let d = 0; d < discs.length; d += 3)
        if ((x - discs[d]!) ** 2 + (y - discs[d + 1]!) ** 2 < discs[d + 2]! ** 2) {
          moves[i] = -2;
          break;
        }
    }
    const goal = this.node(goalX, goalY);
    moves[goal] = 0;
    queue[0] = goal;
    for (let k = 0, end = 1; k < end; k++) {
      const node = queue[k]!;
      this.around(node, (to) => {
        if (moves[to] !== -1) return;
        moves[to] = moves[node]! + 1;
        queue[end++] = to;
      });
    }
  }

  /** The neighbour that is nearest to the goal, straight ones first. */
  private next(node: number): number {
    let best = node;
    this.around(node, (to) => {
      if (this.moves[to]! >= 0 && this.moves[to]! < this.moves[best]!) best = to;
    });
    return best;
  }

  private around(node: number, see: (to: number) => void): void {
    const { side } = this;
    const [i, j] = [Math.floor(node / side), node % side];
    for (const [di, dj] of KING) if (i + di >= 0 && j + dj >= 0 && i + di < side && j + dj < side) see(node + di * side + dj);
  }

  private place(k: number): number {
    return Math.min(this.edge, k * SPACING - this.edge);
  }

  /** The lattice point nearest to a place that no disc covers. */
  private node(x: number, y: number): number {
    const { side, moves } = this;
    const at = (v: number) => Math.min(side - 1, Math.max(0, Math.round((v + this.edge) / SPACING)));
    const [i, j] = [at(y), at(x)];
    for (let ring = 0; ring < side; ring++)
      for (let di = -ring; di <= ring; di++)
        for (let dj = -ring; dj <= ring; dj++) {
          if (Math.max(Math.abs(di), Math.abs(dj)) !== ring) continue;
          const [a, b] = [i + di, j + dj];
          if (a >= 0 && b >= 0 && a < side && b < side && moves[a * side + b] !== -2) return a * side + b;
        }
    return i * side + j;
  }
}

const KING = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;

/** Whether no disc comes near the straight line. */
function free(x: number, y: number, toX: number, toY: number, discs: readonly number[]): boolean {
  const [dx, dy] = [toX - x, toY - y];
  const length = sqrt(dx * dx + dy * dy);
  for (let d = 0; d < discs.length; d += 3) {
    const [ox, oy] = [discs[d]! - x, discs[d + 1]! - y];
    const along = length === 0 ? 0 : Math.min(length, Math.max(0, (ox * dx + oy * dy) / length));
    const [px, py] = length === 0 ? [0, 0] : [(along * dx) / length, (along * dy) / length];
    if ((ox - px) ** 2 + (oy - py) ** 2 < discs[d + 2]! ** 2) return false;
  }
  return true;
}
