/**
 * Experts for both mountain cars: they try plans in the known dynamics and begin the best one, at every step anew. A plan of the
 * discrete car: push one way for k steps, then always the way it rolls, which gains the most energy. A plan of the continuous car:
 * one strength, always the way it rolls.
 */
import { cos } from '#math/functions.ts';
import { numberOf } from '../../api/checks.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import { MAX_POSITION, MAX_SPEED, MIN_POSITION } from './hill.ts';

export interface Valley {
  /** What full force adds to the speed in a step. */
  readonly force: number;
  readonly gravity: number;
  readonly goal: number;
  readonly maxSteps: number;
}

const LONGEST_PUSH = 50;
const STRENGTHS = [1, 0.7, 0.5, 0.4, 0.3, 0.25, 0.2, 0.175, 0.15, 0.125, 0.1] as const;

/** Steps to the goal when `first` (-1..1) pushes for k steps and then `strength` the way it rolls; `limit` if it takes as long. */
function stepsTo(v: Valley, x0: number, v0: number, first: number, k: number, strength: number, limit: number): number {
  let x = x0;
  let speed = v0;
  for (let t = 1; t < limit; t++) {
    const push = t <= k ? first : speed >= 0 ? strength : -strength;
    speed = Math.min(MAX_SPEED, Math.max(-MAX_SPEED, speed + push * v.force - v.gravity * cos(3 * x)));
    x = Math.min(MAX_POSITION, Math.max(MIN_POSITION, x + speed));
    if (x === MIN_POSITION && speed < 0) speed = 0;
    if (x >= v.goal && speed >= 0) return t;
  }
  return limit;
}

export function discreteDriver(v: Valley): ScriptedPolicy {
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const x = obs[2 * row]!;
        const speed = obs[2 * row + 1]!;
        let best = stepsTo(v, x, speed, 0, 0, 1, v.maxSteps);
        let push = speed >= 0 ? 1 : -1;
        for (const first of [-1, 1])
          for (let k = 1; k <= LONGEST_PUSH; k += 2) {
            const steps = stepsTo(v, x, speed, first, k, 1, best);
            if (steps >= best) continue;
            best = steps;
            push = first;
          }
        out[row] = push + 1;
      }
    },
  };
}

export function continuousDriver(v: Valley): ScriptedPolicy {
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const x = obs[2 * row]!;
        const speed = obs[2 * row + 1]!;
        const left = v.maxSteps - numberOf(env.meta.state.toJSON(env.save(row)), 'steps');
        let least = Infinity;
        let strength = 1;
        for (const s of STRENGTHS) {
          // a margin, since the environment rounds to float32 and a plan at the very limit may miss it
          const limit = Math.min(Math.max(1, left - 20), Math.ceil(least / (0.1 * s * s)));
          const steps = stepsTo(v, x, speed, 0, 0, s, limit);
          const cost = 0.1 * s * s * steps;
          if (steps === limit || cost >= least) continue;
          least = cost;
          strength = s;
        }
        out[row] = speed >= 0 ? strength : -strength;
      }
    },
  };
}
