/**
 * One row of a Vicsek swarm: whom each member sees, and the step. N members, periodic square of side `box` m, `speed` m per step.
 * New angle = angle of the sum of the unit vectors of all within `radius` (itself included, old angles) + noise; the place moves with
 * the new angle. Sums are kept for the state at hand, so that a step and what learners see cost one neighbour search.
 */
import { atan2 } from '#math/functions.ts';
import { eachPairOfCells, type Neighbourhood, nearestImage, periodicCells } from './cells.ts';

/** Numbers kept per member: sum of cosines, of sines, how many, sum of the offsets of their places (x, y). */
export const KEPT = 5;

export interface Vicsek {
  /**
   * Sums over the neighbours of every member of the row whose places begin at s and whose unit vectors at heading[h], into kept[k..].
   * Offsets are summed only if `offsets`.
   */
  survey(floats: Float64Array, s: number, heading: Float64Array, h: number, kept: Float64Array, k: number): void;
}

export function createVicsek(n: number, box: number, radius: number, offsets: boolean): Vicsek {
  const cells: Neighbourhood = periodicCells(n, box, 0, radius);
  const { x, y, wraps, member } = cells;
  const cosOf = new Float64Array(n); // in cell order
  const sinOf = new Float64Array(n);
  const sums = new Float64Array(KEPT * n); // in cell order
  const reach = radius * radius;

  const meet = (a: number, a1: number, b: number, b1: number, dx: number, dy: number) => {
    const same = a === b;
    for (let i = a; i < a1; i++) {
      const px = x[i]! - dx;
      const py = y[i]! - dy;
      const cosI = cosOf[i]!;
      const sinI = sinOf[i]!;
      let c = 0;
      let s = 0;
      let count = 0;
      let ox = 0;
      let oy = 0;
      for (let j = same ? i + 1 : b; j < b1; j++) {
        let ex = x[j]! - px;
        let ey = y[j]! - py;
        if (wraps) {
          ex = nearestImage(ex, box);
          ey = nearestImage(ey, box);
        }
        if (ex * ex + ey * ey > reach) continue;
        c += cosOf[j]!;
        s += sinOf[j]!;
        count++;
        const k = KEPT * j;
        sums[k] = sums[k]! + cosI;
        sums[k + 1] = sums[k + 1]! + sinI;
        sums[k + 2] = sums[k + 2]! + 1;
        if (!offsets) continue;
        ox += ex;
        oy += ey;
        sums[k + 3] = sums[k + 3]! - ex;
        sums[k + 4] = sums[k + 4]! - ey;
      }
      const k = KEPT * i;
      sums[k] = sums[k]! + c;
      sums[k + 1] = sums[k + 1]! + s;
      sums[k + 2] = sums[k + 2]! + count;
      sums[k + 3] = sums[k + 3]! + ox;
      sums[k + 4] = sums[k + 4]! + oy;
    }
  };

  return {
    survey(floats, s, heading, h, kept, k) {
      cells.sort(floats, s);
      for (let i = 0; i < n; i++) {
        const from = h + 2 * member[i]!;
        cosOf[i] = heading[from]!;
        sinOf[i] = heading[from + 1]!;
        const to = KEPT * i; // every member sees itself
        sums[to] = cosOf[i]!;
        sums[to + 1] = sinOf[i]!;
        sums[to + 2] = 1;
        sums[to + 3] = 0;
        sums[to + 4] = 0;
      }
      eachPairOfCells(cells, meet);
      for (let i = 0; i < n; i++) {
        const to = k + KEPT * member[i]!;
        const from = KEPT * i;
        for (let d = 0; d < KEPT; d++) kept[to + d] = sums[from + d]!;
      }
    },
  };
}

/** Mean unit vector of n members and its length, the order parameter, into out. */
export function meanHeading(n: number, heading: Float64Array, h: number, out: { x: number; y: number; length: number }): void {
  let x = 0;
  let y = 0;
  for (let i = h; i < h + 2 * n; i += 2) {
    x += heading[i]!;
    y += heading[i + 1]!;
  }
  out.x = x / n;
  out.y = y / n;
  out.length = Math.sqrt(out.x * out.x + out.y * out.y);
}

/** Into [0, box), whatever the rounding. */
export function wrapped(x: number, box: number): number {
  const inside = x - box * Math.floor(x / box);
  return inside < box ? inside : 0;
}

/** Angle of the mean neighbour. */
export function meanAngle(kept: Float64Array, k: number): number {
  return atan2(kept[k + 1]!, kept[k]!);
}
