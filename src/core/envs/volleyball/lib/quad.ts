/**
 * One control step of a racket drone: command to rotors, rotors to force and torque, rigid body in small steps.
 * Floats of a drone: position 3, quaternion x y z w, velocity 3 (world), rates 3 (body, rad/s), throttles 4, then the rate
 * controller's memory: integrals 3 (deg) and last rates 3 (deg/s).
 * Commands (numbers in -1..1): prt, four rotors; ctbr, three body rates (1 = 144 deg/s) and the collective thrust, through the rate
 * controller of VolleyBots; velocity, three speeds in world axes (1 = `topSpeed`), through wanted tilt and the same rate controller.
 * Source: VolleyBots `controllers/lee_position_controller.py` (PIDRateController), `actuators/rotor_group.py`; the velocity loop is ours.
 */
import { cos, sin, sqrt } from '#math/functions.ts';
import type { Vector } from '../../api/vectors.ts';
import { type Airframe, nextThrottle } from './airframes.ts';

export const QUAD = 23;
export const POS = 0;
export const QUAT = 3;
export const VEL = 7;
export const RATES = 10;
export const THROTTLE = 13;
export const INTEGRAL = 17;
export const LAST = 20;

export const COMMANDS = ['ctbr', 'prt', 'velocity'] as const;
export type Command = (typeof COMMANDS)[number];

const KP = [250, 250, 120] as const;
const KI = [500, 500, 16.7] as const;
const KD = [2.5, 2.5, 0] as const;
const INTEGRAL_LIMIT = [33.3, 33.3, 166.7] as const;
const OUTPUT_LIMIT = 32767;
const FULL = 65536; // thrust of a rotor in the controller's units
const DEG = 180 / Math.PI;
export const TOP_RATE = 144; // deg/s: 180 times the target clip 0.8
const SPEED_GAIN = 4; // 1/s, of the velocity loop
const TILT_GAIN = 8; // 1/s
const MOST = 8; // m/s^2 sideways or up that the velocity loop asks for

/** Collective thrust and torques of the next physics steps, one drone. */
export interface Wrench {
  lift: number; // N
  tx: number; // Nm
  ty: number;
  tz: number;
}

export class Pilotage {
  private readonly frame: Airframe;
  private readonly command: Command;
  private readonly dt: number;
  private readonly gravity: number;
  private readonly topSpeed: number;
  private readonly rates = new Float64Array(3); // deg/s wanted
  private readonly commands = new Float64Array(4);

  constructor(frame: Airframe, command: Command, dt: number, gravity: number, topSpeed: number) {
    this.frame = frame;
    this.command = command;
    this.dt = dt;
    this.gravity = gravity;
    this.topSpeed = topSpeed;
  }

  get numbers(): number {
    return this.command === 'velocity' ? 3 : 4;
  }

  /** Reads the action at `a[i]`, moves the throttles of the drone at `at`, writes its wrench. `side` -1: the drone sees the court turned by 180 degrees. */
  apply(s: Float64Array, at: number, a: ArrayLike<number>, i: number, side: number, out: Wrench): void {
    if (this.command === 'prt') this.rotors(s, at, a, i, out);
    else {
      let thrust: number; // 0..1 of the full one
      if (this.command === 'ctbr') {
        for (let k = 0; k < 3; k++) this.rates[k] = TOP_RATE * Math.min(1, Math.max(-1, a[i + k]!));
        thrust = 0.5 * (Math.min(1, Math.max(-1, a[i + 3]!)) + 1);
      } else thrust = this.fly(s, at, a, i, side);
      this.control(s, at, thrust, out);
    }
  }

  /** Wanted rates and thrust for a wanted velocity; keeps the heading the drone has on its side. */
  private fly(s: Float64Array, at: number, a: ArrayLike<number>, i: number, side: number): number {
    const ax = this.pull(side * a[i]!, s[at + VEL]!);
    const ay = this.pull(side * a[i + 1]!, s[at + VEL + 1]!);
    const az = this.pull(a[i + 2]!, s[at + VEL + 2]!) + this.gravity;
    const x = s[at + QUAT]!;
    const y = s[at + QUAT + 1]!;
    const z = s[at + QUAT + 2]!;
    const w = s[at + QUAT + 3]!;
    const length = sqrt(ax * ax + ay * ay + az * az);
    // the wanted up axis in the body's axes, and the body's x axis in the world's
    const bx = ((1 - 2 * (y * y + z * z)) * ax + 2 * (x * y + w * z) * ay + 2 * (x * z - w * y) * az) / length;
    const by = (2 * (x * y - w * z) * ax + (1 - 2 * (x * x + z * z)) * ay + 2 * (y * z + w * x) * az) / length;
    const up = (2 * (x * z + w * y) * ax + 2 * (y * z - w * x) * ay + (1 - 2 * (x * x + y * y)) * az) / length;
    const off = 2 * (x * y + w * z) * side; // sine of the heading error
    this.rates[0] = -TILT_GAIN * DEG * by;
    this.rates[1] = TILT_GAIN * DEG * bx;
    this.rates[2] = -2 * DEG * off;
    for (let k = 0; k < 3; k++) this.rates[k] = Math.min(2 * TOP_RATE, Math.max(-2 * TOP_RATE, this.rates[k]!));
    return Math.min(1, Math.max(0, (this.frame.mass * length * Math.max(0.3, up)) / (4 * this.frame.fullThrust)));
  }

