/**
 * Vector action values for a list of weightings: W weights, S states, N actions, K rewards. Beside the vectors stands their weighted
 * sum, so that the best action is found without adding up again.
 */
import type { Saved } from '#contract/run/events.ts';
import type { Point } from '#math/pareto.ts';
import type { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import { stateOf } from '../../lib/table.ts';

export interface Tables {
  readonly weights: Float64Array; // [W, K]
  readonly states: number;
  readonly actions: number;
  readonly kinds: number; // K
  readonly vectors: Float64Array; // [W, S, N, K]
  readonly sums: Float64Array; // [W, S, N] weights . vectors
}

export function createTables(weights: readonly Point[], states: number, actions: number, initial: number): Tables {
  const kinds = (weights[0] as Point).length;
  const cells = weights.length * states * actions;
  return {
    weights: Float64Array.from(weights.flat()),
    states,
    actions,
    kinds,
    vectors: new Float64Array(cells * kinds).fill(initial),
    sums: new Float64Array(cells).fill(initial), // weights sum to 1
  };
}

/**
 * Every weighting learns from one transition towards its best next action among those that `nextMask` [N] allows, all if it is missing.
 * Returns the mean absolute TD error of the weighted sums.
 */
export function learnAll(
  t: Tables,
  state: number,
  action: number,
  reward: Float32Array,
  next: number,
  terminated: boolean,
  alpha: number,
  gamma: number,
  nextMask?: Uint8Array,
): number {
  const { weights, states, actions, kinds, vectors, sums } = t;
  const count = weights.length / kinds;
  let surprise = 0;
  for (let w = 0; w < count; w++) {
    const from = (w * states + next) * actions;
    const best = terminated ? from : from + argmax(sums, from, actions, nextMask);
    const cell = (w * states + state) * actions + action;
    let change = 0;
    for (let k = 0; k < kinds; k++) {
      const follows = terminated ? 0 : gamma * vectors[best * kinds + k]!;
      const error = reward[k]! + follows - vectors[cell * kinds + k]!;
      vectors[cell * kinds + k] = vectors[cell * kinds + k]! + alpha * error;
      change += weights[w * kinds + k]! * error;
    }
    sums[cell] = sums[cell]! + alpha * change;
    surprise += Math.abs(change);
  }
  return surprise / count;
}

export function bestAction({ sums, states, actions }: Tables, w: number, state: number, mask?: Uint8Array): number {
  return argmax(sums, (w * states + state) * actions, actions, mask);
}

/** What a policy needs: the weighted sums, as they are. */
export function saveSums({ sums }: Tables): { readonly sums: Float32Array } {
  return { sums: Float32Array.from(sums) };
}

/** Acts by one weighting of saved sums. */
export function sumsPolicy(saved: Saved, w: number, states: number, actions: number, epsilon: number): Policy {
  const sums = saved.arrays.sums as Float32Array;
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ obs, rows, rng, greedy, mask }) {
      const chosen = new Int32Array(rows);
      const q = new Float32Array(rows * actions);
      const value = new Float32Array(rows);
      for (let row = 0; row < rows; row++) {
        const from = (w * states + stateOf(obs, states, row)) * actions;
        const legal = mask?.subarray(row * actions, (row + 1) * actions);
        const best = argmax(sums, from, actions, legal);
        chosen[row] = !greedy && (rng as Rng).uniform() < epsilon ? randomAction(rng, actions, legal) : best;
        q.set(sums.subarray(from, from + actions), row * actions);
        value[row] = sums[from + best]!;
      }
      return { actions: chosen, hidden: none, q, value };
    },
    dispose() {},
  };
}
