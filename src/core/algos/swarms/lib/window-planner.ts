/**
 * The shortest way within what an agent sees: a window [3, D, D] of obstacles, agents and target (seen from its centre, the target
 * projected to the border if it lies outside). Steps cost 1, and `congestion` more where another agent stands. The way ends at the
 * cell nearest to the target that can be reached. All arrays are made once.
 */

/** Row and column of the actions stay, up, down, left, right. */
const ROW = [0, -1, 1, 0, 0] as const;
const COLUMN = [0, 0, 0, -1, 1] as const;

export class WindowPlanner {
  private readonly side: number;
  private readonly cells: number;
  private readonly congestion: number;
  private readonly cost: Int32Array;
  private readonly from: Int32Array; // action that led here
  private readonly buckets: Int32Array[]; // cells by cost, modulo the largest step
  private readonly filled: Int32Array;

  constructor(side: number, congestion: number) {
    this.side = side;
    this.cells = side * side;
    this.congestion = congestion;
    this.cost = new Int32Array(this.cells);
    this.from = new Int32Array(this.cells);
    this.buckets = Array.from({ length: congestion + 2 }, () => new Int32Array(4 * this.cells));
    this.filled = new Int32Array(congestion + 2);
  }

  /**
   * Reads the window at obs[at..] and writes the way into its third layer instead of the target: 1 the next cell, 0.5 those after it.
   * Returns the action that leads to the next cell; 0: there is nowhere to go.
   */
  plan(obs: Float32Array, at: number, out: Float32Array, to: number): number {
    const { side, cells, cost } = this;
    const centre = (cells - 1) / 2;
    this.search(obs, at, centre);
    let target = centre;
    for (let i = 0; i < cells; i++) if (obs[at + 2 * cells + i] === 1) target = i;
    const [ty, tx] = [Math.floor(target / side), target % side];
    let end = centre;
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < cells; i++) {
      if (cost[i]! < 0) continue;
      const far = Math.abs(Math.floor(i / side) - ty) + Math.abs((i % side) - tx);
      const rank = far * 1024 + cost[i]!;
      if (rank < best) {
        best = rank;
        end = i;
      }
    }
    if (out !== obs || to !== at) for (let i = 0; i < 2 * cells; i++) out[to + i] = obs[at + i]!;
    out.fill(0, to + 2 * cells, to + 3 * cells);
    let first = 0;
    for (let i = end; i !== centre; ) {
      first = this.from[i]!;
      out[to + 2 * cells + i] = 0.5;
      const before = i - ROW[first]! * side - COLUMN[first]!;
      if (before === centre) out[to + 2 * cells + i] = 1;
      i = before;
    }
    return first;
  }

  /** Whether an agent that did `action` went there: what it sees of the ground has shifted by one cell. */
  moved(action: number, before: Float32Array, after: Float32Array, at: number): boolean {
    const { side } = this;
    const dy = ROW[action] ?? 0;
    const dx = COLUMN[action] ?? 0;
    for (let y = Math.max(0, -dy); y < Math.min(side, side - dy); y++)
      for (let x = Math.max(0, -dx); x < Math.min(side, side - dx); x++)
        if (before[at + (y + dy) * side + x + dx] !== after[at + y * side + x]) return false;
    return true;
  }

  /** Dijkstra from the centre with buckets: steps cost 1 or 1 + congestion. -1: not reached. */
  private search(obs: Float32Array, at: number, centre: number): void {
    const { side, cells, cost, from, buckets, filled } = this;
    const rounds = buckets.length;
    cost.fill(-1);
    filled.fill(0);
    cost[centre] = 0;
    buckets[0]![0] = centre;
    filled[0] = 1;
    for (let now = 0, idle = 0; idle < rounds; now++) {
      const slot = now % rounds;
      idle = filled[slot] === 0 ? idle + 1 : 0;
      for (let k = 0; k < filled[slot]!; k++) {
        const cell = buckets[slot]![k]!;
        if (cost[cell] !== now) continue; // a cheaper way was found meanwhile
        const y = Math.floor(cell / side);
        const x = cell % side;
        for (let action = 1; action < 5; action++) {
          const ny = y + ROW[action]!;
          const nx = x + COLUMN[action]!;
          if (ny < 0 || nx < 0 || ny >= side || nx >= side) continue;
          const next = ny * side + nx;
          if (obs[at + next] !== 0) continue;
          const price = now + 1 + (obs[at + cells + next] !== 0 ? this.congestion : 0);
          if (cost[next]! >= 0 && cost[next]! <= price) continue;
          cost[next] = price;
          from[next] = action;
          const into = price % rounds;
          buckets[into]![filled[into]!++] = next;
        }
      }
      filled[slot] = 0;
    }
  }
}
