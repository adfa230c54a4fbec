/**
 * Greedy values and losses of Q-learning as tensor expressions. Action values are [..., N] with illegal actions at -1e8.
 *   max        y = r + discount * max_b Qtarget(s', b)
 *   double Q   y = r + discount * Qtarget(s', argmax_b Q(s', b)), ties to the lowest action (van Hasselt et al. 2016)
 */
import { amax, div, eq, iota, maximum, mul, pick, square, stopGradient, sub, sum, where } from '../engine/ops.ts';
import { lastSize } from '../engine/shapes.ts';
import type { Tensor } from '../engine/types.ts';

/** Value of the greedy action, [..., N] -> [...]. */
export const maxQ = (q: Tensor): Tensor => amax(q, -1);

/** Index of the greedy action, the lowest of equals, [..., N] -> [...]; no gradient. */
export function greedyAction(q: Tensor): Tensor {
  const n = lastSize('greedyAction', q.shape);
  const early = where(eq(q, amax(q, -1, true)), sub(n, iota(q.graph, n)), 0); // n - index at the maxima, so that the largest is the first
  return stopGradient(sub(n, amax(early, -1)));
}

/** Value of the next state, [..., N] -> [...]; `online` null: the target network also selects the action. No gradient. */
export const nextValue = (target: Tensor, online: Tensor | null): Tensor =>
  stopGradient(online === null ? maxQ(target) : pick(target, greedyAction(online)));

/** Weighted mean; weights of 0 and 1 leave out padded entries. The sum of the weights counts as at least 1. */
export const maskedMean = (x: Tensor, weight: Tensor): Tensor => div(sum(mul(x, weight)), maximum(sum(weight), 1));

/** Half the mean squared error over entries of weight 1. */
export const halfMaskedMse = (error: Tensor, weight: Tensor): Tensor => mul(maskedMean(square(error), weight), 0.5);
