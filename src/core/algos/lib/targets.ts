/**
 * What teams of action values are trained towards, as tensor expressions. Values are [..., N] with illegal actions at -1e8.
 *   max        y = r + discount * max_b Qtarget(s', b) for each agent by itself
 *   double Q   y = r + discount * Qtarget(s', argmax_b Q(s', b)), ties to the lowest action (van Hasselt et al. 2016)
 */
import { amax, div, eq, iota, maximum, mul, pick, square, stopGradient, sub, sum, where } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';

/** The best action's value, [..., N] -> [...]. */
export const highest = (q: Tensor): Tensor => amax(q, -1);

/** Index of the best action, the lowest of equals, [..., N] -> [...]. */
export function firstBest(q: Tensor): Tensor {
  const n = q.shape.at(-1)!;
  const early = where(eq(q, amax(q, -1, true)), sub(n, iota(q.graph, n)), 0); // n - index where the largest stands
  return stopGradient(sub(n, amax(early, -1)));
}

/** What the next state is worth to each agent; `chooser` null: the target network chooses too. */
export const nextValue = (target: Tensor, chooser: Tensor | null): Tensor =>
  stopGradient(chooser === null ? highest(target) : pick(target, firstBest(chooser)));

/** Mean over what is there: weights 1 and 0, or importance. */
export const maskedMean = (x: Tensor, weight: Tensor): Tensor => div(sum(mul(x, weight)), maximum(sum(weight), 1));

/** Half the squared error, averaged over filled steps. */
export const halfSquares = (error: Tensor, weight: Tensor): Tensor => mul(maskedMean(square(error), weight), 0.5);
