/**
 * The position and attitude controller of gym-pybullet-drones for Crazyflies (CF2X, CF2P): from where a drone is and shall be to
 * four motor speeds. Memory of a drone (9 floats): integral of the position error, integral of the attitude error, last roll, pitch, yaw.
 * Source: `utiasDSL/gym-pybullet-drones` at 90b178a `control/DSLPIDControl.py`.
 */
import { atan2, cos, sin, sqrt } from '#math/functions.ts';
import type { Airframe } from './airframe.ts';
import { angles, POS, QUAT, rotation, VEL } from './body.ts';

export const PID_MEMORY = 9;
const SCALE = 0.2685; // rpm per pwm
const OFFSET = 4070.3; // rpm
const LOW = 20000; // pwm
const HIGH = 65535;
const TORQUE = 3200; // pwm

/** Rows: motors; columns: roll, pitch, yaw. */
const MIXER = {
  CF2X: [-0.5, -0.5, -1, -0.5, 0.5, 1, 0.5, 0.5, -1, 0.5, -0.5, 1],
  CF2P: [0, -1, -1, 1, 0, 1, 0, 1, -1, -1, 0, 1],
} as const;

export interface Target {
  x: number;
  y: number;
  z: number; // m
  yaw: number; // rad
  vx: number;
  vy: number;
  vz: number; // m/s
  rollRate: number;
  pitchRate: number;
  yawRate: number; // rad/s, of the Euler angles
}

export function target(): Target {
  return { x: 0, y: 0, z: 0, yaw: 0, vx: 0, vy: 0, vz: 0, rollRate: 0, pitchRate: 0, yawRate: 0 };
}

const clip = (x: number, limit: number) => Math.min(limit, Math.max(-limit, x));

export class DslPid {
  /** Difference of wanted and present yaw in the last call, each in the angles of its own convention, as the reference reports it. */
  yawError = 0;
  private readonly frame: Airframe;
  private readonly dt: number;
  private readonly mixer: readonly number[];
  private readonly now = new Float64Array(9); // rotation
  private readonly rpy = new Float64Array(3);
  private readonly torque = new Float64Array(3);

  /** Throws for the racer, which has no such controller. `dt`: s between calls. */
  constructor(frame: Airframe, dt: number) {
    if (frame.model === 'RACE') throw new Error('the DSL controller flies CF2X and CF2P');
    this.frame = frame;
    this.dt = dt;
    this.mixer = MIXER[frame.model];
  }

  /** One call: drone floats `s` at `at` (body.ts), memory `m` at `k`, rpm to `out` at `o`. */
  control(s: ArrayLike<number>, at: number, m: Float64Array, k: number, to: Target, out: Float64Array, o: number): void {
    const { now, rpy, torque, dt, frame } = this;
    rotation(s, at + QUAT, now);
    const ex = to.x - s[at + POS]!;
    const ey = to.y - s[at + POS + 1]!;
    const ez = to.z - s[at + POS + 2]!;
    m[k] = clip(m[k]! + ex * dt, 2);
    m[k + 1] = clip(m[k + 1]! + ey * dt, 2);
    m[k + 2] = clip(m[k + 2]! + ez * dt, 0.15);
    const fx = 0.4 * ex + 0.05 * m[k]! + 0.2 * (to.vx - s[at + VEL]!);
    const fy = 0.4 * ey + 0.05 * m[k + 1]! + 0.2 * (to.vy - s[at + VEL + 1]!);
    const fz = 1.25 * ez + 0.05 * m[k + 2]! + 0.5 * (to.vz - s[at + VEL + 2]!) + frame.weight;
    const along = Math.max(0, fx * now[2]! + fy * now[5]! + fz * now[8]!);
    const base = (sqrt(along / (4 * frame.kf)) - OFFSET) / SCALE;
    // wanted attitude: z along the force, x towards the wanted yaw
    const length = sqrt(fx * fx + fy * fy + fz * fz);
    const zx = fx / length;
    const zy = fy / length;
    const zz = fz / length;
    const cx = cos(to.yaw);
    const cy = sin(to.yaw);
    let yx = -zz * cy;
    let yy = zz * cx;
    let yz = zx * cy - zy * cx;
    const side = sqrt(yx * yx + yy * yy + yz * yz);
    yx /= side;
    yy /= side;
    yz /= side;
    const xx = yy * zz - yz * zy;
    const xy = yz * zx - yx * zz;
    const xz = yx * zy - yy * zx;
    // vee of (wanted^T now - now^T wanted)
    const n = now as unknown as readonly number[];
    const e0 = zx * n[1]! + zy * n[4]! + zz * n[7]! - (yx * n[2]! + yy * n[5]! + yz * n[8]!);
    const e1 = xx * n[2]! + xy * n[5]! + xz * n[8]! - (zx * n[0]! + zy * n[3]! + zz * n[6]!);
    const e2 = yx * n[0]! + yy * n[3]! + yz * n[6]! - (xx * n[1]! + xy * n[4]! + xz * n[7]!);
    angles(s, at + QUAT, rpy, 0);
    m[k + 3] = clip(clip(m[k + 3]! - e0 * dt, 1500), 1);
    m[k + 4] = clip(clip(m[k + 4]! - e1 * dt, 1500), 1);
    m[k + 5] = clip(m[k + 5]! - e2 * dt, 1500);
    for (let i = 0; i < 3; i++) {
      const wanted = i === 0 ? to.rollRate : i === 1 ? to.pitchRate : to.yawRate;
      const rate = wanted - (rpy[i]! - m[k + 6 + i]!) / dt;
      const error = i === 0 ? e0 : i === 1 ? e1 : e2;
      const gains = i === 2 ? 60000 : 70000;
      torque[i] = clip(-gains * error + (i === 2 ? 12000 : 20000) * rate + (i === 2 ? 500 * m[k + 5]! : 0), TORQUE);
      m[k + 6 + i] = rpy[i]!;
    }
    for (let i = 0; i < 4; i++) {
      const turn = this.mixer[3 * i]! * torque[0]! + this.mixer[3 * i + 1]! * torque[1]! + this.mixer[3 * i + 2]! * torque[2]!;
      out[o + i] = SCALE * Math.min(HIGH, Math.max(LOW, base + turn)) + OFFSET;
    }
    this.yawError = atan2(-yx, xx) - rpy[2]!;
  }
}
