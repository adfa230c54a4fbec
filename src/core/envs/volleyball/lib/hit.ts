/** Planning a hit: when and where a ball comes down to a height, and how a racket must move to send it to a place. */
import { sqrt } from '#math/functions.ts';
import type { Wish } from './pilot.ts';

export interface Plan {
  time: number; // s until the ball is there
  x: number; // m, where it is then
  y: number;
  z: number;
}

/** The ball at s[b..b+5] (position, velocity) falling to `height`; where it is now if it will not come there any more. */
export function planHit(s: Float64Array, b: number, height: number, gravity: number, out: Plan): void {
  const vz = s[b + 5]!;
  const square = vz * vz + 2 * gravity * (s[b + 2]! - height);
  out.time = square > 0 ? Math.max(0, (vz + sqrt(square)) / gravity) : 0;
  out.x = s[b]! + s[b + 3]! * out.time;
  out.y = s[b + 1]! + s[b + 4]! * out.time;
  out.z = square > 0 ? height : s[b + 2]!;
}

const PULL = 4.061; // m/s^2: how a racket gathers its hitting speed
const TURN = 0.377; // s before the hit the racket begins to tilt
const TILTED = 0.873; // share of the planned tilt that is aimed at: the turning racket overshoots
const OFFSET = 0.15; // m from the middle of the drone to that of a ball on the racket
const DRIFT = 0.387; // share of the free sideways run that a tilting drone makes until the hit

/**
 * What a drone must wish for now to hit the ball, planned by `planHit`, so that it flies to (x, y), `drop` m below the hit, over an apex
 * `apex` m above it. All in one view of the court.
 */
export function aimHit(
  to: Wish,
  s: Float64Array,
  b: number,
  plan: Plan,
  x: number,
  y: number,
  apex: number,
  gravity: number,
  restitution: number,
  drop = 0,
): void {
  const rise = sqrt(2 * gravity * apex);
  const flight = (rise + sqrt(rise * rise + 2 * gravity * drop)) / gravity;
  const inX = s[b + 3]!;
  const inY = s[b + 4]!;
  const inZ = s[b + 5]! - gravity * plan.time;
  const dx = (x - plan.x) / flight - inX;
  const dy = (y - plan.y) / flight - inY;
  const dz = rise - inZ;
  const change = sqrt(dx * dx + dy * dy + dz * dz);
  const nx = dx / change;
  const ny = dy / change;
  const nz = dz / change;
  const stroke = (inX * nx + inY * ny + inZ * nz + change / (1 + restitution)) / nz; // upward speed of the racket
  const gather = Math.max(0, stroke) / PULL; // s
  const left = Math.min(gather, plan.time);
  const rising = plan.time < gather;
  const sideX = (gravity * nx) / nz;
  const sideY = (gravity * ny) / nz;
  const run = 0.5 * DRIFT * TURN * TURN;
  to.x = plan.x - OFFSET * nx - (plan.time > TURN ? sideX * run : 0);
  to.y = plan.y - OFFSET * ny - (plan.time > TURN ? sideY * run : 0);
  to.z = plan.z - OFFSET * nz - stroke * left + 0.5 * PULL * left * left;
  to.vx = 0;
  to.vy = 0;
  to.vz = rising ? stroke - PULL * left : Math.min(0, stroke);
  to.ax = 0;
  to.ay = 0;
  to.az = rising ? PULL : 0;
  const tilt = plan.time < TURN ? 1 : 0;
  const length = sqrt(TILTED * TILTED * (nx * nx + ny * ny) + nz * nz);
  to.nx = (tilt * TILTED * nx) / length;
  to.ny = (tilt * TILTED * ny) / length;
  to.nz = (tilt * nz) / length;
}
