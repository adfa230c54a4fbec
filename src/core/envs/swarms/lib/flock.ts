/**
 * One row of a flock (boids): what each member sees of its neighbours, and the three steering forces of the rule.
 * Every force is limit(maxSpeed * unit(desired) - v, maxForce): separation away from those within `separationRadius`, each weighted by
 * 1 / distance^2 of its offset; alignment along the mean velocity, cohesion to the mean place of those within `viewRadius`.
 * Source: Reynolds 1987; constants are the settings.
 */
import { eachPairOfCells, nearestImage, openCells, periodicCells } from './cells.ts';

/** Numbers kept per member: neighbours; sum of velocities (x, y), of offsets (x, y), of separation (x, y); who is too close; least distance^2. */
export const KEPT = 9;

export interface Forces {
  readonly maxSpeed: number;
  readonly maxForce: number;
  readonly separationWeight: number;
  readonly alignmentWeight: number;
  readonly cohesionWeight: number;
}

/** Surveys a row whose places begin at s (velocities follow) into kept[k..]. `box` null: the open plane. */
export function createFlock(n: number, box: number | null, viewRadius: number, separationRadius: number) {
  const sight = Math.max(viewRadius, separationRadius);
  const cells = box === null ? openCells(n, sight) : periodicCells(n, box, -box / 2, sight);
  const { x, y, member, wraps } = cells;
  const side = box ?? 1;
  const vx = new Float64Array(n); // in cell order
  const vy = new Float64Array(n);
  const sums = new Float64Array(KEPT * n);
  const near = viewRadius * viewRadius;
  const close = separationRadius * separationRadius;

  const meet = (a: number, a1: number, b: number, b1: number, dx: number, dy: number) => {
    for (let i = a; i < a1; i++) {
      const px = x[i]! - dx;
      const py = y[i]! - dy;
      const at = KEPT * i;
      for (let j = a === b ? i + 1 : b; j < b1; j++) {
        let ex = x[j]! - px;
        let ey = y[j]! - py;
        if (wraps) {
          ex = nearestImage(ex, side);
          ey = nearestImage(ey, side);
        }
        const square = ex * ex + ey * ey;
        if (square > near && square > close) continue;
        const to = KEPT * j;
        if (square <= near) {
          sums[at] = sums[at]! + 1;
          sums[at + 1] = sums[at + 1]! + vx[j]!;
          sums[at + 2] = sums[at + 2]! + vy[j]!;
          sums[at + 3] = sums[at + 3]! + ex;
          sums[at + 4] = sums[at + 4]! + ey;
          if (square < sums[at + 8]!) sums[at + 8] = square;
          sums[to] = sums[to]! + 1;
          sums[to + 1] = sums[to + 1]! + vx[i]!;
          sums[to + 2] = sums[to + 2]! + vy[i]!;
          sums[to + 3] = sums[to + 3]! - ex;
          sums[to + 4] = sums[to + 4]! - ey;
          if (square < sums[to + 8]!) sums[to + 8] = square;
        }
        if (square > close || square === 0) continue;
        const wx = ex / square;
        const wy = ey / square;
        sums[at + 5] = sums[at + 5]! - wx;
        sums[at + 6] = sums[at + 6]! - wy;
        sums[at + 7] = sums[at + 7]! + 1;
        sums[to + 5] = sums[to + 5]! + wx;
        sums[to + 6] = sums[to + 6]! + wy;
        sums[to + 7] = sums[to + 7]! + 1;
      }
    }
  };

  return (floats: Float64Array, s: number, kept: Float64Array, k: number): void => {
    cells.sort(floats, s);
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      const from = s + 2 * n + 2 * member[i]!;
      vx[i] = floats[from]!;
      vy[i] = floats[from + 1]!;
      sums[KEPT * i + 8] = near;
    }
    eachPairOfCells(cells, meet);
    for (let i = 0; i < n; i++) {
      const to = k + KEPT * member[i]!;
      const from = KEPT * i;
      for (let d = 0; d < KEPT; d++) kept[to + d] = sums[from + d]!;
    }
  };
}

/** Adds weight * limit(maxSpeed * unit(dx, dy) - v, maxForce) to force. Nothing where there is no direction. */
function steer(c: Forces, weight: number, dx: number, dy: number, vx: number, vy: number, force: Float64Array): void {
  const far = Math.sqrt(dx * dx + dy * dy);
  if (far === 0) return;
  let fx = (dx / far) * c.maxSpeed - vx;
  let fy = (dy / far) * c.maxSpeed - vy;
  const size = Math.sqrt(fx * fx + fy * fy);
  if (size > c.maxForce) {
    fx = (fx / size) * c.maxForce;
    fy = (fy / size) * c.maxForce;
  }
  force[0] = force[0]! + weight * fx;
  force[1] = force[1]! + weight * fy;
}

/** The rule's force on a member of velocity v from what it sees: `seen` laid out as the kept numbers. */
export function ruleForce(c: Forces, seen: Float64Array, k: number, vx: number, vy: number, force: Float64Array): void {
  force[0] = 0;
  force[1] = 0;
  if (seen[k + 7]! > 0) steer(c, c.separationWeight, seen[k + 5]!, seen[k + 6]!, vx, vy, force);
  if (seen[k]! === 0) return;
  steer(c, c.alignmentWeight, seen[k + 1]!, seen[k + 2]!, vx, vy, force);
  steer(c, c.cohesionWeight, seen[k + 3]!, seen[k + 4]!, vx, vy, force);
}
