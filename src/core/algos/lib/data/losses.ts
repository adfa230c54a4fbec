/**
 * The equations of offline methods as tensor expressions; rows are [M].
 *   expectile   |tau - 1{u < 0}| u^2,  u = target - prediction                                   (IQL: Kostrikov et al. 2022)
 *   weight      min(exp(beta (Q - V)), 100)                                                       (IQL; AWR: Peng et al. 2019)
 *   penalty     log sum_a exp Q(s, a) - Q(s, a_data)                                              (CQL(H): Kumar et al. 2020)
 *   lambda      alpha / mean |Q|                                                                  (TD3+BC: Fujimoto and Gu 2021)
 */
import {
  abs,
  div,
  exp,
  logsumexp,
  lt,
  mean,
  minimum,
  mul,
  type Operand,
  pick,
  square,
  stopGradient,
  sub,
  where,
} from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

/** A squared error that counts tau above the prediction and 1 - tau below it. */
export function expectileLoss(target: Tensor, prediction: Tensor, tau: number): Tensor {
  const u = sub(target, prediction);
  return mul(where(lt(u, 0), 1 - tau, tau), square(u));
}

const LARGEST_WEIGHT = 100;

/** How much an action counts that is better than the average by q - v; no gradient. */
export const advantageWeight = (q: Tensor, v: Tensor, beta: Operand): Tensor =>
  stopGradient(minimum(exp(mul(sub(q, v), beta)), LARGEST_WEIGHT));

/** How much larger the values of all actions [M, N] are together than that of the recorded one. */
export const conservativePenalty = (q: Tensor, action: Tensor): Tensor => sub(logsumexp(q, -1), pick(q, action));

/** The weight of the values against the distance to the recorded actions; no gradient. */
export const td3BcWeight = (q: Tensor, alpha: number): Tensor => stopGradient(div(alpha, mean(abs(q))));
