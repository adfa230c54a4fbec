/** Experts that swing things up and keep them there: acrobot, pendulum, poles on carts. */
import { atan2 } from '#math/functions.ts';
import type { ScriptedPolicy } from '../../api/types.ts';
import type { TwoLinks } from './two-links.ts';

/** Torques that the acrobot's expert may hold first, and for how many steps at most. */
const LONGEST_HOLD = 6;
const HORIZON = 200;

/**
 * The acrobot's expert tries plans in the known dynamics at every step: hold one torque for some steps, then always push against the
 * upper link's speed, which pumps energy into the lower one; it begins the plan that is first above the line.
 */
export function acrobotExpert(model: TwoLinks, torque: number, line: number): ScriptedPolicy {
  const state = new Float64Array(4);
  const stepsTo = (from: Float64Array, first: number, hold: number, limit: number) => {
    state.set(from);
    for (let t = 1; t < limit; t++) {
      const push = t <= hold ? first : state[2]! >= 0 ? -1 : 1;
      model.step(state, 0, push * torque);
      if (model.height(state[0]!, state[1]!) > line) return t;
    }
    return limit;
  };
  const here = new Float64Array(4);
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const o = 6 * row;
        here[0] = atan2(obs[o + 1]!, obs[o]!);
        here[1] = atan2(obs[o + 3]!, obs[o + 2]!);
        here[2] = obs[o + 4]!;
        here[3] = obs[o + 5]!;
        let best = HORIZON;
        let push = here[2]! >= 0 ? -1 : 1;
        for (const first of [-1, 0, 1])
          for (let hold = 1; hold <= LONGEST_HOLD; hold++) {
            const steps = stepsTo(here, first, hold, best);
            if (steps >= best) continue;
            best = steps;
            push = first;
          }
        out[row] = push + 1;
      }
    },
  };
}

export interface Rod {
  readonly gravity: number;
  readonly mass: number;
  readonly length: number;
  readonly maxTorque: number;
}

/**
 * The pendulum's expert pumps until it has the energy of standing upright (Astrom and Furuta 2000), then holds it with a spring and
 * a damper that are as strong as gravity asks for.
 */
export function pendulumExpert(rod: Rod): ScriptedPolicy {
  const inertia = (rod.mass * rod.length * rod.length) / 3;
  const weight = (rod.mass * rod.gravity * rod.length) / 2; // torque when level
  const spring = 2 * weight;
  const damper = 2 * Math.sqrt(inertia * weight) * 0.6 + 0.2 * inertia;
  const near = 0.5; // rad
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        const c = obs[3 * row]!;
        const angle = atan2(obs[3 * row + 1]!, c);
        const speed = obs[3 * row + 2]!;
        const lacks = weight * (1 - c) - (inertia * speed * speed) / 2; // energy below standing still upright
        let torque: number;
        if (Math.abs(angle) < near && Math.abs(speed) < 4) torque = -(spring * angle + damper * speed);
        else torque = Math.abs(speed) < 1e-3 ? rod.maxTorque : 10 * lacks * speed;
        out[row] = Math.min(rod.maxTorque, Math.max(-rod.maxTorque, torque));
      }
    },
  };
}

/** Pushes under the fall: the sign of a weighted sum of place, speed, angle and angular speed. */
export function poleExpert(read: (obs: Float32Array, row: number, out: Float64Array) => void, still: number | null): ScriptedPolicy {
  const seen = new Float64Array(4); // m, m/s, rad, rad/s
  const last = still === null ? 1 : 2; // number of the push to the right
  return {
    act(env, { obs }, out) {
      for (let row = 0; row < env.batch; row++) {
        read(obs, row, seen);
        const fall = 0.05 * seen[0]! + 0.15 * seen[1]! + seen[2]! + 0.25 * seen[3]!;
        out[row] = still !== null && Math.abs(fall) < 0.01 ? still : fall > 0 ? last : 0;
      }
    },
  };
}
