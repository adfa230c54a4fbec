/** What the formation and the line share: the shared reward of places that agents should take, each by one, the cheapest way round. */
import { createMatching } from '../../lib/matching.ts';

export interface Places {
  /** [N, 2] wanted places, to be filled before `reward`. */
  readonly wanted: Float64Array;
  /** [N] the place each agent was assigned by the last `reward`. */
  readonly job: Int32Array;
  /** Minus the mean distance (at most 2 m each) under the cheapest assignment of agents, whose places begin at s. */
  reward(floats: Float64Array, s: number): number;
}

export function createPlaces(n: number): Places {
  const wanted = new Float64Array(2 * n);
  const cost = new Float64Array(n * n);
  const job = new Int32Array(n);
  const matching = createMatching(n);
  return {
    wanted,
    job,
    reward(floats, s) {
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const dx = floats[s + 2 * i]! - wanted[2 * j]!;
          const dy = floats[s + 2 * i + 1]! - wanted[2 * j + 1]!;
          cost[i * n + j] = Math.sqrt(dx * dx + dy * dy);
        }
      matching.solve(cost, job);
      let sum = 0;
      for (let i = 0; i < n; i++) sum += Math.min(2, cost[i * n + job[i]!]!);
      return -sum / n;
    },
  };
}
