/** A policy that leaves time to others, or stops, between the steps of an episode. */
import type { Policy } from '../../algos/api/types.ts';
import type { Scene } from './scene.ts';

export function pausable(policy: Policy, pace: Scene['pace']): Policy {
  if (pace === undefined) return policy;
  return {
    ...policy,
    initial: (rows) => policy.initial(rows),
    async act(query) {
      const wait = pace();
      if (wait !== undefined) await wait;
      return policy.act(query);
    },
    dispose() {},
  };
}
