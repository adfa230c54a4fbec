/**
 * The ball: free flight and bounces off racket drones. The racket is a disc of 0.2 m above the drone, facing along its up axis; a ball
 * that meets the body elsewhere bounces off a sphere. Both give back 0.8 of the speed of approach; the drone, three hundred times as
 * heavy, does not feel it. Floats of a ball: position 3, velocity 3.
 * Source of sizes and restitution: VolleyBots (`drones.md` section 3 of the reference notes); the shape of the body is ours.
 */
import { sqrt } from '#math/functions.ts';
import { POS, QUAT, RATES, VEL } from './quad.ts';

export const RADIUS = 0.1; // m
const RACKET = 0.2; // m, radius of the disc
const PLATE = 0.05; // m, of the disc above the middle of the drone
const BODY = 0.15; // m, radius of the sphere
const REACH = 0.5; // m: farther away nothing can touch

export const NONE = 0;
export const BY_RACKET = 1;
export const BY_BODY = 2;

/** Lets the ball at `b` bounce off the drone at `at`; what it touched, NONE if nothing or if it already leaves. */
export function bounce(s: Float64Array, b: number, at: number, restitution: number): number {
  const dx = s[b]! - s[at + POS]!;
  const dy = s[b + 1]! - s[at + POS + 1]!;
  const dz = s[b + 2]! - s[at + POS + 2]!;
  const square = dx * dx + dy * dy + dz * dz;
  if (square > REACH * REACH) return NONE;
  const x = s[at + QUAT]!;
  const y = s[at + QUAT + 1]!;
  const z = s[at + QUAT + 2]!;
  const w = s[at + QUAT + 3]!;
  const ux = 2 * (x * z + w * y);
  const uy = 2 * (y * z - w * x);
  const uz = 1 - 2 * (x * x + y * y);
  const along = dx * ux + dy * uy + dz * uz;
  const flat = sqrt(Math.max(0, square - along * along));
  const distance = sqrt(square);
  const racket = flat <= RACKET && along > PLATE; // over the disc: nothing but the disc is in the way
  if (racket ? along > PLATE + RADIUS : distance > BODY + RADIUS) return NONE;
  const nx = racket ? ux : distance > 0 ? dx / distance : 0;
  const ny = racket ? uy : distance > 0 ? dy / distance : 0;
  const nz = racket ? uz : distance > 0 ? dz / distance : 1;
  // velocity of the drone's material where they touch
  const p = s[at + RATES]!;
  const q = s[at + RATES + 1]!;
  const r = s[at + RATES + 2]!;
  const wx = (1 - 2 * (y * y + z * z)) * p + 2 * (x * y - w * z) * q + ux * r;
  const wy = 2 * (x * y + w * z) * p + (1 - 2 * (x * x + z * z)) * q + uy * r;
  const wz = 2 * (x * z - w * y) * p + 2 * (y * z + w * x) * q + uz * r;
  const vx = s[b + 3]! - s[at + VEL]! - (wy * dz - wz * dy);
  const vy = s[b + 4]! - s[at + VEL + 1]! - (wz * dx - wx * dz);
  const vz = s[b + 5]! - s[at + VEL + 2]! - (wx * dy - wy * dx);
  const approach = vx * nx + vy * ny + vz * nz;
  if (approach >= 0) return NONE;
  const change = -(1 + restitution) * approach;
  s[b + 3] = s[b + 3]! + change * nx;
  s[b + 4] = s[b + 4]! + change * ny;
  s[b + 5] = s[b + 5]! + change * nz;
  return racket ? BY_RACKET : BY_BODY;
}

/** One physics step of free flight. */
export function moveBall(s: Float64Array, b: number, gravity: number, dt: number): void {
  s[b + 5] = s[b + 5]! - gravity * dt;
  for (let k = 0; k < 3; k++) s[b + k] = s[b + k]! + dt * s[b + 3 + k]!;
}
