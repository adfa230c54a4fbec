/**
 * Sokoban levels: codes of cells, levels as text, and a generator by reverse play. It carves a room with a walker, puts boxes on
 * the targets and plays backwards: the player goes to any box it can reach and pulls, rather away from the targets than towards
 * them. Kept is the position whose boxes are farthest from any target; it can be solved by doing the pulls as pushes in reverse.
 * A level counts only if every box is off the targets and together they are at least `least` cells per box away from them, each from
 * its nearest: a push moves one box by one cell, so that no solution has fewer pushes. The idea is that of Weber et al. 2017 (the
 * levels named Boxoban) and of `mpSchrader/gym-sokoban` at 8e06e44 `envs/room_utils.py`; numbers and shapes are ours.
 */
import type { Draws } from '#core/envs/api/draws.ts';

export const FLOOR = 0;
export const WALL = 1;
export const TARGET = 2;
export const BOX = 3;
export const BOX_ON_TARGET = 4;

export const isBox = (code: number) => code >= BOX;
export const isTarget = (code: number) => code === TARGET || code === BOX_ON_TARGET;

/** Up, down, left, right. */
export const DROW = [-1, 1, 0, 0] as const;
export const DCOLUMN = [0, 0, -1, 1] as const;

export interface Level {
  readonly rows: number;
  readonly columns: number;
  readonly cells: Uint32Array; // codes, row-major
  player: number; // cell
}

/** Rows of # wall, - floor, . target, $ box, * box on a target, @ player, + player on a target: the usual letters of Sokoban. */
export function parseLevel(rows: readonly string[]): { readonly level: Level; readonly players: number; readonly boxes: number } {
  const text = rows.join('');
  const cells = Uint32Array.from(text, (letter) =>
    letter === '#' ? WALL : letter === '.' || letter === '+' ? TARGET : letter === '$' ? BOX : letter === '*' ? BOX_ON_TARGET : FLOOR,
  );
  const players = [...text].flatMap((letter, cell) => (letter === '@' || letter === '+' ? [cell] : []));
  const level: Level = { rows: rows.length, columns: (rows[0] ?? '').length, cells, player: players[0] ?? 0 };
  return { level, players: players.length, boxes: cells.filter(isBox).length };
}

/** After so many rooms without such a level one push less is asked for: some sizes have none. */
const TRIES = 40;
const TURN = 0.35;
/** Pulls tried per box: enough to carry one round the room. */
const PULLS = 40;
/** Chance of a pull that brings a box nearer to a target. */
const NEARER = 0.3;
/** Cells carved beside the walker: itself and one or two neighbours. */
const BRUSHES = [
  [
    [0, 0],
    [0, 1],
  ],
  [
    [0, 0],
    [1, 0],
  ],
  [
    [0, 0],
    [0, 1],
    [1, 0],
  ],
  [
    [0, 0],
    [1, 0],
    [1, 1],
  ],
  [
    [0, 0],
    [0, 1],
    [1, 1],
  ],
] as const;

/** Makes levels without allocating: one per size, number of boxes and pushes per box. */
export class LevelMaker {
  private readonly rows: number;
  private readonly columns: number;
  private readonly boxes: number;
  private readonly least: number; // pushes per box
  private readonly home: Int32Array; // where each box started, its target
  private readonly at: Int32Array; // where it is
  private readonly best: Int32Array;
  private readonly taken: Uint8Array; // walls and boxes
  private readonly reached: Uint8Array; // cells the player can walk to
  private readonly queue: Int32Array;
  private readonly pulls: Int32Array; // box * 4 + direction

  constructor(rows: number, columns: number, boxes: number, least: number) {
    this.rows = rows;
    this.columns = columns;
    this.boxes = boxes;
    this.least = least;
    this.home = new Int32Array(boxes);
    this.at = new Int32Array(boxes);
    this.best = new Int32Array(boxes);
    this.taken = new Uint8Array(rows * columns);
    this.reached = new Uint8Array(rows * columns);
    this.queue = new Int32Array(rows * columns);
    this.pulls = new Int32Array(4 * boxes);
  }

  /** Writes a solvable level into cells[from..] and returns the player's cell. */
  make(draws: Draws, row: number, cells: Uint32Array, from: number): number {
    for (let tries = 0; ; tries++) {
      this.carve(draws, row, cells, from);
      if (this.floors(cells, from) < 2 * this.boxes + 3) continue;
      const player = this.play(draws, row, cells, from, Math.max(1, this.least * this.boxes - Math.floor(tries / TRIES)));
      if (player >= 0) return player;
    }
  }

  private floors(cells: Uint32Array, from: number): number {
    let n = 0;
    for (let i = from; i < from + this.rows * this.columns; i++) if (cells[i] === FLOOR) n++;
    return n;
  }

