/** What BabyAI levels add to rooms: things and doors at random, distractors, and the tests by which levels are rejected. */
import type { Builder } from '../builder.ts';
import { BALL, BOX, cell, colourOf, DOOR, EMPTY, KEY, LOCKED, OPEN, objectOf, stateOf, WALL } from '../cells.ts';
import { type Description, matches, type Sentence } from '../instructions.ts';
import { Rooms } from '../rooms.ts';

/** The level drawn so far is of no use: it is drawn again. */
export class Rejected extends Error {}

export class LevelRooms extends Rooms {
  readonly builder: Builder;
  private readonly kinds = new Set<number>(); // of all things placed by name, for distractors that must differ

  constructor(builder: Builder, size: number) {
    super(builder, size);
    this.builder = builder;
  }

  kindAt(at: number): number {
    return this.builder.get(at % this.builder.width, Math.floor(at / this.builder.width)) & 127;
  }

  /** Description of the thing or door in a cell. */
  describe(at: number): Description {
    const kind = this.kindAt(at);
    return { object: objectOf(kind), colour: colourOf(kind), location: 0 };
  }

  /** A thing of a kind (any without it) in a room; returns its cell. */
  thing(i: number, j: number, object?: number, colour?: number, content = 0): number {
    const what = object ?? this.b.pick([KEY, BALL, BOX], 'thing');
    const painted = colour ?? this.b.int(0, 5, 'colour');
    this.kinds.add(cell(what, painted));
    return this.place(cell(what, painted, 0, content), i, j, 'thing');
  }

  /** Things of any kind, in one room or anywhere; `unique`: of kinds that are not there yet. Returns their cells. */
  distract(count: number, unique: boolean, i?: number, j?: number): number[] {
    const out: number[] = [];
    while (out.length < count) {
      const colour = this.b.int(0, 5, 'colour');
      const object = this.b.pick([KEY, BALL, BOX], 'thing');
      if (unique && this.kinds.has(cell(object, colour))) continue;
      const column = i ?? this.b.int(0, this.columns - 1, 'room column');
      const row = j ?? this.b.int(0, this.rows - 1, 'room row');
      out.push(this.thing(column, row, object, colour));
    }
    return out;
  }

  /** A door in any wall, of any colour, locked or not, where these are not given; returns its cell. */
  anyDoor(i: number, j: number, locked?: boolean, colour?: number): number {
    const room = this.room(i, j);
    let side = this.b.int(0, 3, 'door side');
    while (!this.isShut(room, side)) side = this.b.int(0, 3, 'door side');
    const painted = colour ?? this.b.int(0, 5, 'door colour');
    return this.door(i, j, side, painted, locked ?? this.b.int(0, 1, 'locked') === 0);
  }

  /** Places the agent in a room; in any where none is given. */
  agent(i?: number, j?: number): void {
    this.placeAgent(i ?? this.b.int(0, this.columns - 1, 'agent column'), j ?? this.b.int(0, this.rows - 1, 'agent row'));
  }

  /** The room the agent is in. */
  agentIn(i: number, j: number): boolean {
    const step = this.size - 1;
    return Math.floor(this.b.agentX / step) === i && Math.floor(this.b.agentY / step) === j;
  }

  /** Whether a cell belongs to a room, its walls included. */
  inside(at: number, i: number, j: number): boolean {
    const step = this.size - 1;
    const x = (at % this.b.width) - i * step;
    const y = Math.floor(at / this.b.width) - j * step;
    return x >= 0 && y >= 0 && x <= step && y <= step;
  }

  cells(fits: (word: number) => boolean): number[] {
    const { width, height } = this.b;
    const out: number[] = [];
    for (let i = 0; i < width * height; i++) if (fits(this.b.get(i % width, Math.floor(i / width)))) out.push(i);
    return out;
  }

  doors(): number[] {
    return this.cells((word) => objectOf(word) === DOOR);
  }

  openDoors(): void {
    const { width } = this.b;
    for (const at of this.doors()) this.b.set(at % width, Math.floor(at / width), cell(DOOR, colourOf(this.kindAt(at)), OPEN));
  }

  /** Whether all things and doors can be reached without moving anything; doors count as passable, locked ones too. */
  allReachable(): boolean {
    const { b } = this;
    const seen = new Uint8Array(b.width * b.height);
    const stack = [b.index(b.agentX, b.agentY)];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at] === 1) continue;
      seen[at] = 1;
      const [x, y] = [at % b.width, Math.floor(at / b.width)];
      const object = objectOf(b.get(x, y));
      if (object !== EMPTY && object !== DOOR) continue;
      if (x + 1 < b.width) stack.push(at + 1);
      if (x > 0) stack.push(at - 1);
      if (y + 1 < b.height) stack.push(at + b.width);
      if (y > 0) stack.push(at - b.width);
    }
    return this.cells((word) => objectOf(word) !== EMPTY && objectOf(word) !== WALL).every((at) => seen[at] === 1);
  }

  mustReachAll(): void {
    if (!this.allReachable()) throw new Rejected('a thing cannot be reached');
  }

  /** Cells of what a description matches, seen from where the agent is now. */
  matching(d: Description): number[] {
    const places = new Uint8Array(this.b.width * this.b.height);
    if (d.location !== 0) this.b.places(places);
    return this.cells((word) => matches(word, d, places, 0));
  }

  /** `unblocking`: levels whose agent may have to move things; there no key of a locked door may be named. */
  check(sentence: Sentence, unblocking: boolean): void {
    if ('first' in sentence) {
      this.check(sentence.first, unblocking);
      this.check(sentence.second, unblocking);
      return;
    }
    if (sentence.kind === 'put-next') {
      const move = this.matching(sentence.move);
      const fixed = this.matching(sentence.fixed);
      if (move.some((at) => fixed.includes(at))) throw new Rejected('something matches both sides of put-next');
      const near = (p: number, q: number) =>
        Math.abs((p % this.b.width) - (q % this.b.width)) + Math.abs(Math.floor(p / this.b.width) - Math.floor(q / this.b.width)) === 1;
      if (move.some((p) => fixed.some((q) => near(p, q)))) throw new Rejected('the things are next to each other already');
    }
    if (!unblocking) return;
    const locked = this.cells((word) => objectOf(word) === DOOR && stateOf(word) === LOCKED).map((at) => colourOf(this.kindAt(at)));
    const named = sentence.kind === 'put-next' ? [sentence.move, sentence.fixed] : [sentence.what];
    if (named.some((d) => d.object === KEY && locked.includes(d.colour))) throw new Rejected('the key of a locked door is named');
  }
}
