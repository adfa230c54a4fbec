/**
 * V-trace (Espeholt et al. 2018, section 4.1): value targets and policy-gradient advantages from actions that an older policy mu drew.
 *   rho_t = min(rhoBar, pi(a_t|s_t) / mu(a_t|s_t)),   c_t = lambda min(cBar, the same ratio)
 *   delta_t = rho_t (r_t + gamma V_{t+1} - V_t),   v_t = V_t + delta_t + gamma c_t (v_{t+1} - V_{t+1})
 *   A_t = rho_t (r_t + gamma v_{t+1} - V_t)
 * A terminated step has next value 0, a truncated one the value of its own last observation; both cut the chain.
 */
import { exp } from './functions.ts';
import type { GaeInput } from './gae.ts';

type Floats = Float32Array | Float64Array;

export interface VtraceInput extends Omit<GaeInput, 'bootstrapAtTruncation'> {
  /** [T, N] ln pi(a|s) - ln mu(a|s). */
  readonly logRatios: Floats;
  readonly rhoBar: number;
  readonly cBar: number;
}

/** Fills advantages and targets, both [T, N]. */
export function vtrace(input: VtraceInput, advantages: Floats, targets: Floats): void {
  const { rewards, values, terminated, truncated, finalValues, lastValues, logRatios, rows, gamma, lambda, rhoBar, cBar } = input;
  const steps = rewards.length / rows;
  for (let row = 0; row < rows; row++) {
    let nextValue = lastValues[row]!;
    let nextTarget = nextValue;
    for (let t = steps - 1; t >= 0; t--) {
      const i = t * rows + row;
      if (terminated[i] !== 0) nextValue = nextTarget = 0;
      else if (truncated[i] !== 0) nextValue = nextTarget = finalValues[i]!;
      const ratio = exp(logRatios[i]!);
      const rho = Math.min(rhoBar, ratio);
      const value = values[i]!;
      const delta = rho * (rewards[i]! + gamma * nextValue - value);
      advantages[i] = rho * (rewards[i]! + gamma * nextTarget - value);
      nextTarget = value + delta + gamma * lambda * Math.min(cBar, ratio) * (nextTarget - nextValue);
      targets[i] = nextTarget;
      nextValue = value;
    }
  }
}
