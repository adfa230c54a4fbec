/**
 * What T steps of B copies left behind for one network, time-major: [T, R, ...] with R = B x M rows, M its agents. Observations are
 * kept as the network saw them. `weights` are 1 where the agent was alive and could act, `counted` where its value matters.
 */
import type { SharedNetwork } from '../sharing.ts';
import type { CriticView } from './critic-view.ts';

/** What a critic learns from. */
export interface ValueTrack {
  readonly steps: number; // T
  readonly rows: number; // R
  readonly critic: Float32Array; // [T, R, width]; empty where the critic reads obs
  readonly values: Float32Array; // [T, R] in units of the reward
  readonly outputs: Float32Array; // [T, R] the critic's own numbers, which ValueNorm scales to values
  readonly rewards: Float32Array; // [T, R] mixed
  readonly terminated: Uint8Array; // [T, R]
  readonly truncated: Uint8Array; // [T, R]
  readonly counted: Float32Array; // [T, R]
  readonly finalValues: Float32Array; // [T, R] where truncated
  readonly lastValues: Float32Array; // [R]
  readonly advantages: Float32Array; // [T, R]
  readonly targets: Float32Array; // [T, R] in units of the reward
  readonly goals: Float32Array; // [T, R] the same in the critic's own numbers
}

/** And an actor. */
export interface Rollout extends ValueTrack {
  readonly obs: Float32Array; // [T, R, inputs]
  readonly masks: Float32Array; // [T, R, choices]; empty without masks
  readonly actions: Float32Array; // [T, R, D] as drawn, before any clipping
  readonly logProbs: Float32Array; // [T, R]
  readonly weights: Float32Array; // [T, R]
}

export function createTrack(steps: number, rows: number, view: CriticView | null): ValueTrack {
  const numbers = (): Float32Array => new Float32Array(steps * rows);
  return {
    steps,
    rows,
    critic: new Float32Array(view === null || view.own ? 0 : steps * rows * view.width),
    values: numbers(),
    outputs: numbers(),
    rewards: numbers(),
    terminated: new Uint8Array(steps * rows),
    truncated: new Uint8Array(steps * rows),
    counted: numbers(),
    finalValues: numbers(),
    lastValues: new Float32Array(rows),
    advantages: numbers(),
    targets: numbers(),
    goals: numbers(),
  };
}

export function createRollout(steps: number, batch: number, network: SharedNetwork, view: CriticView | null, masked: boolean): Rollout {
  const rows = batch * network.agents.length;
  const numbers = (width = 1): Float32Array => new Float32Array(steps * rows * width);
  return {
    ...createTrack(steps, rows, view),
    obs: numbers(network.inputs),
    masks: numbers(masked ? network.choices : 0),
    actions: numbers(network.actionWidth),
    logProbs: numbers(),
    weights: numbers(),
  };
}
