/**
 * Neighbour search on a device: N members sorted by the cell they stand in, as rules over a kit. A radix sort by eight bits at a time without
 * atomics: a thread counts and places a block of members one after the other, so the order inside a cell is that of the members, always,
 * and what neighbours add up to repeats. Places lie in [low, low + box), opposite edges are one. Memories, C cells, B blocks:
 *   state [N, 4]   place x, y (m) and what else a member keeps        cell [N]   where it stands, y * side + x
 *   counts [256, B], totals [256]   of one digit                      half [N]   members by the lower digit
 *   order [N]   members by cell      near [N, 4]   their state in that order      first [C + 1]   slots of cell c: first[c] to first[c + 1]
 */
import type { Kit } from '../../engine/kit.ts';

/** Members that one thread sorts. */
export const BLOCK = 128;
export const BINS = 256;
/** Cells along a side: two digits number them. */
const MOST_SIDE = 256;
/** Numbers of a member's state. */
export const WIDE = 4;

export interface CellSizes {
  readonly members: number;
  /** Cells along a side; 1: all are neighbours. */
  readonly side: number;
}

/** As many cells as see far enough, as envs/swarms/lib/cells.ts has it. */
export function cellsFor(members: number, box: number, sight: number): CellSizes {
  const fit = Math.min(MOST_SIDE, Math.max(1, Math.floor(box / sight)), Math.ceil(Math.sqrt(members)) + 2);
  return { members, side: fit < 3 ? 1 : fit };
}

export const blocksOf = ({ members }: CellSizes): number => Math.ceil(members / BLOCK);

/** Sizes of the memories by name. */
export function cellMemory(sizes: CellSizes): { readonly [name: string]: readonly number[] } {
  const { members, side } = sizes;
  return {
    cell: [members],
    counts: [BINS, blocksOf(sizes)],
    totals: [BINS],
    half: [members],
    order: [members],
    near: [members, WIDE],
    first: [side * side + 1],
  };
}

/** The cell of a place counted from the lower corner; rounding may not put it beyond the last. */
function along<F, W, B>(k: Kit<F, W, B>, from: F, box: number, side: number): W {
  const at = k.toWord(k.max(0, k.mul(from, side / box)));
  return k.choose(k.less(at, side), at, side - 1);
}

/** A thread a member: the cell it stands in. */
export function locate<F, W, B>(k: Kit<F, W, B>, member: W, box: number, low: number, { side }: CellSizes): void {
  const at = k.times(member, WIDE);
  const x = along(k, k.sub(k.float('state', at), low), box, side);
  const y = along(k, k.sub(k.float('state', k.plus(at, 1)), low), box, side);
  k.setWord('cell', member, k.plus(k.times(y, side), x));
}

/** Members of a block with the digit that decides: `digit` 0 goes through members as they are numbered, 1 through `half`. */
function eachOf<F, W, B>(k: Kit<F, W, B>, block: W, sizes: CellSizes, digit: 0 | 1, visit: (member: W, count: W, bin: W) => void): void {
  const blocks = blocksOf(sizes);
  k.loop(BLOCK, (j) => {
    const i = k.plus(k.times(block, BLOCK), j);
    k.when(k.less(i, sizes.members), () => {
      const member = digit === 0 ? i : k.word('half', i);
      const bin = k.and(k.right(k.word('cell', member), 8 * digit), BINS - 1);
      visit(member, k.plus(k.times(bin, blocks), block), bin);
    });
  });
}

/** A thread a block: how many of its members have which digit. */
export function count<F, W, B>(k: Kit<F, W, B>, block: W, sizes: CellSizes, digit: 0 | 1): void {
  const blocks = blocksOf(sizes);
  k.loop(BINS, (bin) => k.setWord('counts', k.plus(k.times(bin, blocks), block), 0));
  eachOf(k, block, sizes, digit, (_member, at) => k.setWord('counts', at, k.plus(k.word('counts', at), 1)));
}

