/**
 * PPO's objective as tensor expressions (Schulman et al. 2017, with the details of CleanRL). All rows are [M].
 *   policy  mean max(-A r, -A clip(r, 1 - e, 1 + e)),  r = exp(logp - oldLogp)
 *   value   0.5 mean max((v - R)^2, (vOld + clip(v - vOld, -c, c) - R)^2);  without clipping 0.5 mean (v - R)^2
 *   loss    policy - entropyCoef * entropy + valueCoef * value
 */

import type { Operand } from '#core/engine/ops.ts';
import { abs, add, clip, exp, gt, maximum, mean, minimum, mul, neg, square, sub } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

export interface PolicyTerms {
  readonly loss: Tensor; // []
  readonly ratio: Tensor; // [M]
  /** mean(r - 1 - ln r): Schulman's k3, never negative. */
  readonly kl: Tensor; // []
  readonly clipFraction: Tensor; // []
}

export function policyLoss(logProb: Tensor, oldLogProb: Tensor, advantage: Tensor, clipCoef: Operand): PolicyTerms {
  const logRatio = sub(logProb, oldLogProb);
  const ratio = exp(logRatio);
  // minimum(maximum(...)) with the bounds as tensors, so that the clip range may change while training goes on.
  const bounded = minimum(maximum(ratio, sub(1, clipCoefTensor(ratio, clipCoef))), add(clipCoefTensor(ratio, clipCoef), 1));
  return {
    loss: mean(maximum(neg(mul(advantage, ratio)), neg(mul(advantage, bounded)))),
    ratio,
    kl: mean(sub(sub(ratio, 1), logRatio)),
    clipFraction: mean(gt(abs(sub(ratio, 1)), clipCoef)),
  };
}

/** valueClip null: no clipping. */
export function valueLoss(value: Tensor, oldValue: Tensor, target: Tensor, valueClip: Operand | null): Tensor {
  const plain = square(sub(value, target));
  if (valueClip === null) return mul(mean(plain), 0.5);
  const bound = clipCoefTensor(value, valueClip);
  const moved = add(oldValue, clip(sub(value, oldValue), neg(bound), bound));
  return mul(mean(maximum(plain, square(sub(moved, target)))), 0.5);
}

function clipCoefTensor(like: Tensor, coefficient: Operand): Tensor {
  return typeof coefficient === 'number' ? like.graph.constant(coefficient) : coefficient;
}
