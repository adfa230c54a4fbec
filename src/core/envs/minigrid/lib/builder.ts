/** What generators build a world with: one row's cells, pose and rule numbers, and its named draws. */

import type { Draws } from '../../api/draws.ts';
import { badConfig } from '../../api/parse.ts';
import { EMPTY_CELL, hasOrigin, objectOf, WALL_CELL, withOrigin } from './cells.ts';
import type { Sentence } from './instructions.ts';
import { writePlaces } from './places.ts';

export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly dir: number;
}

/**
 * What the generator of a room asks for where its places may be known only when it is built: W a number, or a word on a graphics device.
 * A range includes both ends.
 */
export interface Builds<W> {
  readonly width: number;
  readonly height: number;
  int(low: W | number, high: W | number, name: string): W;
  set(x: W | number, y: W | number, word: number): void;
  walls(x: number, y: number, width: number, height: number): void;
  vertical(x: W | number, y: number, length: number): void;
  agent(x: number, y: number, dir: number): void;
  placeAgent(x?: number, y?: number, width?: W | number, height?: W | number): void;
  place(word: number, name: string, x?: number, y?: number, width?: W | number, height?: W | number): W;
}

const TRIES = 1000;

export class Builder {
  readonly width: number;
  readonly height: number;
  agentX = 0;
  agentY = 0;
  agentDir = 0;
  /** Rule numbers, see rules.ts. */
  a = 0;
  b = 0;
  /** What the agent starts with in hand, 0 nothing. */
  carrying = 0;
  /** BabyAI: what is to be done. */
  sentence: Sentence | null = null;
  private readonly draws: Draws;
  private words: Uint32Array = new Uint32Array(0);
  private base = 0;
  private row = 0;
  private placed = false;

  constructor(width: number, height: number, draws: Draws) {
    this.width = width;
    this.height = height;
    this.draws = draws;
  }

  begin(words: Uint32Array, base: number, row: number): void {
    this.words = words;
    this.base = base;
    this.row = row;
    this.clear();
  }

  /** An empty map without agent: also where a generator gives up and begins anew. */
  clear(): void {
    this.placed = false;
    this.a = 0;
    this.b = 0;
    this.carrying = 0;
    this.sentence = null;
    this.words.fill(EMPTY_CELL, this.base, this.base + this.width * this.height);
  }

  /** Integer in low..high, both included. */
  int(low: number, high: number, name: string): number {
    return low + this.draws.int(this.row, high - low + 1, name);
  }

  pick<T>(items: readonly T[], name: string): T {
    return items[this.draws.int(this.row, items.length, name)] as T;
  }

  chance(probability: number, name: string): boolean {
    return this.draws.uniform(this.row, name) < probability;
  }

  shuffle<T>(items: T[], name: string): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.draws.int(this.row, i + 1, name);
      const t = items[i] as T;
      items[i] = items[j] as T;
      items[j] = t;
    }
  }

  index(x: number, y: number): number {
    return y * this.width + x;
  }

  get(x: number, y: number): number {
    return this.words[this.base + y * this.width + x]!;
  }

  set(x: number, y: number, word: number): void {
    const at = y * this.width + x;
    this.words[this.base + at] = hasOrigin(objectOf(word)) ? withOrigin(word, at) : word;
  }

  /** A copy of all cells, row by row. */
  copy(): Uint32Array {
    return this.words.slice(this.base, this.base + this.width * this.height);
  }

  /** Gives the thing in a cell an identity other than its cell. */
  identify(at: number, identity: number): void {
    this.words[this.base + at] = withOrigin(this.words[this.base + at]!, identity);
  }

  /** Takes the thing from a cell into the agent's hand. */
  take(at: number): void {
    this.carrying = this.words[this.base + at]!;
    this.words[this.base + at] = EMPTY_CELL;
  }

  /** Where cells lie from the agent (places.ts), into out[0..]. */
  places(out: Uint8Array): void {
    writePlaces(this.words, this.base, this.width, this.height, this.agentX, this.agentY, this.agentDir, out, 0);
  }

  /** The outline of a rectangle. */
  walls(x: number, y: number, width: number, height: number): void {
    this.horizontal(x, y, width);
    this.horizontal(x, y + height - 1, width);
    this.vertical(x, y, height);
    this.vertical(x + width - 1, y, height);
  }

  horizontal(x: number, y: number, length: number, word = WALL_CELL): void {
    for (let i = 0; i < length; i++) this.set(x + i, y, word);
  }

  vertical(x: number, y: number, length: number, word = WALL_CELL): void {
    for (let i = 0; i < length; i++) this.set(x, y + i, word);
  }

  agent(x: number, y: number, dir: number): void {
    this.agentX = x;
    this.agentY = y;
    this.agentDir = dir;
    this.placed = true;
  }

  /** A random empty cell of the rectangle, not the agent's, by rejection as the reference does. */
  freeCell(name: string, x = 0, y = 0, width = this.width, height = this.height, allowed?: (x: number, y: number) => boolean): number {
    for (let i = 0; i < TRIES; i++) {
      const cx = this.int(Math.max(0, x), Math.min(x + width, this.width) - 1, `${name} x`);
      const cy = this.int(Math.max(0, y), Math.min(y + height, this.height) - 1, `${name} y`);
      if (this.get(cx, cy) !== EMPTY_CELL || (this.placed && cx === this.agentX && cy === this.agentY)) continue;
      if (allowed === undefined || allowed(cx, cy)) return this.index(cx, cy);
    }
    throw badConfig('layout', 'There is no free cell left.', 'Make the map larger or emptier.');
  }

  /** Puts a thing on a random free cell; returns the cell. */
  place(
    word: number,
    name: string,
    x?: number,
    y?: number,
    width?: number,
    height?: number,
    allowed?: (x: number, y: number) => boolean,
  ): number {
    const at = this.freeCell(name, x, y, width, height, allowed);
    this.set(at % this.width, Math.floor(at / this.width), word);
    return at;
  }

  placeAgent(x?: number, y?: number, width?: number, height?: number, allowed?: (x: number, y: number) => boolean): void {
    this.placed = false;
    const at = this.freeCell('agent', x, y, width, height, allowed);
    this.agent(at % this.width, Math.floor(at / this.width), this.int(0, 3, 'agent direction'));
  }
}
