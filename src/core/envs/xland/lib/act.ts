/**
 * Rules and goals of XLand-MiniGrid 0.9.3 (core/rules.py, core/goals.py) on one row of the batch. Both are tested with the action number and the cell q
 * that the action names, whether or not the action had an effect. A neighbour beyond the first row or column is the one at the other end; beyond the
 * last there is nothing ([0, 0]).
 */
import { firstOf, GOAL, kindOf, RULE, secondOf, thirdOf } from './task.ts';
import { CLOSED_TILE, colourOf, FLOOR, FLOOR_TILE, KEY_TILE, LOCKED_TILE, OPEN_TILE, PICKABLE, thing, tileOf, WALKABLE } from './tiles.ts';
import { COLUMNS, ROWS } from './view.ts';

export const FORWARD = 0;
export const TURN_RIGHT = 1;
export const TURN_LEFT = 2;
export const PICK_UP = 3;
export const PUT_DOWN = 4;
export const TOGGLE = 5;

/** Kinds of rules and goals that each action tests, as bits. */
const bitsOf = (...kinds: readonly number[]): number => kinds.reduce((bits, kind) => bits | (1 << kind), 0);
const RULES_OF = [bitsOf(2, 8, 9, 10, 11), 0, 0, bitsOf(1), bitsOf(3, 4, 5, 6, 7, 8, 9, 10, 11), 0] as const;
const ANY = bitsOf(5, 6);
const GOALS_OF = [
  ANY | bitsOf(2, 3, 11, 12, 13, 14),
  ANY,
  ANY,
  ANY | bitsOf(1),
  ANY | bitsOf(4, 7, 8, 9, 10, 11, 12, 13, 14),
  ANY,
] as const;

/** The map of one row of the batch; `base`, `row`, `column`, `pocket` are set before each use. */
export class Field {
  readonly words: Uint32Array;
  readonly height: number;
  readonly width: number;
  base = 0;
  row = 0;
  column = 0;
  dir = 0;
  pocket = 0;
  /** The cell that the last action names. */
  qRow = 0;
  qColumn = 0;
  /** Whether an action or a rule has changed what is seen, since this was last set to false. */
  changed = false;

  constructor(words: Uint32Array, height: number, width: number) {
    this.words = words;
    this.height = height;
    this.width = width;
  }

  /** Index in words of the neighbour of a cell in direction d (0 up, 1 right, 2 down, 3 left); -1: there is none. */
  beside(row: number, column: number, d: number): number {
    const { base, height, width } = this;
    switch (d) {
      case 0:
        return base + (row === 0 ? height - 1 : row - 1) * width + column;
      case 1:
        return column === width - 1 ? -1 : base + row * width + column + 1;
      case 2:
        return row === height - 1 ? -1 : base + (row + 1) * width + column;
      default:
        return base + row * width + (column === 0 ? width - 1 : column - 1);
    }
  }

  at(index: number): number {
    return index < 0 ? 0 : this.words[index]!;
  }

  private put(index: number, word: number): void {
    this.changed = true;
    if (index >= 0) this.words[index] = word;
  }

  /** What the agent does by itself; sets q. */
  act(action: number): void {
    const { base, row, column, dir, words } = this;
    this.qRow = row;
    this.qColumn = column;
    if (action === TURN_RIGHT || action === TURN_LEFT) {
      this.dir = (dir + (action === TURN_RIGHT ? 1 : 3)) & 3;
      this.changed = true;
      return;
    }
    const r = row + ROWS[dir]!;
    const k = column + COLUMNS[dir]!;
    if (r < 0 || r >= this.height || k < 0 || k >= this.width) return;
    const ahead = base + r * this.width + k;
    const word = words[ahead]!;
    const tile = tileOf(word);
    if (action === FORWARD) {
      if (((WALKABLE >> tile) & 1) === 0) return;
      this.row = r;
      this.column = k;
      this.changed = true;
      this.qRow = r;
      this.qColumn = k;
      return;
    }
    this.qRow = r;
    this.qColumn = k;
    if (action === PICK_UP) {
      if (this.pocket !== 0 || ((PICKABLE >> tile) & 1) === 0) return;
      this.pocket = word;
      this.put(ahead, FLOOR);
    } else if (action === PUT_DOWN) {
      if (tile !== FLOOR_TILE || tileOf(this.pocket) === 0) return;
      this.put(ahead, this.pocket);
      this.pocket = 0;
    } else if (tile === CLOSED_TILE || (tile === LOCKED_TILE && this.pocket === thing(KEY_TILE, colourOf(word))))
      this.put(ahead, thing(OPEN_TILE, colourOf(word)));
    else if (tile === OPEN_TILE) this.put(ahead, thing(CLOSED_TILE, colourOf(word)));
  }

