/** What a drone environment adds to flying: its own state, what a drone sees of it, rewards and ends, and what stands in the scene. */
import type { BodyPart, Fixture } from '#contract/game/frames.ts';
import type { Draws } from '../../api/draws.ts';
import type { StateRows } from '../../api/state.ts';
import type { StateField } from '../../api/types.ts';
import type { Commands } from './actions.ts';
import type { Craft } from './body.ts';
import type { FlightConfig } from './config.ts';

/** The flight a task is bound to. */
export interface Flight {
  readonly config: FlightConfig;
  readonly craft: Craft;
  readonly floats: Float64Array;
  readonly words: Uint32Array;
  readonly draws: Draws;
  readonly rows: StateRows;
  /** Roll, pitch, yaw of every drone of the row that is being judged or observed. */
  readonly rpy: Float64Array; // [N, 3]
  /** Index of the floats of a drone (body.ts). */
  at(row: number, drone: number): number;
  /** Puts a drone at rest to a place, level, heading `yaw`. */
  put(row: number, drone: number, x: number, y: number, z: number, yaw: number): void;
  /** Control steps done. */
  steps(row: number): number;
}

export interface Task {
  /** Names of the numbers a drone observes of the task. */
  readonly labels: readonly string[];
  readonly fields: readonly StateField[];
  /** Fields that a state from outside may leave out. */
  readonly optional?: readonly string[];
  readonly parts: readonly BodyPart[];
  readonly fixtures: readonly Fixture[];
  readonly bounds: readonly [number, number, number, number, number, number];
  readonly extra: readonly string[];
  bind(flight: Flight): BoundTask;
}

export interface BoundTask {
  start?(row: number): void;
  loaded?(row: number): void;
  /** Before an action is carried out: may feed the controller a velocity. */
  command?(row: number, drone: number, commands: Commands): void;
  /** After the physics: one reward per drone; 0 goes on, 1 terminated, 2 truncated. */
  judge(row: number, rewards: Float64Array): 0 | 1 | 2;
  observe?(row: number, drone: number, out: Float32Array, at: number): void;
  /** Writes the task's parts (seven numbers each) from `at`. */
  frame?(row: number, out: Float32Array, at: number): void;
  /** Writes the named numbers of the frame from `at`. */
  extra?(row: number, out: Float32Array, at: number): void;
}

/** Writes a part that does not turn. */
export function putAt(out: Float32Array, at: number, x: number, y: number, z: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = 0;
  out[at + 4] = 0;
  out[at + 5] = 0;
  out[at + 6] = 1;
}
