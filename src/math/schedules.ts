/** Values that change over a run, as functions of the step: plain arithmetic, so the same in every engine. */

import { cos } from './functions.ts';

/** Straight line from `from` to `to` over `duration`, constant afterwards. */
export function linear(from: number, to: number, duration: number, step: number): number {
  if (step >= duration) return to;
  return from + ((to - from) * step) / duration;
}

/** `initial` falling straight to 0 at `total` (CleanRL's annealed learning rate). */
export function annealed(initial: number, total: number, step: number): number {
  return initial * Math.max(0, 1 - step / total);
}

/**
 * Step sizes that rise in a straight line over `warmUp` steps, base (step + 1) / warmUp, then fall along half a cosine to least * base at
 * step `total`, and stay there (Loshchilov & Hutter 2017, one cycle).
 */
export function cosineWithWarmUp(c: {
  readonly base: number;
  readonly warmUp: number;
  readonly total: number;
  readonly least: number;
}): (step: number) => number {
  return (step) => {
    if (step < c.warmUp) return (c.base * (step + 1)) / c.warmUp;
    const share = Math.min(1, (step - c.warmUp) / Math.max(1, c.total - c.warmUp));
    return c.base * (c.least + (1 - c.least) * 0.5 * (1 + cos(Math.PI * share)));
  };
}
