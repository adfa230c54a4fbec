/**
 * DQN's target and error as tensor expressions (Mnih et al. 2015; double: van Hasselt et al. 2016). Rows [M], actions N.
 *   y = reward + discount * max_b Qtarget(s', b)            discount is 0 after a termination
 *   double: y = reward + discount * Qtarget(s', argmax_b Q(s', b)), ties to the lowest action
 */
import { abs, add, huber, mean, mul, pick, square, stopGradient, sub, sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { nextValue } from '../../lib/targets.ts';

/** nextTarget [M, N] from the target network; chooser [M, N] from the online one (double), illegal actions already at -1e8. */
export function dqnTarget(reward: Tensor, discount: Tensor, nextTarget: Tensor, chooser: Tensor | null): Tensor {
  return stopGradient(add(reward, mul(discount, nextValue(nextTarget, chooser))));
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