  /** `from`, `count`: where the rules stand in words. */
  applyRules(from: number, count: number, action: number): void {
    const tested = RULES_OF[action]!;
    if (tested === 0) return;
    for (let i = 0; i < count; i++) {
      const rule = this.words[from + i]!;
      if (((tested >> kindOf(rule)) & 1) === 1) this.applyRule(rule, this.qRow, this.qColumn);
    }
  }

  private applyRule(rule: number, qRow: number, qColumn: number): void {
    const kind = kindOf(rule);
    const a = firstOf(rule);
    const c = thirdOf(rule);
    if (kind === RULE.hold) {
      if (this.pocket === a) this.pocket = c;
    } else if (kind === RULE.near) this.change(this.row, this.column, a, c);
    else if (kind >= RULE.nearUp) {
      const index = this.beside(this.row, this.column, kind - RULE.nearUp);
      if (this.at(index) === a) this.put(index, c);
    } else if (kind === RULE.pair) {
      const b = secondOf(rule);
      const q = this.base + qRow * this.width + qColumn;
      const word = this.words[q]!;
      if (word !== a && word !== b) return;
      if (this.change(qRow, qColumn, word === a ? b : a, c)) this.put(q, FLOOR);
    } else this.joinSides(kind - RULE.pairUp, a, secondOf(rule), c, qRow, qColumn);
  }

  /** All neighbours that are `a` become `c`; true where there was one. */
  private change(row: number, column: number, a: number, c: number): boolean {
    let found = false;
    for (let d = 0; d < 4; d++) {
      const index = this.beside(row, column, d);
      if (this.at(index) !== a) continue;
      this.put(index, c);
      found = true;
    }
    return found;
  }

  /** b lies in direction d of a, and q is one of the two. */
  private joinSides(d: number, a: number, b: number, c: number, qRow: number, qColumn: number): void {
    const q = this.base + qRow * this.width + qColumn;
    const word = this.words[q]!;
    const ahead = word === a ? this.beside(qRow, qColumn, d) : -2;
    const behind = word === b ? this.beside(qRow, qColumn, (d + 2) & 3) : -2;
    const first = ahead !== -2 && this.at(ahead) === b;
    const second = behind !== -2 && this.at(behind) === a;
    if (first) this.put(ahead, c);
    if (second) this.put(behind, c);
    if (first || second) this.put(q, FLOOR);
  }

  /** Whether the goal is met. */
  meets(goal: number, action: number): boolean {
    const kind = kindOf(goal);
    if (((GOALS_OF[action]! >> kind) & 1) === 0) return false;
    const a = firstOf(goal);
    const { base, row, column, width, words, qRow, qColumn } = this;
    if (kind === GOAL.hold) return this.pocket === a;
    if (kind === GOAL.on) return words[base + row * width + column] === a;
    if (kind === GOAL.near) return this.touches(row, column, a);
    if (kind === GOAL.tileAt) return words[base + secondOf(goal) * width + thirdOf(goal)] === a;
    if (kind === GOAL.agentAt) return row === a && column === secondOf(goal);
    if (kind >= GOAL.nearUp) return this.at(this.beside(row, column, kind - GOAL.nearUp)) === a;
    const b = secondOf(goal);
    const q = words[base + qRow * width + qColumn]!;
    if (kind === GOAL.pair) return (q === a && this.touches(qRow, qColumn, b)) || (q === b && this.touches(qRow, qColumn, a));
    const d = kind - GOAL.pairUp;
    return (q === a && this.at(this.beside(qRow, qColumn, d)) === b) || (q === b && this.at(this.beside(qRow, qColumn, (d + 2) & 3)) === a);
  }

  private touches(row: number, column: number, word: number): boolean {
    for (let d = 0; d < 4; d++) if (this.at(this.beside(row, column, d)) === word) return true;
    return false;
  }
}
