/**
 * The rigid body of one drone in a flat float64 array, and how a control step moves it: semi-implicit Euler at the physics rate
 * (rates and speeds first, then position, then an exact rotation), as the DYN mode of gym-pybullet-drones integrates.
 * Floats of a drone: position 3 (m), quaternion x, y, z, w, velocity 3 (m/s, world), rates 3 (rad/s, body), spin 3 (rad/s, world,
 * with the attitude before the last rotation, as the reference reports it), rpm 4 (those of the last physics step).
 */
import { atan2, cos, exp, sin, sqrt } from '#math/functions.ts';
import type { Airframe } from './airframe.ts';

export const POS = 0;
export const QUAT = 3;
export const VEL = 7;
export const RATES = 10;
export const SPIN = 13;
export const RPM = 16;
export const BODY = 20; // floats of a drone

export interface Air {
  readonly ground: boolean;
  readonly drag: boolean;
  readonly downwash: boolean;
  readonly wind: readonly [number, number, number]; // m/s; felt through the drag
}

/** Everything a physics step needs that does not change. */
export interface Craft {
  readonly frame: Airframe;
  readonly mass: number; // kg, payload included
  readonly weight: number; // N, payload included
  readonly air: Air;
  readonly dt: number; // s
}

const RPM_TO_RAD = (2 * Math.PI) / 60;

/** Extra lift of a rotor at a height above ground; N for rpm^2 = `square`. */
export function groundLift(f: Airframe, square: number, height: number): number {
  const ratio = f.propeller / (4 * Math.max(height, f.groundClip));
  return square * f.kf * f.groundCoefficient * ratio * ratio;
}

const NEAR = 0.2; // m

/**
 * Push of the air under another drone that is `dz` > 0 higher and `side` away: N along the lower one's body z (negative: down).
 * The reference's formula grows without bound as dz goes to 0; below 0.2 m the push falls to 0 with dz instead.
 */
export function downwashForce(f: Airframe, dz: number, side: number): number {
  const gap = Math.max(dz, NEAR);
  const ratio = f.propeller / (4 * gap);
  const width = f.downwash[1] * gap + f.downwash[2];
  const q = side === 0 ? 0 : side / width; // the width passes through 0 at 0.69 m
  const force = -f.downwash[0] * ratio * ratio * exp(-0.5 * q * q);
  return dz < NEAR ? (force * dz) / NEAR : force;
}

/** Speed factor of the rotor drag: force = -coefficient * factor * air speed; rpm of four rotors from `at`. */
export function rotorSum(rpm: ArrayLike<number>, at: number): number {
  return RPM_TO_RAD * (rpm[at]! + rpm[at + 1]! + rpm[at + 2]! + rpm[at + 3]!);
}

const SMALL = 0.06; // below: series of 7 terms, exact to rounding (0.06^7 / 14! < 1e-19)

/** cos(sqrt(u)) for 0 <= u < SMALL. */
function cosOfSquare(u: number): number {
  return 1 + u * (-1 / 2 + u * (1 / 24 + u * (-1 / 720 + u * (1 / 40320 + u * (-1 / 3628800 + u * (1 / 479001600))))));
}

/** sin(sqrt(u)) / sqrt(u) for 0 <= u < SMALL. */
function sincOfSquare(u: number): number {
  return 1 + u * (-1 / 6 + u * (1 / 120 + u * (-1 / 5040 + u * (1 / 362880 + u * (-1 / 39916800 + u * (1 / 6227020800))))));
}

/**
 * `steps` physics steps of the drone at `at` with four motor speeds (rpm, already clipped). `push`: more force along body z, N.
 * Everything stays in local numbers between the steps: this is the inner loop of every drone environment.
 */