  private carve(draws: Draws, row: number, cells: Uint32Array, from: number): void {
    const { rows, columns } = this;
    cells.fill(WALL, from, from + rows * columns);
    let y = 1 + draws.int(row, rows - 2, 'room row');
    let x = 1 + draws.int(row, columns - 2, 'room column');
    let direction = draws.int(row, 4, 'room direction');
    const steps = Math.floor(1.7 * (rows + columns));
    for (let i = 0; i < steps; i++) {
      if (draws.uniform(row, 'room turn') < TURN) direction = draws.int(row, 4, 'room direction');
      y = Math.min(rows - 2, Math.max(1, y + DROW[direction]!));
      x = Math.min(columns - 2, Math.max(1, x + DCOLUMN[direction]!));
      const brush = BRUSHES[draws.int(row, BRUSHES.length, 'room brush') as 0];
      for (const [dy, dx] of brush) {
        const cy = y + dy;
        const cx = x + dx;
        if (cy < rows - 1 && cx < columns - 1) cells[from + cy * columns + cx] = FLOOR;
      }
    }
  }

  /** A drawn cell that is floor. */
  private anyFloor(draws: Draws, row: number, cells: Uint32Array, from: number, name: string): number {
    let pick = draws.int(row, this.floors(cells, from), name);
    let cell = 0;
    for (; ; cell++) if (cells[from + cell] === FLOOR && pick-- === 0) return cell;
  }

  /** Steps from a cell to the nearest target, as if there were no walls. */
  private nearest(cell: number): number {
    let least = Infinity;
    for (let b = 0; b < this.boxes; b++) {
      const target = this.home[b]!;
      const rows = Math.abs(Math.floor(cell / this.columns) - Math.floor(target / this.columns));
      least = Math.min(least, rows + Math.abs((cell % this.columns) - (target % this.columns)));
    }
    return least;
  }

  /** Marks the cells the player can walk to; returns how many they are. */
  private walk(player: number): number {
    const { reached, queue, taken, columns } = this;
    reached.fill(0);
    reached[player] = 1;
    queue[0] = player;
    let count = 1;
    for (let i = 0; i < count; i++)
      for (let d = 0; d < 4; d++) {
        const next = queue[i]! + DROW[d]! * columns + DCOLUMN[d]!;
        if (reached[next] === 1 || taken[next] === 1) continue;
        reached[next] = 1;
        queue[count++] = next;
      }
    return count;
  }

  /** Pulls that are possible from the cells marked: the player stands beside a box and steps away from it. */
  private list(): number {
    const { reached, pulls, taken, at, columns } = this;
    let count = 0;
    for (let b = 0; b < this.boxes; b++)
      for (let d = 0; d < 4; d++) {
        const step = DROW[d]! * columns + DCOLUMN[d]!;
        const stand = at[b]! + step;
        if (reached[stand] === 1 && taken[stand + step] === 0) pulls[count++] = 4 * b + d;
      }
    return count;
  }

  /** Backwards from the solved position; -1 if no position is `least` cells from the targets with every box off them. */
  private play(draws: Draws, row: number, cells: Uint32Array, from: number, least: number): number {
    const { boxes, home, at, best, taken, columns, pulls } = this;
    for (let b = 0; b < boxes; b++) {
      home[b] = this.anyFloor(draws, row, cells, from, 'target');
      cells[from + home[b]!] = BOX; // so that the next is elsewhere
    }
    let player = this.anyFloor(draws, row, cells, from, 'player');
    for (let b = 0; b < boxes; b++) cells[from + home[b]!] = FLOOR;
    at.set(home);
    for (let cell = 0; cell < taken.length; cell++) taken[cell] = cells[from + cell] === WALL ? 1 : 0;
    for (let b = 0; b < boxes; b++) taken[at[b]!] = 1;
    let far = least - 1;
    let last = -1; // where the player stood at the best position
    let count = -1; // of pulls that are possible, -1: not known
    for (let i = 0; i < PULLS * boxes; i++) {
      if (count < 0) {
        this.walk(player);
        count = this.list();
      }
      if (count === 0) break;
      const pull = pulls[draws.int(row, count, 'pull')]!;
      const b = pull >> 2;
      const d = pull & 3;
      const step = DROW[d]! * columns + DCOLUMN[d]!;
      const to = at[b]! + step;
      if (this.nearest(to) < this.nearest(at[b]!) && draws.uniform(row, 'nearer') >= NEARER) continue;
      taken[at[b]!] = 0;
      taken[to] = 1;
      at[b] = to;
      player = to + step;
      count = -1;
      let sum = 0;
      let off = true;
      for (let k = 0; k < boxes; k++) {
        const near = this.nearest(at[k]!);
        sum += near;
        if (near === 0) off = false;
      }
      if (sum <= far || !off) continue;
      far = sum;
      last = player;
      best.set(at);
    }
    if (last < 0) return -1;
    for (let b = 0; b < boxes; b++) taken[at[b]!] = 0;
    for (let b = 0; b < boxes; b++) taken[best[b]!] = 1;
    const place = draws.int(row, this.walk(last), 'player');
    const start = this.queue[place]!;
    for (let b = 0; b < boxes; b++) cells[from + home[b]!] = TARGET;
    for (let b = 0; b < boxes; b++) {
      const cell = from + best[b]!;
      cells[cell] = cells[cell] === TARGET ? BOX_ON_TARGET : BOX;
    }
    return start;
  }
}
