/**
 * Which agent stands where in the next steps, and the search for one agent's way through it: A* over (cell, step) up to a horizon, with the
 * distances to the target as the estimate. Exact within the horizon; behind it the others are ignored (windowed search, Silver 2005;
 * rolling horizon, Li et al. 2021). An agent that gets to its target inside the horizon may be anywhere afterwards, for where it must go
 * then is not known yet, unless it is to `settle` there: then only standing on the target costs nothing.
 */
import { ACTIONS, type Ground } from './ground.ts';

export class Horizon {
  /** Steps looked ahead. */
  readonly length: number;
  private readonly ground: Ground;
  /** Whether an agent may enter a cell in the step in which another leaves it. */
  private readonly follow: boolean;
  private readonly settle: boolean;
  /** [length + 1, cells] agent + 1 that will stand there. */
  private readonly taken: Uint16Array;
  private readonly from: Int32Array; // node it came from
  private readonly seen: Int32Array; // stamp of the search that reached it
  private readonly chain: Int32Array; // next node of the same bucket
  private readonly heads: Int32Array; // first node by cost above the least possible
  private stamp = 0;

  constructor(ground: Ground, length: number, follow: boolean, settle: boolean) {
    this.ground = ground;
    this.length = length;
    this.follow = follow;
    this.settle = settle;
    const nodes = (length + 1) * ground.cells * 2;
    this.taken = new Uint16Array((length + 1) * ground.cells);
    this.from = new Int32Array(nodes);
    this.seen = new Int32Array(nodes);
    this.chain = new Int32Array(nodes);
    this.heads = new Int32Array(2 * length + 3);
  }

  /** Forgets all ways; `at` holds the current cells (-1: gone). */
  begin(at: Int32Array): void {
    this.taken.fill(0);
    for (let i = 0; i < at.length; i++) if (at[i]! >= 0) this.taken[at[i]!] = i + 1;
  }

  /** Takes the cells path[at + t] for an agent, or gives them back, from step `first` on. */
  mark(path: Int32Array, at: number, first: number, agent: number, there: boolean): void {
    const { cells } = this.ground;
    for (let t = first; t <= this.length; t++) this.taken[t * cells + path[at + t]!] = there ? agent + 1 : 0;
  }

  /** Whether no reservation hinders being in `to` at step t + 1, coming from `here`. */
  private free(here: number, to: number, t: number): boolean {
    const { cells } = this.ground;
    const { taken } = this;
    const after = (t + 1) * cells;
    if (taken[after + to] !== 0) return false;
    const other = taken[after - cells + to]!;
    if (this.follow) return other === 0 || taken[after + here] !== other;
    // the cell must be free just before and just after as well
    if (here !== to && other !== 0) return false;
    return t + 2 > this.length || taken[after + cells + to] === 0;
  }

  /** Writes the cells of steps first..length to path[at..]; false if there is no way. path[at + first] must be where the agent is. */
  search(path: Int32Array, at: number, first: number, distance: Uint16Array): boolean {
    const { length, heads, chain, seen, from } = this;
    const { cells, next } = this.ground;
    const stamp = ++this.stamp;
    heads.fill(-1);
    const start = path[at + first]!;
    const root = 2 * (first * cells + start) + (distance[start] === 0 && !this.settle ? 1 : 0);
    seen[root] = stamp;
    from[root] = -1;
    heads[0] = root;
    chain[root] = -1;
    for (let cost = 0; cost < heads.length; ) {
      const node = heads[cost]!;
      if (node < 0) {
        cost++;
        continue;
      }
      heads[cost] = chain[node]!;
      const arrived = node & 1;
      const t = Math.floor(node / 2 / cells);
      const cell = (node >> 1) - t * cells;
      if (t === length) {
        let step = node;
        for (let k = length; k > first; k--) {
          path[at + k] = (step >> 1) - k * cells;
          step = from[step]!;
        }
        return true;
      }
      for (let action = 0; action < ACTIONS; action++) {
        const to = next[cell * ACTIONS + action]!;
        if (to < 0 || !this.free(cell, to, t)) continue;
        const there = arrived === 1 || (distance[to] === 0 && !this.settle) ? 1 : 0;
        const child = 2 * ((t + 1) * cells + to) + there;
        if (seen[child] === stamp) continue;
        seen[child] = stamp;
        from[child] = node;
        // what this step adds to the shortest way
        const rests = arrived === 1 || (to === cell && distance[to] === 0);
        const price = cost + (rests ? 0 : 1 + distance[to]! - distance[cell]!);
        chain[child] = heads[price]!;
        heads[price] = child;
      }
    }
    return false;
  }
}
