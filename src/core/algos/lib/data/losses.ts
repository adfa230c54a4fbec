/**
 * The equations of offline methods as tensor expressions; rows are [M].
 *   expectile   |tau - 1{u < 0}| u^2,  u = target - prediction                                   (IQL: Kostrikov et al. 2022)
 *   weight      min(exp(beta (Q - V)), 100)                                                       (IQL; AWR: Peng et al. 2019)
 *   penalty     log sum_a exp Q(s, a) - Q(s, a_data)                                              (CQL(H): Kumar et al. 2020)
 *   counterfactual  mean_i log sum_b exp Q_tot(s, (b, a_-i)) - Q_tot(s, a)                        (CFCQL: Shao et al. 2023)
 *   joint       log sum over joint b of exp Q_tot(s, b) - Q_tot(s, a), by samples                 (CQL(H), the team as one agent)
 *   lambda      alpha / mean |Q|                                                                  (TD3+BC: Fujimoto and Gu 2021)
 *   inverse     -mean_player r + mean (V(s) - d V'(s')) + mean r^2 / (4 penalty),  r = Q(s, a) - d V'(s')   (IQ-Learn: Garg et al. 2021)
 *   V           temperature log sum_a exp(Q(s, a) / temperature)                                  (soft Q-learning: Haarnoja et al. 2017)
 */
import {
  abs,
  add,
  broadcastTo,
  div,
  exp,
  logsumexp,
  lt,
  mean,
  minimum,
  mul,
  type Operand,
  pick,
  reshape,
  square,
  stopGradient,
  sub,
  where,
} from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { log } from '#math/functions.ts';

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

/** Of agents' values [M, A, N] the lists in which agent i does b and the others what was recorded: [M, A * N, A], b fastest. */
export function counterfactualValues(q: Tensor, action: Tensor): Tensor {
  const [M, A, N] = q.shape as [number, number, number];
  const own = Float32Array.from({ length: A * A }, (_, k) => (k % (A + 1) === 0 ? 1 : 0));
  const whose = broadcastTo(reshape(q.graph.constant(own, [A, A]), [1, A, 1, A]), [M, A, N, A]);
  const deviating = broadcastTo(reshape(q, [M, A, N, 1]), [M, A, N, A]);
  const recorded = broadcastTo(reshape(pick(q, action), [M, 1, 1, A]), [M, A, N, A]);
  return reshape(where(whose, deviating, recorded), [M, A * N, A]);
}

/** The counterfactual penalty [M]: `total` are joint values [M, A * N] of those lists, `taken` [M] that of the recorded actions. */
export function counterfactualPenalty(total: Tensor, taken: Tensor, n: number): Tensor {
  const [M, count] = total.shape as [number, number];
  return sub(mean(logsumexp(reshape(total, [M, count / n, n]), -1), -1), taken);
}

/**
 * The joint penalty [M], estimated from K joint actions of which half were drawn uniformly and half by each agent's own chances: joint
 * values `total` [M, K] and log-probabilities `logProb` [M, K] by which each was drawn.
 */
export const jointPenalty = (total: Tensor, logProb: Tensor, taken: Tensor): Tensor =>
  sub(sub(logsumexp(sub(total, stopGradient(logProb)), -1), log(total.shape[1]!)), taken);

/** The weight of the values against the distance to the recorded actions; no gradient. */
export const td3BcWeight = (q: Tensor, alpha: number): Tensor => stopGradient(div(alpha, mean(abs(q))));

/** What a state is worth to who draws actions by exp(Q / temperature), [..., N] -> [...]. */
export const boltzmannValue = (q: Tensor, temperature: number): Tensor => mul(logsumexp(mul(q, 1 / temperature), -1), temperature);

/** Rows of a player, or of the policy's own play, all [M]. */
export interface ValuedRows {
  /** Q(s, a) of what was done. */
  readonly taken: Tensor;
  /** V(s). */
  readonly value: Tensor;
  /** d V'(s'), 0 behind a termination. */
  readonly next: Tensor;
}

/** The reward under which the values would be right. */
export const inverseReward = ({ taken, next }: ValuedRows): Tensor => sub(taken, stopGradient(next));

/**
 * What the player did is worth more than the state, in rows of the player; [].
 * `own`: rows of the policy's own play, which hold its values down where it goes and the player does not; null: none are learned from.
 * `penalty` limits the rewards: alone, a row of the player would be worth 2 penalty.
 */
export function inverseLoss(player: ValuedRows, own: ValuedRows | null, penalty: number): Tensor {
  const rows = own === null ? [player] : [player, own];
  const overRows = (each: (rows: ValuedRows) => Tensor): Tensor =>
    mul(
      rows.map((one) => mean(each(one))).reduce((a, b) => add(a, b)),
      1 / rows.length,
    );
  const start = overRows(({ value, next }) => sub(value, stopGradient(next)));
  const size = mul(
    overRows((one) => square(inverseReward(one))),
    1 / (4 * penalty),
  );
  return add(sub(start, mean(inverseReward(player))), size);
}
