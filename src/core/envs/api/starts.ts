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

/** Puts a saved state into a row whose episode has just ended. Rewards, costs and flags of the step before stay. */
export function beginAt(env: Pick<Environment, 'load' | 'meta'>, row: number, state: Uint8Array, buffers: StepBuffers): void {
  const { agentCount, rewards, costs } = env.meta;
  const [paid, cost] = [agentCount * rewards.length, agentCount * costs.length];
  const [terminated, truncated] = [buffers.terminated[row]!, buffers.truncated[row]!];
  const reward = buffers.reward.slice(row * paid, (row + 1) * paid);
  const costsOfStep = buffers.cost?.slice(row * cost, (row + 1) * cost);
  env.load(row, state, buffers);
  buffers.terminated[row] = terminated;
  buffers.truncated[row] = truncated;
  buffers.reward.set(reward, row * paid);
  if (costsOfStep !== undefined) buffers.cost?.set(costsOfStep, row * cost);
}

export function createStarter(env: Pick<Environment, 'load' | 'meta'>, { states, share, lasts }: Starts, rng: Rng): Starter {
  return {
    rng,
    begin(rows, buffers) {
      if (lasts?.() === false) return;
      for (let row = 0; row < rows.length; row++) {
        if (rows[row] !== 1 || rng.uniform() >= share) continue;
        beginAt(env, row, withSeed(states[rng.int(states.length)]!, rng.next()), buffers);
      }
    },
  };
}