  /** Acceleration towards a wanted speed (1 = `topSpeed`), m/s^2. */
  private pull(wanted: number, speed: number): number {
    const error = Math.min(1, Math.max(-1, wanted)) * this.topSpeed - speed;
    return Math.min(MOST, Math.max(-MOST, SPEED_GAIN * error));
  }

  /** The rate controller: wanted rates to rotor commands. */
  private control(s: Float64Array, at: number, thrust: number, out: Wrench): void {
    const { frame: f, dt, rates } = this;
    let roll = 0;
    let pitch = 0;
    let yaw = 0;
    for (let k = 0; k < 3; k++) {
      const rate = s[at + RATES + k]! * DEG;
      const error = rates[k]! - rate;
      const limit = INTEGRAL_LIMIT[k]!;
      const sum = Math.min(limit, Math.max(-limit, s[at + INTEGRAL + k]! + error * dt));
      const slope = (rate - s[at + LAST + k]!) / dt;
      s[at + INTEGRAL + k] = sum;
      s[at + LAST + k] = rate;
      const raw = error * KP[k]! - slope * KD[k]! + sum * KI[k]!;
      const output = Math.min(OUTPUT_LIMIT, Math.max(-OUTPUT_LIMIT, raw));
      if (k === 0) roll = output / 2;
      else if (k === 1) pitch = output / 2;
      else yaw = output;
    }
    for (let n = 0; n < 4; n++) {
      const turn = Math.sign(f.y[n]!) * roll - Math.sign(f.x[n]!) * pitch - f.directions[n]! * yaw;
      this.commands[n] = (2 * (thrust * FULL + turn)) / FULL - 1;
    }
    this.rotors(s, at, this.commands, 0, out);
  }

  private rotors(s: Float64Array, at: number, commands: ArrayLike<number>, i: number, out: Wrench): void {
    const f = this.frame;
    out.lift = 0;
    out.tx = 0;
    out.ty = 0;
    out.tz = 0;
    for (let n = 0; n < 4; n++) {
      const throttle = nextThrottle(s[at + THROTTLE + n]!, commands[i + n]!);
      s[at + THROTTLE + n] = throttle;
      const thrust = throttle * throttle * f.fullThrust;
      out.lift += thrust;
      out.tx += f.y[n]! * thrust;
      out.ty -= f.x[n]! * thrust;
      out.tz -= f.directions[n]! * throttle * throttle * f.fullMoment;
    }
  }
}

/** One physics step of `dt` s under a wrench: speeds and rates first, then place, then an exact rotation. */
export function moveQuad(
  s: Float64Array,
  at: number,
  f: Airframe,
  w: Wrench,
  gravity: number,
  wind: Vector,
  drag: number,
  dt: number,
): void {
  const qx = s[at + QUAT]!;
  const qy = s[at + QUAT + 1]!;
  const qz = s[at + QUAT + 2]!;
  const qw = s[at + QUAT + 3]!;
  const a = w.lift / f.mass;
  const loss = drag / f.mass;
  const vx = s[at + VEL]!;
  const vy = s[at + VEL + 1]!;
  const vz = s[at + VEL + 2]!;
  s[at + VEL] = vx + dt * (2 * (qx * qz + qw * qy) * a - loss * (vx - wind.x));
  s[at + VEL + 1] = vy + dt * (2 * (qy * qz - qw * qx) * a - loss * (vy - wind.y));
  s[at + VEL + 2] = vz + dt * ((1 - 2 * (qx * qx + qy * qy)) * a - gravity - loss * (vz - wind.z));
  const [jx, jy, jz] = f.inertia;
  const p = s[at + RATES]!;
  const q = s[at + RATES + 1]!;
  const r = s[at + RATES + 2]!;
  const p2 = p + (dt * (w.tx - (jz - jy) * q * r)) / jx;
  const q2 = q + (dt * (w.ty - (jx - jz) * r * p)) / jy;
  const r2 = r + (dt * (w.tz - (jy - jx) * p * q)) / jz;
  s[at + RATES] = p2;
  s[at + RATES + 1] = q2;
  s[at + RATES + 2] = r2;
  for (let k = 0; k < 3; k++) s[at + POS + k] = s[at + POS + k]! + dt * s[at + VEL + k]!;
  const rate = sqrt(p2 * p2 + q2 * q2 + r2 * r2);
  if (rate < 1e-9) return;
  const half = 0.5 * rate * dt;
  const c = cos(half);
  const h = sin(half) / rate;
  const b = h * p2;
  const d = h * q2;
  const e = h * r2;
  const nx = c * qx + qw * b + qy * e - qz * d;
  const ny = c * qy + qw * d + qz * b - qx * e;
  const nz = c * qz + qw * e + qx * d - qy * b;
  const nw = c * qw - qx * b - qy * d - qz * e;
  const length = sqrt(nx * nx + ny * ny + nz * nz + nw * nw);
  s[at + QUAT] = nx / length;
  s[at + QUAT + 1] = ny / length;
  s[at + QUAT + 2] = nz / length;
  s[at + QUAT + 3] = nw / length;
}
