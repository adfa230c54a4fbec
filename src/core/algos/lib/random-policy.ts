import { randomAction } from '#math/sampling.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { perAgent } from '../../envs/api/meta.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { Policy } from '../api/types.ts';

/** Every legal action with equal probability, box actions uniform between their bounds: the method `random`, and what plays where there is no policy. */
export function randomPolicy(meta: EnvMeta): Policy {
  const actions = new Map<number, ReturnType<typeof createActions>>();
  const spaces = perAgent(meta, (group) => group.action);
  const none = new Float32Array(0);
  return {
    initial: () => none,
    act({ rows, agent, mask, rng }) {
      const out = actions.get(rows) ?? createActions(meta, rows / meta.agentCount);
      actions.set(rows, out);
      for (let row = 0; row < rows; row++) {
        const space = spaces[agent[row]!]!;
        if (space.kind === 'discrete') out[row] = randomAction(rng, space.n, mask, row * meta.actionCount);
        else {
          for (let d = 0; d < space.size; d++) {
            const low = space.low[d]!;
            out[row * meta.actionSize + d] = low + (space.high[d]! - low) * rng.uniform();
          }
        }
      }
      return { actions: out, hidden: none };
    },
    dispose() {},
  };
}