/** A thread a digit: counts become how many of it stand in earlier blocks. */
export function before<F, W, B>(k: Kit<F, W, B>, bin: W, sizes: CellSizes): void {
  const blocks = blocksOf(sizes);
  const sum = k.wordVariable(0);
  const from = k.times(bin, blocks);
  k.loop(blocks, (b) => {
    const at = k.plus(from, b);
    const own = k.word('counts', at);
    k.setWord('counts', at, sum.get());
    sum.set(k.plus(sum.get(), own));
  });
  k.setWord('totals', bin, sum.get());
}

/** One thread: totals become where a digit begins. */
export function begin<F, W, B>(k: Kit<F, W, B>): void {
  const sum = k.wordVariable(0);
  k.loop(BINS, (bin) => {
    const own = k.word('totals', bin);
    k.setWord('totals', bin, sum.get());
    sum.set(k.plus(sum.get(), own));
  });
}

/** A thread a block: its members go where they belong. */
export function place<F, W, B>(k: Kit<F, W, B>, block: W, sizes: CellSizes, digit: 0 | 1): void {
  eachOf(k, block, sizes, digit, (member, at, bin) => {
    const taken = k.word('counts', at);
    k.setWord('counts', at, k.plus(taken, 1));
    k.setWord(digit === 0 ? 'half' : 'order', k.plus(k.word('totals', bin), taken), member);
  });
}

/** A thread a slot: copies the state of its member, and says where the cells begin that it is the first behind. */
export function gather<F, W, B>(k: Kit<F, W, B>, slot: W, { members, side }: CellSizes): void {
  const member = k.word('order', slot);
  const cell = k.word('cell', member);
  const from = k.wordVariable(0);
  k.when(k.less(0, slot), () => from.set(k.plus(k.word('cell', k.word('order', k.minus(slot, 1))), 1)));
  const start = from.get();
  k.when(k.not(k.less(cell, start)), () => k.loop(k.plus(k.minus(cell, start), 1), (c) => k.setWord('first', k.plus(start, c), slot)));
  k.when(k.same(slot, members - 1), () =>
    k.loop(k.minus(side * side, cell), (c) => k.setWord('first', k.plus(k.plus(cell, c), 1), members)),
  );
  k.loop(WIDE, (d) => k.setFloat('near', k.plus(k.times(slot, WIDE), d), k.float('state', k.plus(k.times(member, WIDE), d))));
}

/** The nearest image of a difference of two places in a box. */
function nearest<F, W, B>(k: Kit<F, W, B>, d: F, box: number): F {
  return k.pick(k.below(box / 2, d), k.sub(d, box), k.pick(k.below(d, -box / 2), k.add(d, box), d));
}

/** Calls `meet` for the slots of all cells that may hold neighbours of a slot, itself too: where it lies in `near`, and the offset to it. */
export function neighbours<F, W, B>(k: Kit<F, W, B>, slot: W, box: number, { side }: CellSizes, meet: (at: W, dx: F, dy: F) => void): void {
  const own = k.times(slot, WIDE);
  const x = k.float('near', own);
  const y = k.float('near', k.plus(own, 1));
  const cell = k.word('cell', k.word('order', slot));
  const visit = (from: W, to: W): void =>
    k.loop(k.minus(to, from), (j) => {
      const at = k.times(k.plus(from, j), WIDE);
      meet(at, nearest(k, k.sub(k.float('near', at), x), box), nearest(k, k.sub(k.float('near', k.plus(at, 1)), y), box));
    });
  if (side === 1) {
    visit(k.word('first', 0), k.word('first', 1));
    return;
  }
  const cx = k.rest(cell, side);
  const cy = k.over(cell, side);
  k.loop(9, (n) => {
    const beside = (c: W, by: W): W => k.rest(k.plus(k.plus(c, by), side - 1), side);
    const c = k.plus(k.times(beside(cy, k.over(n, 3)), side), beside(cx, k.rest(n, 3)));
    visit(k.word('first', c), k.word('first', k.plus(c, 1)));
  });
}

/** Into [0, box): a step is shorter than the box. */
export function folded<F, W, B>(k: Kit<F, W, B>, x: F, box: number): F {
  const inside = k.pick(k.below(x, 0), k.add(x, box), k.pick(k.below(x, box), x, k.sub(x, box)));
  return k.pick(k.below(inside, box), inside, 0);
}
