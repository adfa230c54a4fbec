/**
 * How many each member of a swarm on the open plane sees, and the sum of their offsets. Crowded cells whose members all see each other
 * are taken as a whole, by sums: a swarm that gathers in one place would cost N^2 by pairs.
 */
import { type Bounds, bound, eachPairOfCells, farthest, type Neighbourhood } from './cells.ts';

/** Numbers kept per member: members in sight, sum of their offsets (x, y). */
export const KEPT = 3;

const CROWD = 64; // pairs of two cells from which on it pays to look at the cells as a whole

/** Surveys the row whose places begin at s into kept[k..]. */
export function createSightings(n: number, cells: Neighbourhood, radius: number) {
  const { x, y, member } = cells;
  const sight = radius * radius;
  const first: Bounds = { left: 0, bottom: 0, right: 0, top: 0, sumX: 0, sumY: 0 };
  const second: Bounds = { ...first };
  let into = new Float64Array(0);
  let base = 0;

  const add = (i: number, count: number, dx: number, dy: number) => {
    const k = base + KEPT * member[i]!;
    into[k] = into[k]! + count;
    into[k + 1] = into[k + 1]! + dx;
    into[k + 2] = into[k + 2]! + dy;
  };
  /** Every member of slots a..a1 sees the `many` with those sums, but not itself. */
  const seeAll = (a: number, a1: number, many: number, crowd: Bounds, itself: number) => {
    for (let i = a; i < a1; i++) add(i, many - itself, crowd.sumX - many * x[i]!, crowd.sumY - many * y[i]!);
  };
  const meet = (a: number, a1: number, b: number, b1: number) => {
    if ((a1 - a) * (b1 - b) > CROWD) {
      bound(cells, a, a1, first);
      bound(cells, b, b1, second);
      if (farthest(first, second) <= sight) {
        seeAll(a, a1, b1 - b, second, a === b ? 1 : 0);
        if (a !== b) seeAll(b, b1, a1 - a, first, 0);
        return;
      }
    }
    for (let i = a; i < a1; i++)
      for (let j = a === b ? i + 1 : b; j < b1; j++) {
        const dx = x[j]! - x[i]!;
        const dy = y[j]! - y[i]!;
        if (dx * dx + dy * dy > sight) continue;
        add(i, 1, dx, dy);
        add(j, 1, -dx, -dy);
      }
  };

  return (floats: Float64Array, s: number, kept: Float64Array<ArrayBuffer>, k: number): void => {
    into = kept;
    base = k;
    kept.fill(0, k, k + n * KEPT);
    cells.sort(floats, s);
    eachPairOfCells(cells, meet);
  };
}
