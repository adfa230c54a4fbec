/**
 * A hand-made pilot of a racket drone, for commands ctbr and prt alike through wanted body rates: flies to a place with a velocity,
 * or holds a wanted up axis with a wanted vertical acceleration. Works on the 23 own numbers of an observation.
 */
import { sqrt } from '#math/functions.ts';
import type { Airframe } from './airframes.ts';
import { TOP_RATE } from './quad.ts';

// gains found by random search over rallies
const PLACE = 4.441; // 1/s^2
const SPEED = 3.309; // 1/s
const TILT = 4.27; // 1/s
const HEADING = 2; // 1/s
const MOST = 7; // m/s^2

export interface Wish {
  x: number; // m: place
  y: number;
  z: number;
  vx: number; // m/s: velocity there
  vy: number;
  vz: number;
  ax: number; // m/s^2: acceleration on top
  ay: number;
  az: number;
  /** Wanted up axis; all zero: the one that the acceleration needs. */
  nx: number;
  ny: number;
  nz: number;
}

export function wish(): Wish {
  return { x: 0, y: 0, z: 0, vx: 0, vy: 0, vz: 0, ax: 0, ay: 0, az: 0, nx: 0, ny: 0, nz: 0 };
}

/** Writes the ctbr action of the drone whose observation begins at `o` to out[a..a+3]. */
export function pilotTo(
  obs: Float32Array,
  o: number,
  to: Wish,
  f: Airframe,
  gravity: number,
  out: Float32Array | Int32Array,
  a: number,
): void {
  const n = (i: number) => obs[o + i]!;
  const bound = (v: number) => Math.min(MOST, Math.max(-MOST, v));
  const ax = bound(PLACE * (to.x - n(0)) + SPEED * (to.vx - n(7)) + to.ax);
  const ay = bound(PLACE * (to.y - n(1)) + SPEED * (to.vy - n(8)) + to.ay);
  const az = bound(PLACE * (to.z - n(2)) + SPEED * (to.vz - n(9)) + to.az) + gravity;
  const held = to.nz !== 0;
  const length = sqrt(ax * ax + ay * ay + az * az);
  const wx = held ? to.nx : ax / length;
  const wy = held ? to.ny : ay / length;
  const wz = held ? to.nz : az / length;
  const [ux, uy, uz] = [n(16), n(17), n(18)];
  const [hx, hy, hz] = [n(13), n(14), n(15)];
  // the body's y axis is up x heading
  const lx = uy * hz - uz * hy;
  const ly = uz * hx - ux * hz;
  const lz = ux * hy - uy * hx;
  const bx = wx * hx + wy * hy + wz * hz;
  const by = wx * lx + wy * ly + wz * lz;
  const rate = (v: number) => Math.min(1, Math.max(-1, (v * 180) / Math.PI / TOP_RATE));
  out[a] = rate(-TILT * by);
  out[a + 1] = rate(TILT * bx);
  out[a + 2] = rate(-HEADING * hy);
  // held attitude: thrust for the vertical; else along the body's axis
  const pull = held ? az / Math.max(0.4, uz) : ax * ux + ay * uy + az * uz;
  out[a + 3] = Math.min(1, Math.max(-1, (2 * f.mass * pull) / (4 * f.fullThrust) - 1));
}
