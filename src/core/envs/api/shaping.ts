/**
 * Potential-based shaping (Ng, Harada and Russell 1999): on top of its reward every step pays
 *   F = gamma phi(s') - phi(s),   phi 0 behind a termination
 * with a potential phi over the cells of a grid. Over an episode it adds up to a number that depends on where the episode begins and was cut,
 * not on the way, so the best policy stays the best. Episode statistics are kept without it.
 */
import type { Environment, StepBuffers } from './types.ts';

export interface Shaping {
  /** phi of every cell, row-major. */
  readonly potential: ArrayLike<number>;
  /** The learner's discount, which it may change as it goes on. */
  gamma(): number;
}

export interface Shaper {
  /** Before a step: where the agents stand. */
  before(): void;
  /** After it, before rows that ended are restarted: adds F to `reward` [B]; not where `playing` is 0. */
  pay(buffers: Pick<StepBuffers, 'reward' | 'terminated'>, playing?: Uint8Array): void;
}

/** For environments with one agent, one reward and cells. */
export function createShaper(env: Pick<Environment, 'batch' | 'cellOf'>, { potential, gamma }: Shaping): Shaper {
  const phi = (row: number): number => potential[env.cellOf?.(row) ?? -1] ?? 0;
  const left = new Float64Array(env.batch);
  return {
    before() {
      for (let row = 0; row < left.length; row++) left[row] = phi(row);
    },
    pay({ reward, terminated }, playing) {
      const discount = gamma();
      for (let row = 0; row < left.length; row++) {
        if (playing?.[row] === 0) continue;
        reward[row] = reward[row]! + (terminated[row] === 1 ? 0 : discount * phi(row)) - left[row]!;
      }
    },
  };
}
