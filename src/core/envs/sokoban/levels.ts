/**
 * Sokoban levels: codes of cells, levels as text, and a generator by reverse play. It carves a room with a walker, puts boxes on
 * the targets and plays backwards (the player pulls), keeping the position whose boxes are farthest from any target; every
 * position found that way can be solved by doing the pulls as pushes in reverse. The idea is that of Weber et al. 2017 (the levels
 * named Boxoban) and of `mpSchrader/gym-sokoban` at 8e06e44 `envs/room_utils.py`; numbers and shapes are ours.
 */
import type { Draws } from '../draws.ts';

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

const TRIES = 200;
const TURN = 0.35;
const PULL = 0.7;
/** Reverse moves per box: enough to carry one round the room. */
const MOVES = 300;
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

/** Makes levels without allocating: one per size and number of boxes. */
export class LevelMaker {
  private readonly rows: number;
  private readonly columns: number;
  private readonly boxes: number;
  private readonly home: Int32Array; // where each box started, its target
  private readonly at: Int32Array; // where it is
  private readonly best: Int32Array;

  constructor(rows: number, columns: number, boxes: number) {
    this.rows = rows;
    this.columns = columns;
    this.boxes = boxes;
    this.home = new Int32Array(boxes);
    this.at = new Int32Array(boxes);
    this.best = new Int32Array(boxes);
  }

  /** Writes a solvable level into cells[from..] and returns the player's cell. */
  make(draws: Draws, row: number, cells: Uint32Array, from: number): number {
    for (let tries = 0; ; tries++) {
      this.carve(draws, row, cells, from);
      if (this.floors(cells, from) < 2 * this.boxes + 3) continue;
      const player = this.play(draws, row, cells, from, tries < TRIES);
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
      y = Math.min(rows - 2, Math.max(1, y + (DROW[direction] as number)));
      x = Math.min(columns - 2, Math.max(1, x + (DCOLUMN[direction] as number)));
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
      const target = this.home[b] as number;
      const rows = Math.abs(Math.floor(cell / this.columns) - Math.floor(target / this.columns));
      least = Math.min(least, rows + Math.abs((cell % this.columns) - (target % this.columns)));
    }
    return least;
  }

  /** Backwards from the solved position; -1 if too little moved. `strict`: no box may end on a target. */
  private play(draws: Draws, row: number, cells: Uint32Array, from: number, strict: boolean): number {
    const { boxes, home, at, best, columns } = this;
    for (let b = 0; b < boxes; b++) {
      home[b] = this.anyFloor(draws, row, cells, from, 'target');
      cells[from + (home[b] as number)] = BOX; // so that the next is elsewhere
    }
    let player = this.anyFloor(draws, row, cells, from, 'player');
    for (let b = 0; b < boxes; b++) cells[from + (home[b] as number)] = FLOOR;
    at.set(home);
    let bestScore = 0;
    let bestPlayer = -1;
    const moves = MOVES * boxes;
    for (let i = 0; i < moves; i++) {
      const d = draws.int(row, 4, 'reverse move');
      const step = (DROW[d] as number) * columns + (DCOLUMN[d] as number);
      const next = player + step;
      if (cells[from + next] === WALL || at.includes(next)) continue;
      const behind = at.indexOf(player - step);
      if (behind >= 0 && draws.uniform(row, 'pull') < PULL) at[behind] = player;
      player = next;
      let score = 0;
      let moved = true;
      for (let b = 0; b < boxes; b++) {
        const near = this.nearest(at[b] as number);
        score += near;
        if (near === 0) moved = false;
      }
      if (score <= bestScore || (strict && !moved)) continue;
      bestScore = score;
      bestPlayer = player;
      best.set(at);
    }
    if (bestPlayer < 0) return -1;
    for (let b = 0; b < boxes; b++) cells[from + (home[b] as number)] = TARGET;
    for (let b = 0; b < boxes; b++) {
      const cell = from + (best[b] as number);
      cells[cell] = cells[cell] === TARGET ? BOX_ON_TARGET : BOX;
    }
    return bestPlayer;
  }
}
