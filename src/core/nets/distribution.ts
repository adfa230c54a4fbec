/**
 * Distributions of returns as tensor expressions: the projection onto fixed atoms (C51: Bellemare, Dabney & Munos 2017) and the quantile
 * regression loss (QR-DQN: Dabney et al. 2018; IQN: Dabney et al. 2018b). Rows are transitions, M; K and L are atoms or quantiles.
 */
import {
  abs,
  add,
  clip,
  div,
  huber,
  iota,
  logSoftmax,
  lt,
  maximum,
  mean,
  mul,
  neg,
  reshape,
  stopGradient,
  sub,
  sum,
  where,
} from '../engine/ops.ts';
import { lastSize } from '../engine/shapes.ts';
import type { Graph, Tensor } from '../engine/types.ts';

/** K values evenly spaced from `low` to `high`, [K]. */
export const support = (g: Graph, low: number, high: number, K: number): Tensor => add(mul(iota(g, K), (high - low) / (K - 1)), low);

/**
 * Where the chances `probs` [M, K] of the atoms of `support(low, high)` go under z -> reward + discount z, clipped to the ends: [M, K]. The mass
 * of a moved atom is shared by its two neighbours in proportion to their nearness, and stays whole on an atom that it meets. No gradient.
 */
export function projected(probs: Tensor, reward: Tensor, discount: Tensor, low: number, high: number): Tensor {
  const M = probs.shape[0]!;
  const K = lastSize('projected', probs.shape);
  const z = support(probs.graph, low, high, K);
  const moved = clip(add(reshape(reward, [M, 1]), mul(reshape(discount, [M, 1]), z)), low, high); // [M, K]
  const gap = (high - low) / (K - 1);
  // The share of each neighbour falls linearly with its distance: 1 at the atom itself, 0 one gap away.
  const distance = abs(sub(reshape(moved, [M, 1, K]), reshape(z, [1, K, 1]))); // [M, to, from]
  const share = maximum(sub(1, div(distance, gap)), 0);
  return stopGradient(sum(mul(share, reshape(probs, [M, 1, K])), -1));
}

/** -sum_k target_k log softmax(logits)_k of each row, [M, K] -> [M]. */
export const crossEntropy = (target: Tensor, logits: Tensor): Tensor => neg(sum(mul(target, logSoftmax(logits)), -1));

/** The middles of K equal shares of probability, (2 k + 1) / 2 K, [K]. */
export const midpoints = (g: Graph, K: number): Tensor => mul(add(iota(g, K), 0.5), 1 / K);

/**
 * Quantile Huber loss of each row: quantiles [M, K] at the levels `taus` ([K] or [M, K]) towards samples `target` [M, L];
 * sum over quantiles, mean over samples, of |tau - 1{u < 0}| Huber_1(u) with u = target - quantile. [M]
 */
export function quantileHuber(quantiles: Tensor, taus: Tensor, target: Tensor): Tensor {
  const M = quantiles.shape[0]!;
  const K = lastSize('quantileHuber', quantiles.shape);
  const L = lastSize('quantileHuber', target.shape);
  const u = sub(reshape(target, [M, 1, L]), reshape(quantiles, [M, K, 1])); // [M, K, L]
  const level = reshape(taus, taus.shape.length === 1 ? [1, K, 1] : [M, K, 1]);
  const weight = stopGradient(abs(sub(level, where(lt(u, 0), 1, 0))));
  return sum(mean(mul(weight, huber(u, 1)), -1), -1);
}
