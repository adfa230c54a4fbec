/**
 * A quadrotor whose rotors lag, integrated by one Runge-Kutta step (order 4) per control step over everything, the lag included:
 * thrust of a rotor c2 u^2 along body z, reaction torque a fixed length times it, du/dt = (wanted - u) / tau. SI units.
 * Floats: position 3, quaternion w x y z, velocity 3 (world), rates 3 (body), rotor speeds u 4 in 0..1.
 * Source: `rl-tools/rl-tools` at 9acdf5c `environments/l2f/operations_generic/60_dynamics.h`, parameters "tiny".
 */
import { sqrt } from '#math/functions.ts';

export const LAGGED = 17;
export const ARM = 0.028; // m, along x and y
export const REACTION = 4.665e-3; // m: torque per thrust
export const MASS = 0.025; // kg
export const GRAVITY = 9.81;
/** Rotors at (+,-) (-,-) (-,+) (+,+); their reaction torque turns the body by this sign about z. */
export const SIGN_X = [1, -1, -1, 1] as const;
export const SIGN_Y = [-1, -1, 1, 1] as const;
export const SIGN_YAW = [-1, 1, -1, 1] as const;

/** What may differ between episodes, as floats: c2 (N), inertia x, y, z (kg m^2), time constants rising and falling (s). */
export const CRAFT = 6;
export const TINY = [0.1302, 9.416557e-6, 9.644052e-6, 1.745952e-5, 0.072, 0.072] as const;

const wanted = new Float64Array(4);
const slope = [new Float64Array(LAGGED), new Float64Array(LAGGED), new Float64Array(LAGGED), new Float64Array(LAGGED)] as const;
const probe = new Float64Array(LAGGED);

function derive(s: Float64Array, at: number, c: Float64Array, k: number, d: Float64Array): void {
  const qw = s[at + 3]!;
  const qx = s[at + 4]!;
  const qy = s[at + 5]!;
  const qz = s[at + 6]!;
  const p = s[at + 10]!;
  const q = s[at + 11]!;
  const r = s[at + 12]!;
  const jx = c[k + 1]!;
  const jy = c[k + 2]!;
  const jz = c[k + 3]!;
  let lift = 0;
  let tx = 0;
  let ty = 0;
  let tz = 0;
  for (let i = 0; i < 4; i++) {
    const u = s[at + 13 + i]!;
    const f = c[k]! * u * u;
    lift += f;
    tx += ARM * SIGN_Y[i]! * f;
    ty -= ARM * SIGN_X[i]! * f;
    tz += REACTION * SIGN_YAW[i]! * f;
    const target = wanted[i]!;
    d[13 + i] = (target - u) / (target >= u ? c[k + 4]! : c[k + 5]!);
  }
  d[0] = s[at + 7]!;
  d[1] = s[at + 8]!;
  d[2] = s[at + 9]!;
  d[3] = 0.5 * (-qx * p - qy * q - qz * r);
  d[4] = 0.5 * (qw * p + qy * r - qz * q);
  d[5] = 0.5 * (qw * q + qz * p - qx * r);
  d[6] = 0.5 * (qw * r + qx * q - qy * p);
  // the third column of the rotation of a quaternion that need not have length 1 within a Runge-Kutta step
  const a = lift / MASS;
  d[7] = 2 * (qx * qz + qw * qy) * a;
  d[8] = 2 * (qy * qz - qw * qx) * a;
  d[9] = (qw * qw - qx * qx - qy * qy + qz * qz) * a - GRAVITY;
  d[10] = (tx - (jz - jy) * q * r) / jx;
  d[11] = (ty - (jx - jz) * r * p) / jy;
  d[12] = (tz - (jy - jx) * p * q) / jz;
}

/** One step of `dt` s of the state at `at` with craft numbers at `k`, and set points from four actions in -1..1 at `a[i]`. */
export function stepLagged(s: Float64Array, at: number, c: Float64Array, k: number, a: ArrayLike<number>, i: number, dt: number): void {
  for (let n = 0; n < 4; n++) wanted[n] = 0.5 * (Math.min(1, Math.max(-1, a[i + n]!)) + 1);
  derive(s, at, c, k, slope[0]);
  for (let stage = 1; stage < 4; stage++) {
    const before = slope[stage - 1] as Float64Array;
    const h = stage === 3 ? dt : dt / 2;
    for (let n = 0; n < LAGGED; n++) probe[n] = s[at + n]! + h * before[n]!;
    derive(probe, 0, c, k, slope[stage] as Float64Array);
  }
  for (let n = 0; n < LAGGED; n++) s[at + n] = s[at + n]! + (dt / 6) * (slope[0][n]! + 2 * slope[1][n]! + 2 * slope[2][n]! + slope[3][n]!);
  let square = 0;
  for (let n = 3; n < 7; n++) square += s[at + n]! * s[at + n]!;
  const length = sqrt(square);
  for (let n = 3; n < 7; n++) s[at + n] = s[at + n]! / length;
  for (let n = 13; n < 17; n++) s[at + n] = Math.min(1, Math.max(0, s[at + n]!));
}

/** Rotation matrix of the quaternion w x y z at `at`, row-major, to nine numbers from `o`. */
export function rotationOf(s: Float64Array, at: number, out: Float32Array | Float64Array, o: number): void {
  const w = s[at]!;
  const x = s[at + 1]!;
  const y = s[at + 2]!;
  const z = s[at + 3]!;
  out[o] = 1 - 2 * (y * y + z * z);
  out[o + 1] = 2 * (x * y - w * z);
  out[o + 2] = 2 * (x * z + w * y);
  out[o + 3] = 2 * (x * y + w * z);
  out[o + 4] = 1 - 2 * (x * x + z * z);
  out[o + 5] = 2 * (y * z - w * x);
  out[o + 6] = 2 * (x * z - w * y);
  out[o + 7] = 2 * (y * z + w * x);
  out[o + 8] = 1 - 2 * (x * x + y * y);
}
