/**
 * Action distributions as tensor expressions. Rows are [B, N] (logits) or [B, D] (means); results are [B].
 * Masked actions get the logit -1e8: their probability is exactly 0 and they add nothing to the entropy (Huang & Ontanon 2022).
 * The squashed Gaussian's correction is 2 (ln 2 - u - softplus(-2u)), which stays finite where log(1 - tanh^2) does not.
 */
import { HALF_LOG_TWO_PI } from '#math/sampling.ts';
import {
  add,
  exp,
  log,
  logSoftmax,
  maximum,
  mul,
  neg,
  type Operand,
  pick,
  softplus,
  square,
  sub,
  sum,
  tanh,
  where,
} from '../engine/ops.ts';
import type { Tensor } from '../engine/types.ts';

const LN2 = Math.LN2;

/** mask [B, N]: 1 legal, 0 not. Apply it once, before everything else. */
export const maskLogits = (logits: Tensor, mask: Tensor): Tensor => where(mask, logits, -1e8);

/** ln p(action), action [B] as whole numbers. */
export const categoricalLogProb = (logits: Tensor, action: Tensor): Tensor => pick(logSoftmax(logits), action);
export function categoricalEntropy(logits: Tensor): Tensor {
  const logp = logSoftmax(logits);
  return neg(sum(mul(exp(logp), logp), -1));
}
/** KL(p || q). */
export function categoricalKl(logitsP: Tensor, logitsQ: Tensor): Tensor {
  const logp = logSoftmax(logitsP);
  return sum(mul(exp(logp), sub(logp, logSoftmax(logitsQ))), -1);
}

/** Independent dimensions; logStd [D] or [B, D]. */
export function gaussianLogProb(mean: Tensor, logStd: Tensor, action: Tensor): Tensor {
  const z = mul(sub(action, mean), exp(neg(logStd)));
  return neg(sum(add(mul(square(z), 0.5), add(logStd, HALF_LOG_TWO_PI)), -1));
}
/** [] for logStd [D], [B] for [B, D]. */
export const gaussianEntropy = (logStd: Tensor): Tensor => sum(add(logStd, HALF_LOG_TWO_PI + 0.5), -1);
/** KL(p || q). */
export function gaussianKl(meanP: Tensor, logStdP: Tensor, meanQ: Tensor, logStdQ: Tensor): Tensor {
  const precision = exp(mul(logStdQ, -2));
  const spread = mul(add(exp(mul(logStdP, 2)), square(sub(meanP, meanQ))), precision);
  return sum(add(sub(logStdQ, logStdP), mul(sub(spread, 1), 0.5)), -1);
}

/** Sum over dimensions of ln(d tanh(u) / du). */
export const tanhLogSlope = (u: Tensor): Tensor => sum(mul(sub(sub(LN2, u), softplus(mul(u, -2))), 2), -1);
/** Log-density of tanh(u), u being a Gaussian's draw: SAC's reparametrised action from noise [B, D] ~ N(0, 1). */
export function squashedGaussian(mean: Tensor, logStd: Tensor, noise: Tensor): { action: Tensor; logProb: Tensor; u: Tensor } {
  const u = add(mean, mul(exp(logStd), noise));
  // ln N(u) from the noise itself: (u - mean) / std is the noise.
  const logU = neg(sum(add(mul(square(noise), 0.5), add(logStd, HALF_LOG_TWO_PI)), -1));
  return { action: tanh(u), logProb: sub(logU, tanhLogSlope(u)), u };
}

/** Probabilities to logits; zeros become very unlikely rather than -inf. */
export const logitsOf = (probabilities: Tensor, floor: Operand = 1e-30): Tensor => log(maximum(probabilities, floor));
