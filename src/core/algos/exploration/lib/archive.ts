/** What Go-Explore remembers: cells with the best known way to each, and the moves that led there. Parts of a training state. */
import { present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { type Part, savedArray } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';

/** Every move that was made, with the one before it: whole ways share their beginnings. */
export class Trail implements Part {
  private before = new Int32Array(1024);
  private moves = new Int32Array(1024);
  length = 0;

  /** A move after step `before` (-1: from the start); its number. */
  add(before: number, move: number): number {
    if (this.length === this.moves.length) {
      const [longer, more] = [new Int32Array(2 * this.length), new Int32Array(2 * this.length)];
      longer.set(this.before);
      more.set(this.moves);
      [this.before, this.moves] = [longer, more];
    }
    this.before[this.length] = before;
    this.moves[this.length] = move;
    return this.length++;
  }

  /** The moves from the start to the one of this number. */
  wayTo(last: number): number[] {
    const way: number[] = [];
    for (let at = last; at >= 0; at = this.before[at]!) way.push(this.moves[at]!);
    return way.reverse();
  }

  save(): Saved {
    return {
      meta: { length: this.length },
      arrays: { before: this.before.slice(0, this.length), moves: this.moves.slice(0, this.length) },
    };
  }

  load(saved: Saved): void {
    const [before, moves] = [savedArray(saved, 'before', Int32Array), savedArray(saved, 'moves', Int32Array)];
    this.length = before.length;
    this.before = new Int32Array(Math.max(1024, this.length));
    this.moves = new Int32Array(Math.max(1024, this.length));
    this.before.set(before);
    this.moves.set(moves);
  }
}

export interface Cell {
  readonly state: Uint8Array;
  /** Last move of the way there; -1: the start. */
  readonly step: number;
  /** Reward on the way. */
  readonly score: number;
  /** Moves on the way. */
  readonly length: number;
}

interface Kept {
  readonly cell: Cell;
  /** How often it was chosen to go on from. */
  readonly chosen: number;
}

/** Of two ways, the one with more reward, then the shorter one. */
export const better = (a: Pick<Cell, 'score' | 'length'>, b: Pick<Cell, 'score' | 'length'>): boolean =>
  a.score > b.score || (a.score === b.score && a.length < b.length);

export class Archive implements Part {
  private readonly cells = new Map<number, Kept>();
  private readonly bytes: number;

  /** `bytes`: of a saved state. */
  constructor(bytes: number) {
    this.bytes = bytes;
  }

  get size(): number {
    return this.cells.size;
  }

  /** Whether `cell`, whose state `save` gives, is new or reached by a better way than so far; then it is kept. */
  offer(key: number, cell: Omit<Cell, 'state'>, save: () => Uint8Array): boolean {
    const known = this.cells.get(key);
    if (known !== undefined && !better(cell, known.cell)) return false;
    // a better way makes a cell worth another look (Ecoffet et al. 2021: its counts start anew)
    this.cells.set(key, { cell: { ...cell, state: save() }, chosen: 0 });
    return true;
  }

  /** A cell to go on from, with weight 1 / sqrt(times chosen + 1). */
  choose(rng: Rng): Cell {
    let total = 0;
    for (const { chosen } of this.cells.values()) total += 1 / Math.sqrt(chosen + 1);
    let left = rng.uniform() * total;
    let last: readonly [number, Kept] | undefined;
    for (const entry of this.cells) {
      last = entry;
      left -= 1 / Math.sqrt(entry[1].chosen + 1);
      if (left < 0) break;
    }
    const [key, { cell, chosen }] = present(last, 'a cell of the archive');
    this.cells.set(key, { cell, chosen: chosen + 1 });
    return cell;
  }

  save(): Saved {
    const all = [...this.cells];
    const states = new Uint8Array(all.length * this.bytes);
    all.forEach(([, { cell }], i) => {
      states.set(cell.state, i * this.bytes);
    });
    const column = (of: (kept: Kept) => number): Float64Array => Float64Array.from(all, ([, kept]) => of(kept));
    return {
      meta: {},
      arrays: {
        keys: Float64Array.from(all, ([key]) => key),
        states,
        steps: column(({ cell }) => cell.step),
        scores: column(({ cell }) => cell.score),
        lengths: column(({ cell }) => cell.length),
        chosen: column(({ chosen }) => chosen),
      },
    };
  }

  load(saved: Saved): void {
    const column = (name: string): Float64Array => savedArray(saved, name, Float64Array);
    const [keys, steps, scores, lengths, chosen] = [column('keys'), column('steps'), column('scores'), column('lengths'), column('chosen')];
    const states = savedArray(saved, 'states', Uint8Array);
    this.cells.clear();
    keys.forEach((key, i) => {
      const state = states.slice(i * this.bytes, (i + 1) * this.bytes);
      this.cells.set(key, { cell: { state, step: steps[i]!, score: scores[i]!, length: lengths[i]! }, chosen: chosen[i]! });
    });
  }
}
