/**
 * DQN's target and error as tensor expressions (Mnih et al. 2015; double: van Hasselt et al. 2016). Rows [M], actions N.
 *   y = reward + discount * max_b Qtarget(s', b)            discount is 0 after a termination
 *   double: y = reward + discount * Qtarget(s', argmax_b Q(s', b)), ties to the lowest action
 */
import { abs, add, amax, eq, huber, iota, mean, mul, pick, square, stopGradient, sub, sum, where } from '../engine/ops.ts';
import type { Tensor } from '../engine/types.ts';

/** nextTarget [M, N] from the target network; chooser [M, N] from the online one (double), illegal actions already at -1e8. */
export function dqnTarget(reward: Tensor, discount: Tensor, nextTarget: Tensor, chooser: Tensor | null): Tensor {
  const next = chooser === null ? amax(nextTarget, -1) : pick(nextTarget, firstBest(chooser));
  return stopGradient(add(reward, mul(discount, next)));
}

/** Index of the largest entry of each row, the lowest of equals. */
function firstBest(q: Tensor): Tensor {
  const n = q.shape[1]!;
  const best = eq(q, amax(q, -1, true));
  // Of the places that hold the largest value the first: n - max over places of (n - index).
  const early = where(best, sub(n, iota(q.graph, n)), 0);
  return stopGradient(sub(n, amax(early, -1)));
}

export interface DqnTerms {
  readonly loss: Tensor; // []
  readonly error: Tensor; // [M] Q(s, a) - y
  readonly qMean: Tensor; // []
  readonly errorMean: Tensor; // []
}

/** weight [M]: importance of each row, null for all alike. */
export function dqnLoss(q: Tensor, action: Tensor, target: Tensor, kind: 'mse' | 'huber', weight: Tensor | null): DqnTerms {
  const chosen = pick(q, action);
  const error = sub(chosen, target);
  const each = kind === 'mse' ? square(error) : huber(error, 1);
  const loss = weight === null ? mean(each) : mul(sum(mul(weight, each)), 1 / q.shape[0]!);
  return { loss, error, qMean: mean(chosen), errorMean: mean(abs(error)) };
}
