/**
 * The floor as planners see it: which cells are next to which, and how far every cell is from a target. Distances are counted in steps
 * around obstacles only, ignoring the other agents; a cell with no way to the target is FAR away.
 */
export const FAR = 65535;
/** Stay, up, down, left, right: what an action adds to row and column. */
export const DROW = [0, -1, 1, 0, 0] as const;
export const DCOLUMN = [0, 0, 0, -1, 1] as const;
export const ACTIONS = 5;
const MOST_KEPT = 1024; // targets whose distances are remembered

export class Ground {
  readonly cells: number;
  /** [cells, 5] where an action leads, -1: into an obstacle or off the map. */
  readonly next: Int32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly blocked: Uint8Array;
  private readonly queue: Int32Array;
  private readonly known = new Map<number, Uint16Array>();

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = width * height;
    this.next = new Int32Array(this.cells * ACTIONS);
    this.blocked = new Uint8Array(this.cells).fill(2); // neither free nor blocked: the first map is always new
    this.queue = new Int32Array(this.cells);
  }

  /** Takes a map (1: blocked) from `words[from..]`; true if it is another one than before. */
  lay(words: Uint32Array, from: number): boolean {
    const { cells, blocked } = this;
    let same = true;
    for (let i = 0; i < cells && same; i++) same = blocked[i] === words[from + i];
    if (same) return false;
    for (let i = 0; i < cells; i++) blocked[i] = words[from + i]!;
    this.known.clear();
    for (let cell = 0; cell < cells; cell++)
      for (let action = 0; action < ACTIONS; action++) this.next[cell * ACTIONS + action] = this.towards(cell, action);
    return true;
  }

  private towards(cell: number, action: number): number {
    const y = Math.floor(cell / this.width) + DROW[action]!;
    const x = (cell % this.width) + DCOLUMN[action]!;
    if (y < 0 || x < 0 || y >= this.height || x >= this.width) return -1;
    const to = y * this.width + x;
    return this.blocked[to] === 0 ? to : -1;
  }

  /** [cells] steps to `target`. */
  distances(target: number): Uint16Array {
    const found = this.known.get(target);
    if (found !== undefined) return found;
    if (this.known.size >= MOST_KEPT) this.known.clear();
    const { next, queue } = this;
    const out = new Uint16Array(this.cells).fill(FAR);
    out[target] = 0;
    queue[0] = target;
    let end = 1;
    for (let i = 0; i < end; i++) {
      const cell = queue[i]!;
      for (let action = 1; action < ACTIONS; action++) {
        const to = next[cell * ACTIONS + action]!;
        if (to < 0 || out[to] !== FAR) continue;
        out[to] = out[cell]! + 1;
        queue[end++] = to;
      }
    }
    this.known.set(target, out);
    return out;
  }
}
