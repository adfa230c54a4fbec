/** Values that change over a run, as functions of the step: plain arithmetic, so the same in every engine. */

/** Straight line from `from` to `to` over `duration`, constant afterwards. */
export function linear(from: number, to: number, duration: number, step: number): number {
  if (step >= duration) return to;
  return from + ((to - from) * step) / duration;
}

/** `initial` falling straight to 0 at `total` (CleanRL's annealed learning rate). */
export function annealed(initial: number, total: number, step: number): number {
  return initial * Math.max(0, 1 - step / total);
}
