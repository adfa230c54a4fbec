/** What a racket-drone environment adds to the hall: places, rules, rewards, observations and the frame. */
import type { BodyPart, Fixture } from '#contract/game/frames.ts';
import type { Draws } from '../../api/draws.ts';
import type { StateRows } from '../../api/state.ts';
import type { StateField } from '../../api/types.ts';
import type { Airframe } from './airframes.ts';
import type { HallConfig } from './config.ts';
import { POS, QUAT, RATES, THROTTLE, VEL } from './quad.ts';

export interface Hall {
  readonly config: HallConfig;
  readonly frame: Airframe;
  readonly floats: Float64Array;
  readonly words: Uint32Array;
  readonly rows: StateRows;
  readonly draws: Draws;
  /** Index of the floats of a drone (quad.ts) and of the ball (ball.ts). */
  at(row: number, drone: number): number;
  ballAt(row: number): number;
  /** Puts a drone near a place, hovering, heading 0 or half a turn (any other yaw). */
  put(row: number, drone: number, x: number, y: number, z: number, yaw: number): void;
  putBall(row: number, x: number, y: number, z: number): void;
  /** Control steps done. */
  steps(row: number): number;
}

export interface Game {
  readonly drones: number;
  readonly ball: boolean;
  /** 1, or -1 for a drone that sees the court turned by half a turn. */
  sideOf(k: number): number;
  /** Names of all observed numbers. */
  readonly labels: readonly string[];
  readonly fields: readonly StateField[];
  readonly parts: readonly BodyPart[];
  readonly fixtures: readonly Fixture[];
  readonly bounds: readonly [number, number, number, number, number, number];
  readonly extra: readonly string[];
  readonly names: readonly string[];
  /** Palette index of each drone. */
  colourOf(k: number): number;
  bind(hall: Hall): BoundGame;
}

export interface BoundGame {
  start(row: number): void;
  /** After the physics, the step counted; touches per drone (ball.ts); rewards are 0 before. 0 goes on, 1 terminated, 2 truncated. */
  judge(row: number, touches: Uint8Array, rewards: Float64Array): 0 | 1 | 2;
  observe(row: number, k: number, out: Float32Array, at: number): void;
  /** Writes the game's own parts from `at`, seven numbers each. */
  frame?(row: number, out: Float32Array, at: number): void;
  extra?(row: number, out: Float32Array, at: number): void;
}

export const OWN_LABELS = [
  ...['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz', 'vx', 'vy', 'vz', 'rate x', 'rate y', 'rate z'],
  ...['heading x', 'heading y', 'heading z', 'up x', 'up y', 'up z', 'throttle 1', 'throttle 2', 'throttle 3', 'throttle 4'],
];
export const OWN = OWN_LABELS.length;

export const vector = (name: string): readonly string[] => [`${name} x`, `${name} y`, `${name} z`];

/** The 23 numbers of a drone's own state, in its view of the court: place, quaternion w x y z with w >= 0, velocity, turning rate (world), heading, up, throttles. */
export function writeOwn(hall: Hall, row: number, k: number, side: number, out: Float32Array, o: number): void {
  const s = hall.floats;
  const at = hall.at(row, k);
  let x = s[at + QUAT]!;
  let y = s[at + QUAT + 1]!;
  let z = s[at + QUAT + 2]!;
  let w = s[at + QUAT + 3]!;
  const p = s[at + RATES]!;
  const q = s[at + RATES + 1]!;
  const r = s[at + RATES + 2]!;
  if (side < 0) {
    // half a turn about z, then the attitude
    const before = w;
    w = -z;
    z = before;
    const old = x;
    x = -y;
    y = old;
  }
  if (w < 0) {
    w = -w;
    x = -x;
    y = -y;
    z = -z;
  }
  const r00 = 1 - 2 * (y * y + z * z);
  const r01 = 2 * (x * y - w * z);
  const r02 = 2 * (x * z + w * y);
  const r10 = 2 * (x * y + w * z);
  const r11 = 1 - 2 * (x * x + z * z);
  const r12 = 2 * (y * z - w * x);
  const r20 = 2 * (x * z - w * y);
  const r21 = 2 * (y * z + w * x);
  const r22 = 1 - 2 * (x * x + y * y);
  out[o] = side * s[at + POS]!;
  out[o + 1] = side * s[at + POS + 1]!;
  out[o + 2] = s[at + POS + 2]!;
  out[o + 3] = w;
  out[o + 4] = x;
  out[o + 5] = y;
  out[o + 6] = z;
  out[o + 7] = side * s[at + VEL]!;
  out[o + 8] = side * s[at + VEL + 1]!;
  out[o + 9] = s[at + VEL + 2]!;
  out[o + 10] = r00 * p + r01 * q + r02 * r;
  out[o + 11] = r10 * p + r11 * q + r12 * r;
  out[o + 12] = r20 * p + r21 * q + r22 * r;
  out[o + 13] = r00;
  out[o + 14] = r10;
  out[o + 15] = r20;
  out[o + 16] = r02;
  out[o + 17] = r12;
  out[o + 18] = r22;
  for (let i = 0; i < 4; i++) out[o + 19 + i] = 2 * s[at + THROTTLE + i]! - 1;
}

/** Writes (a - b) in the view of `side`: a, b are indices into `floats`. */
export function writeBetween(floats: Float64Array, a: number, b: number, side: number, out: Float32Array, o: number): void {
  out[o] = side * (floats[a]! - floats[b]!);
  out[o + 1] = side * (floats[a + 1]! - floats[b + 1]!);
  out[o + 2] = floats[a + 2]! - floats[b + 2]!;
}

/** Writes a vector in the view of `side`. */
export function writeVector(x: number, y: number, z: number, side: number, out: Float32Array, o: number): void {
  out[o] = side * x;
  out[o + 1] = side * y;
  out[o + 2] = z;
}

/** Distance of the points at a and b of `floats`. */
export function distance(floats: Float64Array, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) sum += (floats[a + i]! - floats[b + i]!) ** 2;
  return Math.sqrt(sum);
}
