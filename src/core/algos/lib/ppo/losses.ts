/**
 * The objective of team PPO as tensor expressions, rows [M], each with a weight: 0 for an agent that was dead or not to move, so
 * that it leaves the mean instead of counting as 0 (Yu et al. 2022). Sources: MAPPO's and HARL's code.
 *   policy  -sum w F min(r A, clip(r, 1 - e, 1 + e) A) / sum w,   r = exp(logp - oldLogp), F: HAPPO's factor
 *   value   sum w max(h(R - v), h(R - vOld - clip(v - vOld, -e, e))) / sum w,   h(x) = x^2 / 2, or Huber's with slope d beyond d
 */
import type { Operand } from '#core/engine/ops.ts';
import { abs, add, clip, div, exp, gt, huber, maximum, minimum, mul, neg, square, sub, sum } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

/** sum(w x) / sum(w); 0 where nobody counts. */
export const weightedMean = (x: Tensor, weight: Tensor): Tensor => div(sum(mul(x, weight)), maximum(sum(weight), 1));

export interface PolicyTerms {
  readonly loss: Tensor; // []
  readonly ratio: Tensor; // [M]
  readonly kl: Tensor; // [] mean(r - 1 - ln r)
  readonly clipFraction: Tensor; // []
}

/** `factor` [M]: the product of new / old ratios of the agents updated before (HAPPO, Kuba et al. 2022). */
export function teamPolicyLoss(
  logProb: Tensor,
  oldLogProb: Tensor,
  advantage: Tensor,
  clipRange: Tensor,
  weight: Tensor,
  factor?: Tensor,
): PolicyTerms {
  const logRatio = sub(logProb, oldLogProb);
  const ratio = exp(logRatio);
  const bounded = minimum(maximum(ratio, sub(1, clipRange)), add(clipRange, 1));
  const gain = minimum(mul(ratio, advantage), mul(bounded, advantage));
  return {
    loss: neg(weightedMean(factor === undefined ? gain : mul(factor, gain), weight)),
    ratio,
    kl: weightedMean(sub(sub(ratio, 1), logRatio), weight),
    clipFraction: weightedMean(gt(abs(sub(ratio, 1)), clipRange), weight),
  };
}

/** clipRange null: no clipping; huberDelta null: squared. [M], not yet averaged. */
export function teamValueError(
  value: Tensor,
  oldValue: Tensor,
  target: Tensor,
  clipRange: Tensor | null,
  huberDelta: number | null,
): Tensor {
  const error = (e: Tensor): Tensor => (huberDelta === null ? mul(square(e), 0.5) : huber(e, huberDelta));
  const plain = error(sub(target, value));
  if (clipRange === null) return plain;
  const bound: Operand = clipRange;
  const moved = add(oldValue, clip(sub(value, oldValue), neg(bound), bound));
  return maximum(plain, error(sub(target, moved)));
}
