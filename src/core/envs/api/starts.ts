/** Training episodes of which a share begins in given states, drawn evenly; each goes on with chances of its own. */
import type { Rng } from '#math/rng.ts';
import { withSeed } from './state.ts';
import type { Environment, StepBuffers } from './types.ts';

export interface Starts {
  /** Saved states of the environment; at least one. */
  readonly states: readonly Uint8Array[];
  /** Of the episodes, 0 to 1. */
  readonly share: number;
  /** Whether episodes still begin there; asked at every beginning. Default: always. */
  readonly lasts?: () => boolean;
}

export interface Starter {
  /** Its state is part of what is saved. */
  readonly rng: Rng;
  /** Of the rows marked 1, which have just begun: a share begins in one of the states. Rewards, costs and flags of the step before stay. */
  begin(rows: Uint8Array, buffers: StepBuffers): void;
}

export function createStarter(env: Pick<Environment, 'load' | 'meta'>, { states, share, lasts }: Starts, rng: Rng): Starter {
  const { agentCount, rewards, costs } = env.meta;
  const paid = new Float32Array(agentCount * rewards.length);
  const cost = new Float32Array(agentCount * costs.length);
  return {
    rng,
    begin(rows, buffers) {
      if (lasts?.() === false) return;
      for (let row = 0; row < rows.length; row++) {
        if (rows[row] !== 1 || rng.uniform() >= share) continue;
        const state = withSeed(states[rng.int(states.length)]!, rng.next());
        const [terminated, truncated] = [buffers.terminated[row]!, buffers.truncated[row]!];
        paid.set(buffers.reward.subarray(row * paid.length, (row + 1) * paid.length));
        if (buffers.cost !== undefined) cost.set(buffers.cost.subarray(row * cost.length, (row + 1) * cost.length));
        env.load(row, state, buffers);
        buffers.terminated[row] = terminated;
        buffers.truncated[row] = truncated;
        buffers.reward.set(paid, row * paid.length);
        buffers.cost?.set(cost, row * cost.length);
      }
    },
  };
}