export function advance(
  s: Float64Array,
  at: number,
  c: Craft,
  w0: number,
  w1: number,
  w2: number,
  w3: number,
  push: number,
  steps: number,
): void {
  const { frame: f, dt, mass, weight, air } = c;
  const [jx, jy, jz] = f.inertia;
  const k0 = f.kf * w0 * w0;
  const k1 = f.kf * w1 * w1;
  const k2 = f.kf * w2 * w2;
  const k3 = f.kf * w3 * w3;
  const side = f.arm * Math.SQRT1_2;
  const perMass = dt / mass;
  const perX = dt / jx;
  const perY = dt / jy;
  const perZ = dt / jz;
  const plus = f.model === 'CF2P';
  const racer = f.model === 'RACE';
  const halfDt = 0.5 * dt;
  const yaw = (f.model === 'RACE' ? -f.km : f.km) * (-w0 * w0 + w1 * w1 - w2 * w2 + w3 * w3);
  const { rotors } = f;
  let px = s[at]!;
  let py = s[at + 1]!;
  let pz = s[at + 2]!;
  let qx = s[at + 3]!;
  let qy = s[at + 4]!;
  let qz = s[at + 5]!;
  let qw = s[at + 6]!;
  let vx = s[at + 7]!;
  let vy = s[at + 8]!;
  let vz = s[at + 9]!;
  let p = s[at + 10]!;
  let q = s[at + 11]!;
  let r = s[at + 12]!;
  let spinX = 0;
  let spinY = 0;
  let spinZ = 0;
  for (let n = 0; n < steps; n++) {
    // the third column of the rotation matrix; quaternions keep length 1 to rounding
    const r02 = 2 * (qx * qz + qw * qy);
    const r12 = 2 * (qy * qz - qw * qx);
    const r22 = 1 - 2 * (qx * qx + qy * qy);
    let f0 = k0;
    let f1 = k1;
    let f2 = k2;
    let f3 = k3;
    if (air.ground && r22 > 0) {
      // r22 > 0: roll and pitch below 90 degrees
      const r20 = 2 * (qx * qz - qw * qy);
      const r21 = 2 * (qy * qz + qw * qx);
      f0 += groundLift(f, w0 * w0, pz + r20 * rotors[0]![0] + r21 * rotors[0]![1]);
      f1 += groundLift(f, w1 * w1, pz + r20 * rotors[1]![0] + r21 * rotors[1]![1]);
      f2 += groundLift(f, w2 * w2, pz + r20 * rotors[2]![0] + r21 * rotors[2]![1]);
      f3 += groundLift(f, w3 * w3, pz + r20 * rotors[3]![0] + r21 * rotors[3]![1]);
    }
    const lift = f0 + f1 + f2 + f3 + push;
    let fx = r02 * lift;
    let fy = r12 * lift;
    let fz = r22 * lift - weight;
    if (air.drag) {
      const turning = n === 0 ? rotorSum(s, at + RPM) : RPM_TO_RAD * (w0 + w1 + w2 + w3);
      fx -= f.drag[0] * turning * (vx - air.wind[0]);
      fy -= f.drag[0] * turning * (vy - air.wind[1]);
      fz -= f.drag[1] * turning * (vz - air.wind[2]);
    }
    let tx: number;
    let ty: number;
    if (plus) {
      tx = (f1 - f3) * f.arm;
      ty = (f2 - f0) * f.arm;
    } else {
      tx = (racer ? f0 + f1 - f2 - f3 : f2 + f3 - f0 - f1) * side;
      ty = (f1 + f2 - f0 - f3) * side;
    }
    tx -= (jz - jy) * q * r;
    ty -= (jx - jz) * r * p;
    const tz = yaw - (jy - jx) * p * q;
    vx += perMass * fx;
    vy += perMass * fy;
    vz += perMass * fz;
    p += perX * tx;
    q += perY * ty;
    r += perZ * tz;
    px += dt * vx;
    py += dt * vy;
    pz += dt * vz;
    if (n === steps - 1) {
      spinX = (1 - 2 * (qy * qy + qz * qz)) * p + 2 * (qx * qy - qw * qz) * q + r02 * r;
      spinY = 2 * (qx * qy + qw * qz) * p + (1 - 2 * (qx * qx + qz * qz)) * q + r12 * r;
      spinZ = 2 * (qx * qz - qw * qy) * p + 2 * (qy * qz + qw * qx) * q + r22 * r;
    }
    // cos(half) and sin(half) / rate of the half angle turned in this step
    const square = (p * p + q * q + r * r) * halfDt * halfDt;
    let c2: number;
    let s2: number;
    if (square < SMALL) {
      c2 = cosOfSquare(square);
      s2 = halfDt * sincOfSquare(square);
    } else {
      const half = sqrt(square);
      c2 = cos(half);
      s2 = (halfDt * sin(half)) / half;
    }
    const a = s2 * p;
    const b = s2 * q;
    const d = s2 * r;
    const nx = c2 * qx + qw * a + qy * d - qz * b;
    const ny = c2 * qy + qw * b + qz * a - qx * d;
    const nz = c2 * qz + qw * d + qx * b - qy * a;
    qw = c2 * qw - qx * a - qy * b - qz * d;
    qx = nx;
    qy = ny;
    qz = nz;
  }
  s[at] = px;
  s[at + 1] = py;
  s[at + 2] = pz;
  s[at + 3] = qx;
  s[at + 4] = qy;
  s[at + 5] = qz;
  s[at + 6] = qw;
  s[at + 7] = vx;
  s[at + 8] = vy;
  s[at + 9] = vz;
  s[at + 10] = p;
  s[at + 11] = q;
  s[at + 12] = r;
  s[at + 13] = spinX;
  s[at + 14] = spinY;
  s[at + 15] = spinZ;
  s[at + 16] = w0;
  s[at + 17] = w1;
  s[at + 18] = w2;
  s[at + 19] = w3;
}

