/**
 * A planner that knows the whole map. It walks cheapest paths; a closed door on the way is opened, for a locked one the key is
 * fetched (out of a box if it is in one), a thing in the way is picked up and put aside. Not always the shortest plan, since each
 * aim is pursued by itself.
 */
import { BOX, canOverlap, colourOf, contentOf, DOOR, EMPTY, FLOOR, GOAL, KEY, LAVA, LOCKED, OPEN, objectOf, stateOf } from './cells.ts';
import { findWalk, type Model } from './model.ts';
import { DROP, FORWARD, PICKUP, TOGGLE } from './moment.ts';
import { canTake } from './rules.ts';

/** What a detour is thought to cost, in steps; clearing costs more every time, so that nothing is moved to and fro for ever. */
const CLEARING = 6;
const CLEARING_LOADED = 11;
const CLEARING_AGAIN = 2;
const FETCHING = 20;
const ROUNDS = 60;

export interface Limits {
  /** Things in the way may be moved. */
  readonly clear: boolean;
  /** Doors may be opened. */
  readonly open: boolean;
  /** A cell never to enter, -1 none. */
  readonly never: number;
}

/** Thrown inside, and caught by `plan`: this way of doing it leads nowhere. */
class Stuck extends Error {}

export class Planner {
  readonly model: Model;
  readonly actions: number[] = [];
  private readonly limits: Limits;
  private rounds = 0;
  private cleared = 0;

  constructor(model: Model, limits: Limits) {
    this.model = model;
    this.limits = limits;
  }

  /** Runs the aims; false if one cannot be had. The actions found so far stay. */
  plan(aims: () => void): boolean {
    try {
      aims();
      return true;
    } catch (error) {
      if (error instanceof Stuck) return false;
      throw error;
    }
  }

  do(action: number): void {
    this.model.act(action);
    this.actions.push(action);
  }

  find(fits: (word: number) => boolean): number[] {
    const out: number[] = [];
    for (let i = 0; i < this.model.words.length; i++) if (fits(this.model.at(i))) out.push(i);
    return out;
  }

  /** To any pose that fits. What is in hand may change on the way. */
  walkTo(fits: (cell: number, dir: number) => boolean, shut: ReadonlySet<number> = NONE): void {
    this.walk((cell, dir) => (fits(cell, dir) ? 0 : Infinity), shut);
  }

  /** `goal`: what ending in a pose costs, Infinity: no end. */
  private walk(goal: (cell: number, dir: number) => number, shut: ReadonlySet<number>): void {
    const { model } = this;
    for (;;) {
      if (this.rounds++ > ROUNDS) throw new Stuck();
      const walk = findWalk(model, (cell) => this.toll(cell, shut), goal);
      if (walk === null) throw new Stuck();
      const { actions, into } = walk;
      const locked = into.find((cell) => cell >= 0 && this.isLocked(cell));
      const thing = into.findIndex((cell) => cell >= 0 && canTake(model.at(cell)));
      const isFirst = thing >= 0 && (locked === undefined || into.indexOf(locked) > thing);
      const isItsKey = isFirst && locked !== undefined && keyColour(model.at(into[thing]!)) === colourOf(model.at(locked));
      if (isFirst && !isItsKey) this.clear(into[thing]!, into);
      else if (locked !== undefined) this.fetchKey(colourOf(model.at(locked)), shut);
      else {
        actions.forEach((action) => {
          if (action === FORWARD && !canOverlap(model.at(model.front))) this.do(TOGGLE);
          this.do(action);
        });
        return;
      }
    }
  }

  /** To where one of the cells is in front. */
  face(cells: readonly number[], shut: ReadonlySet<number> = NONE): void {
    const wanted = new Set(cells);
    this.walkTo((cell, dir) => wanted.has(this.model.beside(cell, dir)), shut);
  }

  /** Picks up a thing that fits, putting down what is in hand. */
  hold(fits: (word: number) => boolean, shut: ReadonlySet<number> = NONE): void {
    const { model } = this;
    for (;;) {
      if (fits(model.held)) return;
      if (this.rounds++ > ROUNDS) throw new Stuck();
      this.face(this.find(fits), shut);
      if (model.held !== 0) {
        this.putDown(NONE);
        continue;
      }
      this.do(PICKUP);
    }
  }

