/** What the rules of several bodies share: sums, copies, starts, and the locomotion tasks' settings. */

import { weightField } from '../../api/terms.ts';
import type { Actions } from '../../api/types.ts';
import type { Draw } from './task.ts';

type Numbers = { [index: number]: number };

export function copy(from: Numbers, at: number, count: number, to: Numbers, start: number): void {
  for (let i = 0; i < count; i++) to[start + i] = from[at + i]!;
}

/** The same, each cut to -most..most. */
export function copyCut(from: Numbers, at: number, count: number, most: number, to: Numbers, start: number): void {
  for (let i = 0; i < count; i++) to[start + i] = Math.min(most, Math.max(-most, from[at + i]!));
}

/** Sum of squares of an action as it was given: MuJoCo cuts the force only. */
export function squares(actions: Actions | Float64Array, at: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += actions[at + i]! * actions[at + i]!;
  return sum;
}

/** Start positions and speeds, all spread evenly. */
export function spreadStart(noise: number, qpos: Float64Array, qvel: Float64Array, draw: Draw): void {
  for (let i = 0; i < qpos.length; i++) qpos[i] = qpos[i]! + noise * draw.spread();
  for (let i = 0; i < qvel.length; i++) qvel[i] = noise * draw.spread();
}

/** Positions spread evenly, speeds normally. */
export function normalStart(noise: number, qpos: Float64Array, qvel: Float64Array, draw: Draw): void {
  for (let i = 0; i < qpos.length; i++) qpos[i] = qpos[i]! + noise * draw.spread();
  for (let i = 0; i < qvel.length; i++) qvel[i] = noise * draw.normal();
}

export const forwardWeight = (standard: number, source: string) =>
  weightField(standard, { title: 'forward', description: 'Paid per m/s along x.', slider: [0, 5], source });

export const controlWeight = (standard: number, source: string) =>
  weightField(standard, { title: 'control', description: 'Taken off per sum of squared actions.', slider: [0, 10 * standard], source });

export const healthyWeight = (standard: number, source: string) =>
  weightField(standard, { title: 'healthy', description: 'Paid for every step in a healthy state.', slider: [0, 2 * standard], source });

export const FORWARD = { id: 'forward', title: 'forward', weights: ['forwardRewardWeight'] } as const;
export const SURVIVE = { id: 'survive', title: 'healthy', weights: ['healthyReward'] } as const;
export const CONTROL = { id: 'ctrl', title: 'control', weights: ['ctrlCostWeight'] } as const;

export const EXCLUDED = {
  title: 'leave out the position',
  description: 'The position along the way is not observed: a gait does not depend on it.',
} as const;
export const ENDS_UNHEALTHY = {
  title: 'ends when unhealthy',
  description: 'Off: the episode goes on without the reward for health.',
} as const;

/** Names of the contact torques and forces on parts, as MuJoCo’s cfrc_ext lists them. */
export function forceLabels(parts: readonly string[]): string[] {
  return parts.flatMap((part) =>
    ['torque x', 'torque y', 'torque z', 'force x', 'force y', 'force z'].map((what) => `${part}: contact ${what}`),
  );
}
