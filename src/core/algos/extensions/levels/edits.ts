/** Levels made of kept ones by small changes (ACCEL): who comes of whom, and after how many edits since a level was drawn. */
import type { Environment } from '#core/envs/api/types.ts';
import type { Rng } from '#math/rng.ts';

/** `each`: edits between a level and what is made of it. Kept levels are numbered from 1 on in the order in which they were kept. */
export function createEdits(env: Environment, each: number, { capacity, copies }: { readonly capacity: number; readonly copies: number }) {
  const count = new Int32Array(capacity); // edits since a level was drawn
  const number = new Float64Array(capacity); // of the level in a slot
  const parent = new Float64Array(capacity); // number of the level that it was made of; 0: it was drawn
  const child = { count: new Int32Array(copies), parent: new Float64Array(copies) }; // of what each copy plays, the same
  const counters = { numbered: 0 };
  return {
    state: { counters, arrays: { count, number, parent, childCount: child.count, childParent: child.parent } },
    isChild: (row: number): boolean => child.parent[row]! > 0,
    /** What the copies play next was drawn, or is kept. */
    drawn(): void {
      child.count.fill(0);
      child.parent.fill(0);
    },
    /** What a copy plays next: the level of a slot, edited. */
    childOf(row: number, level: Uint8Array, slot: number, draws: Rng): Uint8Array {
      let state: Uint8Array = level.slice();
      for (let n = 0; n < each; n++) state = env.editLevel?.(state, draws) ?? state;
      child.count[row] = count[slot]! + each;
      child.parent[row] = number[slot]!;
      return state;
    },
    /** What a copy played is kept in a slot from now on. */
    keep(row: number, slot: number): void {
      counters.numbered++;
      number[slot] = counters.numbered;
      count[slot] = child.count[row]!;
      parent[slot] = child.parent[row]!;
    },
    /** Of these slots, for those who look: edits since a level was drawn, and the place among them of the level that it was made of; -1: not among them. */
    shown: (slots: readonly number[]) => ({
      edits: slots.map((slot) => count[slot]!),
      parents: slots.map((slot) => (parent[slot]! > 0 ? slots.findIndex((other) => number[other] === parent[slot]) : -1)),
    }),
  };
}