  /** Carries what fits to where it may be dropped and drops it; where there is no room, a thing lying there is taken away. */
  dropWhere(fits: (word: number) => boolean, near: (cell: number) => boolean): void {
    const { model } = this;
    for (;;) {
      this.hold(fits);
      const site = (cell: number, dir: number) => {
        const front = model.beside(cell, dir);
        if (front < 0 || !near(front)) return Infinity;
        const word = model.at(front);
        return objectOf(word) === EMPTY ? 0 : canTake(word) ? this.clearing() : Infinity;
      };
      this.walk(site, NONE);
      if (objectOf(model.at(model.front)) !== EMPTY) {
        const sites = Array.from({ length: model.words.length }, (_, i) => i).filter(near);
        if (near(model.front)) this.clear(model.front, sites);
        continue;
      }
      if (fits(model.held) && near(model.front)) break;
    }
    this.do(DROP);
  }

  /** Makes sure that a door stands open by a toggle of ours. */
  openDoor(cells: readonly number[]): void {
    const { model } = this;
    const free = cells.filter((cell) => !this.isLocked(cell));
    const [locked] = cells;
    if (free.length === 0 && locked !== undefined) {
      this.fetchKey(colourOf(model.at(locked)), NONE);
      this.openDoor(cells);
      return;
    }
    this.face(free);
    if (stateOf(model.at(model.front)) === OPEN) this.do(TOGGLE);
    this.do(TOGGLE);
  }

  /** Drops what is in hand on a free cell where it is least in the way. */
  putDown(avoid: ReadonlySet<number>): void {
    const { model } = this;
    for (const aside of [true, false]) {
      const walk = findWalk(
        model,
        (cell) => (canOverlap(model.at(cell)) ? this.toll(cell, NONE) : Infinity),
        (cell, dir) => {
          const front = model.beside(cell, dir);
          return front >= 0 && objectOf(model.at(front)) === EMPTY && !avoid.has(front) && (!aside || this.isAside(front)) ? 0 : Infinity;
        },
      );
      if (walk === null) continue;
      for (const action of walk.actions) this.do(action);
      this.do(DROP);
      return;
    }
    throw new Stuck();
  }

  private isLocked(cell: number): boolean {
    const word = this.model.at(cell);
    return objectOf(word) === DOOR && stateOf(word) === LOCKED && !this.model.unlocks(word);
  }

  /** What entering a cell costs beyond the step. `shut`: colours whose locked doors are out of question. */
  private toll(cell: number, shut: ReadonlySet<number>): number {
    const { model, limits } = this;
    const word = model.at(cell);
    const object = objectOf(word);
    if (cell === limits.never || object === LAVA) return Infinity;
    if (object === EMPTY || object === FLOOR || object === GOAL) return 0;
    if (canTake(word)) return this.clearing();
    if (object !== DOOR) return Infinity;
    if (stateOf(word) === OPEN) return 0;
    if (!limits.open) return Infinity;
    if (!this.isLocked(cell)) return 1;
    return shut.has(colourOf(word)) ? Infinity : FETCHING;
  }

  private clearing(): number {
    if (!this.limits.clear) return Infinity;
    return (this.model.held === 0 ? CLEARING : CLEARING_LOADED) + CLEARING_AGAIN * this.cleared;
  }

  private fetchKey(colour: number, shut: ReadonlySet<number>): void {
    const isKey = (word: number) => keyColour(word) === colour;
    const hides = (word: number) => objectOf(word) === BOX && isKey(contentOf(word));
    const without = new Set(shut).add(colour);
    if (this.find(isKey).length === 0) {
      this.face(this.find(hides), without);
      this.do(TOGGLE);
    }
    this.hold(isKey, without);
  }

  /** Takes a thing out of the way, and puts it on none of the cells of the path. */
  private clear(cell: number, path: readonly number[]): void {
    const avoid = new Set(path);
    this.cleared++;
    if (this.model.held !== 0) this.putDown(avoid);
    this.face([cell]);
    if (!canTake(this.model.at(cell)) || this.model.held !== 0) return; // the way there was made free by something else
    this.do(PICKUP);
    this.putDown(avoid);
  }

  /** A thing there would neither stand before a door nor cut the free cells around it in two. */
  private isAside(cell: number): boolean {
    const { model } = this;
    let free = 0;
    let changes = 0;
    for (let d = 0; d < 4; d++) {
      const side = model.beside(cell, d);
      if (side < 0) continue;
      if (objectOf(model.at(side)) === DOOR) return false;
      const next = model.beside(cell, (d + 1) & 3);
      const corner = model.beside(side, (d + 1) & 3);
      const a = canOverlap(model.at(side));
      const c = corner >= 0 && canOverlap(model.at(corner));
      const b = next >= 0 && canOverlap(model.at(next));
      if (a) free++;
      if (a !== c) changes++;
      if (c !== b) changes++;
    }
    return free > 0 && changes <= 2;
  }
}

/** -1: no key. */
function keyColour(word: number): number {
  return objectOf(word) === KEY ? colourOf(word) : -1;
}

const NONE: ReadonlySet<number> = new Set();
