/** A copy of one row's world that a planner may change: the same moves as core.ts, without rewards and ends. */
import { BOX, CLOSED, canOverlap, colourOf, DOOR, EMPTY, EMPTY_CELL, KEY, LOCKED, OPEN, objectOf, stateOf } from './cells.ts';
import { DROP, FORWARD, LEFT, PICKUP, RIGHT, TOGGLE } from './moment.ts';
import { canTake, opened } from './rules.ts';
import { CARRYING, DIR, X, Y } from './state.ts';
import { DX, DY } from './view.ts';

export class Model {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array; // [height * width]
  x = 0;
  y = 0;
  dir = 0;
  held = 0;
  private readonly pickupToggles: boolean;

  constructor(width: number, height: number, pickupToggles: boolean) {
    this.width = width;
    this.height = height;
    this.pickupToggles = pickupToggles;
    this.words = new Uint32Array(width * height);
  }

  /** `row`: the words of a saved state, cells first. */
  read(row: Uint32Array): void {
    const cells = this.words.length;
    this.words.set(row.subarray(0, cells));
    this.x = row[cells + X]!;
    this.y = row[cells + Y]!;
    this.dir = row[cells + DIR]!;
    this.held = row[cells + CARRYING]!;
  }

  /** Whether the row is where this model is. */
  agrees(row: Uint32Array): boolean {
    const cells = this.words.length;
    if (row[cells + X] !== this.x || row[cells + Y] !== this.y || row[cells + DIR] !== this.dir || row[cells + CARRYING] !== this.held)
      return false;
    for (let i = 0; i < cells; i++) if (row[i] !== this.words[i]) return false;
    return true;
  }

  get cell(): number {
    return this.y * this.width + this.x;
  }

  /** The cell beside another in a direction, -1 outside the map. */
  beside(cell: number, dir: number): number {
    const x = (cell % this.width) + DX[dir]!;
    const y = Math.floor(cell / this.width) + DY[dir]!;
    return x < 0 || y < 0 || x >= this.width || y >= this.height ? -1 : y * this.width + x;
  }

  get front(): number {
    return this.beside(this.cell, this.dir);
  }

  at(cell: number): number {
    return this.words[cell]!;
  }

  act(action: number): void {
    const { front } = this;
    const word = front < 0 ? 0 : this.at(front);
    if (action === LEFT) this.dir = (this.dir + 3) & 3;
    else if (action === RIGHT) this.dir = (this.dir + 1) & 3;
    else if (action === FORWARD && word !== 0 && canOverlap(word)) {
      this.x = front % this.width;
      this.y = Math.floor(front / this.width);
    } else if (action === TOGGLE || (action === PICKUP && this.pickupToggles)) this.toggle(front, word);
    else if (action === PICKUP && this.held === 0 && canTake(word)) {
      this.held = word;
      this.words[front] = EMPTY_CELL;
    } else if (action === DROP && this.held !== 0 && objectOf(word) === EMPTY) {
      this.words[front] = this.held;
      this.held = 0;
    }
  }

  private toggle(front: number, word: number): void {
    if (objectOf(word) === BOX) this.words[front] = opened(word);
    if (objectOf(word) !== DOOR || (stateOf(word) === LOCKED && !this.unlocks(word))) return;
    this.words[front] = ((word & ~(3 << 7)) | ((stateOf(word) === OPEN ? CLOSED : OPEN) << 7)) >>> 0;
  }

  /** Whether what is in hand opens this door. */
  unlocks(door: number): boolean {
    return objectOf(this.held) === KEY && colourOf(this.held) === colourOf(door);
  }
}

/* Cheapest walks over poses (cell and direction): a turn costs 1, a step 1 and whatever it takes to make the cell free. */

export interface Walk {
  /** The actions in order; before a forward the cell ahead may have to be made free first. */
  readonly actions: readonly number[];
  /** For each action the cell it leads into, -1 for turns. */
  readonly into: readonly number[];
}

/**
 * `enter(cell)`: what a step into the cell costs beyond 1, Infinity: never. `goal(cell, dir)`: extra cost of ending there, Infinity: no end.
 * null: there is no such walk.
 */
export function findWalk(m: Model, enter: (cell: number) => number, goal: (cell: number, dir: number) => number): Walk | null {
  const nodes = m.words.length * 4;
  const cost = new Float64Array(nodes).fill(Infinity);
  const from = new Int32Array(nodes).fill(-1);
  const done = new Uint8Array(nodes);
  const buckets: number[][] = [];
  const push = (node: number, total: number, previous: number) => {
    if (total >= cost[node]!) return;
    cost[node] = total;
    from[node] = previous;
    let bucket = buckets[total];
    if (bucket === undefined) {
      bucket = [];
      buckets[total] = bucket;
    }
    bucket.push(node);
  };
  push(m.cell * 4 + m.dir, 0, -1);
  let best = -1;
  let bestCost = Infinity;
  for (let total = 0; total < buckets.length && total < bestCost; total++) {
    const bucket = buckets[total];
    if (bucket === undefined) continue;
    for (const node of bucket) {
      if (done[node] === 1 || cost[node] !== total) continue;
      done[node] = 1;
      const cell = node >> 2;
      const dir = node & 3;
      const end = total + goal(cell, dir);
      if (end < bestCost) {
        best = node;
        bestCost = end;
      }
      push(cell * 4 + ((dir + 3) & 3), total + 1, node);
      push(cell * 4 + ((dir + 1) & 3), total + 1, node);
      const ahead = m.beside(cell, dir);
      if (ahead < 0) continue;
      const extra = enter(ahead);
      if (extra !== Infinity) push(ahead * 4 + dir, total + 1 + extra, node);
    }
  }
  if (best < 0) return null;
  const actions: number[] = [];
  const into: number[] = [];
  for (let node = best; from[node] !== -1; node = from[node]!) {
    const previous = from[node]!;
    const turned = previous >> 2 === node >> 2;
    actions.push(turned ? (((previous + 1) & 3) === (node & 3) ? RIGHT : LEFT) : FORWARD);
    into.push(turned ? -1 : node >> 2);
  }
  return { actions: actions.reverse(), into: into.reverse() };
}