/** Rotation matrix of the quaternion x, y, z, w at `at`, row-major, to nine numbers. */
export function rotation(s: ArrayLike<number>, at: number, out: Float64Array): void {
  const x = s[at]!;
  const y = s[at + 1]!;
  const z = s[at + 2]!;
  const w = s[at + 3]!;
  const scale = 2 / (x * x + y * y + z * z + w * w);
  out[0] = 1 - scale * (y * y + z * z);
  out[1] = scale * (x * y - w * z);
  out[2] = scale * (x * z + w * y);
  out[3] = scale * (x * y + w * z);
  out[4] = 1 - scale * (x * x + z * z);
  out[5] = scale * (y * z - w * x);
  out[6] = scale * (x * z - w * y);
  out[7] = scale * (y * z + w * x);
  out[8] = 1 - scale * (x * x + y * y);
}

/** Roll, pitch, yaw (rotations about x, then y, then z of the world) of the quaternion at `at`; near the poles roll is 0. */
export function angles(s: ArrayLike<number>, at: number, out: Float64Array | Float32Array, o: number): void {
  const x = s[at]!;
  const y = s[at + 1]!;
  const z = s[at + 2]!;
  const w = s[at + 3]!;
  const up = -2 * (x * z - w * y);
  if (up >= 0.99999 || up <= -0.99999) {
    out[o] = 0;
    out[o + 1] = up > 0 ? 0.5 * Math.PI : -0.5 * Math.PI;
    out[o + 2] = up > 0 ? 2 * atan2(-x, y) : 2 * atan2(x, -y);
    return;
  }
  out[o] = atan2(2 * (y * z + w * x), w * w - x * x - y * y + z * z);
  out[o + 1] = atan2(up, sqrt((1 - up) * (1 + up)));
  out[o + 2] = atan2(2 * (x * y + w * z), w * w + x * x - y * y - z * z);
}

/** The quaternion of roll, pitch, yaw, to four numbers from `o`. */
export function setAttitude(roll: number, pitch: number, yaw: number, out: Float64Array, o: number): void {
  const cr = cos(roll / 2);
  const sr = sin(roll / 2);
  const cp = cos(pitch / 2);
  const sp = sin(pitch / 2);
  const cy = cos(yaw / 2);
  const sy = sin(yaw / 2);
  out[o] = sr * cp * cy - cr * sp * sy;
  out[o + 1] = cr * sp * cy + sr * cp * sy;
  out[o + 2] = cr * cp * sy - sr * sp * cy;
  out[o + 3] = cr * cp * cy + sr * sp * sy;
}
