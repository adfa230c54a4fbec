/** What a policy is worth, from the transition table: iterative policy evaluation (Sutton and Barto 2018, section 4.1). */
import type { TabularModel } from '../../../envs/api/types.ts';

const MAX_SWEEPS = 100_000;

/**
 * V(s) = sum_a pi(a|s) sum_s' P(s'|s,a) [ r + gamma (1 - terminated) V(s') ], swept in place into `values` [S] until none changes by more than
 * `tolerance`. `chances` [S, N] are pi. Answers the number of sweeps, at most 100,000: without a discount a policy that never ends has no value.
 */
export function evaluatePolicy(model: TabularModel, chances: Float64Array, gamma: number, tolerance: number, values: Float64Array): number {
  for (let sweep = 1; sweep <= MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (let s = 0; s < model.states; s++) {
      let value = 0;
      for (let pair = s * model.actions; pair < (s + 1) * model.actions; pair++) {
        if (chances[pair] === 0) continue;
        for (let i = model.offset[pair]!; i < model.offset[pair + 1]!; i++) {
          const tail = model.terminated[i] !== 0 ? 0 : gamma * values[model.next[i]!]!;
          value += chances[pair]! * model.probability[i]! * (model.reward[i]! + tail);
        }
      }
      largest = Math.max(largest, Math.abs(value - values[s]!));
      values[s] = value;
    }
    if (largest <= tolerance) return sweep;
  }
  return MAX_SWEEPS;
}

/** The same chance for every action: [S, N]. */
export const uniformChances = ({ states, actions }: TabularModel): Float64Array => new Float64Array(states * actions).fill(1 / actions);
