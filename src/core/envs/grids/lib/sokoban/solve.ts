/**
 * Shortest solutions of Sokoban levels in moves: A* (Hart, Nilsson and Raphael 1968) over pushes. A node is where the boxes and the
 * player are; an edge is a walk to the side of a box and one push, and costs as many moves. The estimate is the sum over boxes of
 * the fewest pushes to any target, walls only: never too high. Boxes on cells from which no target can be reached are cut off.
 */
import { BOX, BOX_ON_TARGET, DCOLUMN, DROW, FLOOR, isBox, isTarget, type Level, TARGET, WALL } from './levels.ts';

const MOST_NODES = 200_000;

interface Node {
  readonly boxes: readonly number[]; // cells, ascending
  readonly player: number;
  readonly cost: number; // moves so far
  readonly bound: number; // cost plus estimate
  readonly parent: Node | null;
  readonly from: number; // where the player stood to push
  readonly direction: number;
}

/** A binary heap of nodes, smallest bound first; of equals the one closer to its end. */
class Heap {
  private readonly items: Node[] = [];

  get size(): number {
    return this.items.length;
  }

  private before(a: number, b: number): boolean {
    const [x, y] = [this.items[a] as Node, this.items[b] as Node];
    return x.bound < y.bound || (x.bound === y.bound && x.cost > y.cost);
  }

  private swap(a: number, b: number): void {
    [this.items[a], this.items[b]] = [this.items[b] as Node, this.items[a] as Node];
  }

  push(node: Node): void {
    let i = this.items.push(node) - 1;
    for (let up = (i - 1) >> 1; i > 0 && this.before(i, up); i = up, up = (i - 1) >> 1) this.swap(i, up);
  }

  pop(): Node {
    const top = this.items[0] as Node;
    const last = this.items.pop() as Node;
    if (this.items.length === 0) return top;
    this.items[0] = last;
    for (let i = 0; ; ) {
      let small = i;
      for (const child of [2 * i + 1, 2 * i + 2]) if (child < this.items.length && this.before(child, small)) small = child;
      if (small === i) return top;
      this.swap(i, small);
      i = small;
    }
  }
}

const stepOf = (columns: number, d: number) => DROW[d]! * columns + DCOLUMN[d]!;

/** Fewest pushes of a lone box from each cell to any target; Infinity where there is no way. Levels are walled all round. */
function pushDistances(level: Level): Float64Array {
  const { cells, columns } = level;
  const out = new Float64Array(cells.length).fill(Infinity);
  const queue: number[] = [];
  cells.forEach((code, cell) => {
    if (!isTarget(code)) return;
    out[cell] = 0;
    queue.push(cell);
  });
  for (const cell of queue)
    for (let d = 0; d < 4; d++) {
      const step = stepOf(columns, d);
      // the box came from the cell before, pushed from the one before that
      const before = cell - step;
      const stand = before - step;
      if (cells[before] === undefined || cells[before] === WALL || cells[stand] === undefined || cells[stand] === WALL) continue;
      if (out[before] !== Infinity) continue;
      out[before] = out[cell]! + 1;
      queue.push(before);
    }
  return out;
}

/** Steps of the player to every cell it can reach, -1 elsewhere. */
function walks(level: Level, boxes: ReadonlySet<number>, player: number): Int32Array {
  const out = new Int32Array(level.cells.length).fill(-1);
  out[player] = 0;
  const queue = [player];
  for (const cell of queue)
    for (let d = 0; d < 4; d++) {
      const next = cell + stepOf(level.columns, d);
      if (out[next] !== -1 || level.cells[next] === WALL || boxes.has(next)) continue;
      out[next] = out[cell]! + 1;
      queue.push(next);
    }
  return out;
}

/** Directions of a shortest walk, by going back from the goal. */
function walkTo(level: Level, boxes: ReadonlySet<number>, from: number, to: number): readonly number[] {
  const steps = walks(level, boxes, to);
  const out: number[] = [];
  for (let cell = from; cell !== to; ) {
    let d = 0;
    while (steps[cell + stepOf(level.columns, d)] !== steps[cell]! - 1) d++;
    out.push(d);
    cell += stepOf(level.columns, d);
  }
  return out;
}

/** Fewest moves to put every box on a target, as directions; null: none found within 200,000 nodes, or there is none. */
export function solveLevel(level: Level): readonly number[] | null {
  const { cells, columns } = level;
  const far = pushDistances(level);
  const boxes = Array.from(cells.keys()).filter((cell) => isBox(cells[cell]!));
  const estimate = (list: readonly number[]) => list.reduce((sum, cell) => sum + far[cell]!, 0);
  const solved = (list: readonly number[]) => list.every((cell) => isTarget(cells[cell]!));
  const keyOf = (list: readonly number[], player: number) => String.fromCharCode(...list, player);
  const heap = new Heap();
  const first = estimate(boxes);
  if (first === Infinity) return null;
  heap.push({ boxes, player: level.player, cost: 0, bound: first, parent: null, from: -1, direction: -1 });
  const best = new Map<string, number>();
  for (let nodes = 0; heap.size > 0 && nodes < MOST_NODES; nodes++) {
    const node = heap.pop();
    if (solved(node.boxes)) return unfold(level, node);
    if ((best.get(keyOf(node.boxes, node.player)) ?? Infinity) < node.cost) continue;
    const there = new Set(node.boxes);
    const reach = walks(level, there, node.player);
    for (const box of node.boxes)
      for (let d = 0; d < 4; d++) {
        const step = stepOf(columns, d);
        const [from, to] = [box - step, box + step];
        const walked = reach[from]!;
        if (walked < 0 || cells[to] === WALL || there.has(to) || far[to] === Infinity) continue;
        const next = node.boxes.map((cell) => (cell === box ? to : cell)).sort((a, b) => a - b);
        const cost = node.cost + walked + 1;
        const key = keyOf(next, box);
        if ((best.get(key) ?? Infinity) <= cost) continue;
        best.set(key, cost);
        heap.push({ boxes: next, player: box, cost, bound: cost + estimate(next), parent: node, from, direction: d });
      }
  }
  return null;
}

function unfold(level: Level, end: Node): readonly number[] {
  const out: number[] = [];
  for (let node: Node | null = end; node !== null && node.parent !== null; node = node.parent) {
    const walk = walkTo(level, new Set(node.parent.boxes), node.parent.player, node.from);
    out.unshift(...walk, node.direction);
  }
  return out;
}

/** Does a move in a direction, pushing what can be pushed; writes into the level. True if anything moved. */
export function moveIn(level: Level, direction: number, pushes: boolean): boolean {
  return moveAt(level.cells, 0, level.columns, level.player, direction, pushes, (cell) => {
    level.player = cell;
  });
}

/** The same on cells[at..]; `place` gets the player's new cell. Cells at the border must be walls. */
export function moveAt(
  cells: Uint32Array,
  at: number,
  columns: number,
  player: number,
  direction: number,
  pushes: boolean,
  place: (cell: number) => void,
): boolean {
  const step = stepOf(columns, direction);
  const next = player + step;
  const code = cells[at + next]!;
  if (code === WALL) return false;
  if (isBox(code)) {
    const beyond = cells[at + next + step]!;
    if (!pushes || beyond === WALL || isBox(beyond)) return false;
    cells[at + next] = code === BOX_ON_TARGET ? TARGET : FLOOR;
    cells[at + next + step] = beyond === TARGET ? BOX_ON_TARGET : BOX;
  }
  place(next);
  return true;
}
