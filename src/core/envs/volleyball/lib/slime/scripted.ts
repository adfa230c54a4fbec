/**
 * Ways to play SlimeVolley without learning, all from the twelve observed numbers (own side positive, divided by 10):
 * the scripted player foresees where the ball comes down and stands a little behind that place, and jumps into balls within reach;
 * the published player is a recurrent net of 7 outputs whose numbers come from outside (they are not part of this project).
 */

import type { ScriptedPolicy } from '#core/envs/api/types.ts';
import { sqrt, tanh } from '#math/functions.ts';
import { BACKWARD, BALL, DT, FORWARD, GROUND, HALF, JUMP, NET, type Physics, PLAYER } from './game.ts';

const HOME = 10; // waits here while the ball is on the other side
const CATCH = GROUND + 2.2; // height at which it wants to meet the ball
const BEHIND = 0.55; // stands this much farther from the net than the ball will be

/** Where the ball will be at catching height, own side positive: a parabola, reflected by the walls and by a net it does not clear. */
function foresee(o: Float32Array | Float64Array, at: number, p: Physics): number {
  const x = o[at + 4]! * 10;
  const above = o[at + 5]! * 10 - CATCH;
  const vx = o[at + 6]! * 10;
  const vy = o[at + 7]! * 10;
  const square = vy * vy + 2 * p.gravity * above;
  const time = square > 0 ? (vy + sqrt(square)) / p.gravity : 0; // s; below that height for good: now
  let end = x + vx * Math.max(0, time);
  const crossing = vx === 0 ? -1 : -x / vx; // s until it is above the net
  if (crossing > 0 && crossing < time) {
    const height = above + CATCH + vy * crossing - 0.5 * p.gravity * crossing * crossing;
    if (height < p.netHeight + NET + BALL) end = -end;
  }
  const wall = HALF - BALL;
  if (end > wall) end = 2 * wall - end;
  if (end < -wall) end = -2 * wall - end;
  return end;
}

/** Buttons of the scripted player, as bits. */
export function scriptedButtons(o: Float32Array | Float64Array, at: number, p: Physics): number {
  const x = o[at]! * 10;
  const ballX = o[at + 4]! * 10;
  const ballY = o[at + 5]! * 10;
  const falls = foresee(o, at, p);
  const wanted = falls > 0 ? falls + BEHIND : HOME;
  const step = p.speed * DT;
  const walk = x > wanted + step / 2 ? FORWARD : x < wanted - step / 2 ? BACKWARD : 0;
  const near = ballX > 0 && Math.abs(ballX - x) < PLAYER + BALL + 0.6 && ballY < GROUND + 4.2 && ballX < x + 0.4;
  return walk | (near ? JUMP : 0);
}

/** Bits to actions: a number of the discrete set, or three buttons. */
export const ACTION_OF_BITS = Int32Array.of(0, 1, 5, 0, 3, 2, 4, 3);

export type Buttons = (obs: Float32Array | Float64Array, at: number, slot: number) => number;

/** A policy that gives every agent of every row its buttons. */
export function buttonPolicy(buttons: Buttons): ScriptedPolicy {
  return {
    act(env, buffers, out) {
      const { agentCount, obsSize, actionSize } = env.meta;
      for (let slot = 0; slot < env.batch * agentCount; slot++) {
        const bits = buttons(buffers.obs, slot * obsSize, slot);
        if (actionSize === 1) out[slot] = ACTION_OF_BITS[bits]!;
        else for (let k = 0; k < 3; k++) out[slot * 3 + k] = (bits >> k) & 1;
      }
    },
  };
}

/** Numbers of its memory. */
export const OUTPUTS = 7;
const fresh = new Float64Array(OUTPUTS);
const GAME_INPUTS = 8;

/** Numbers of the published player: rows of 15 weights, 7 biases. */
export interface RecurrentNet {
  readonly weights: readonly (readonly number[])[];
  readonly biases: readonly number[];
}

/** One step of the net: inputs are the first eight observed numbers and its own previous outputs from `from` on, which it overwrites. */
export function recurrentStep(net: RecurrentNet, obs: ArrayLike<number>, at: number, memory: Float64Array, from = 0): void {
  for (let i = 0; i < OUTPUTS; i++) {
    const row = net.weights[i] as readonly number[];
    let sum = net.biases[i]!;
    for (let k = 0; k < GAME_INPUTS; k++) sum += row[k]! * obs[at + k]!;
    for (let k = 0; k < OUTPUTS; k++) sum += row[GAME_INPUTS + k]! * memory[from + k]!;
    fresh[i] = tanh(sum);
  }
  memory.set(fresh, from);
}

/** Buttons from outputs: on above 0.75. */
export function recurrentButtons(memory: Float64Array, from = 0): number {
  const on = (k: number, button: number): number => (memory[from + k]! > 0.75 ? button : 0);
  return on(0, FORWARD) | on(1, BACKWARD) | on(2, JUMP);
}

/** Plays the published net for every agent; each keeps its memory over episodes, as in the reference. */
export function recurrentPolicy(net: RecurrentNet): ScriptedPolicy {
  const memories = new Map<number, Float64Array>();
  return buttonPolicy((obs, at, slot) => {
    let memory = memories.get(slot);
    if (memory === undefined) {
      memory = new Float64Array(OUTPUTS);
      memories.set(slot, memory);
    }
    recurrentStep(net, obs, at, memory);
    return recurrentButtons(memory);
  });
}
