/**
 * The one policy loss of groups of completions: a sum over tokens of weight x (policy term + klCoef x KL - entropyCoef x entropy), all [B, T].
 * The published methods are settings of it (presets of group-rl): what the ratio is of, what is clipped or capped, and the weights.
 *   token ratio r_t = exp(logp_t - old_t); sequence ratio: the same of the mean over the row's tokens (GSPO, Zheng et al. 2025)
 *   clip  -min(r A, clip(r, 1 - low, 1 + high) A), with `dual` never more than -dual A where A < 0 (Ye et al. 2020); `preserve`: a token that
 *         is clipped keeps a gradient of the bound's size (CE-GPPO, Su et al. 2025)
 *   cap   -sg(clip(r, low, high)) A logp: no token loses its gradient (CISPO, MiniMax 2025)
 *   none  -A logp (REINFORCE, RLOO)
 * KL to the reference: k1 = logp - ref, k2 = k1^2 / 2, k3 = exp(-k1) - 1 + k1 (Schulman 2020); abs = |k1| (KL-Cov, Cui et al. 2025).
 * Coefficients are one number, or one per token.
 */
import {
  abs,
  add,
  clip,
  div,
  exp,
  logSoftmax,
  lt,
  maximum,
  minimum,
  mul,
  neg,
  reshape,
  square,
  stopGradient,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

export type RatioOf = 'token' | 'sequence';
export type Surrogate = 'clip' | 'cap' | 'none';
export type KlKind = 'k1' | 'k2' | 'k3' | 'abs';

export interface PolicyLossInputs {
  /** Of the taken tokens now, when they were sampled, and under the reference. [B, T] */
  readonly logProb: Tensor;
  readonly old: Tensor;
  readonly reference?: Tensor;
  /** Of the distribution they were taken from. */
  readonly entropy: Tensor;
  readonly advantage: Tensor;
  /** 1 where the policy chose the token. */
  readonly mask: Tensor;
  /** 0 where the mask is 0. */
  readonly weight: Tensor;
  /** One number each, or one per token: distances from 1 (clip) or the limits themselves (cap). */
  readonly low: Tensor;
  readonly high: Tensor;
  readonly klCoef?: Tensor;
  readonly entropyCoef?: Tensor;
}

export interface PolicyLossOptions {
  readonly ratio: RatioOf;
  readonly surrogate: Surrogate;
  readonly kl?: KlKind;
  readonly dual?: number;
  readonly preserve?: boolean;
}

/** KL of single tokens to the reference, [B, T]. */
export function klTerm(kind: KlKind, logProb: Tensor, reference: Tensor): Tensor {
  const k1 = sub(logProb, reference);
  switch (kind) {
    case 'k1':
      return k1;
    case 'k2':
      return mul(square(k1), 0.5);
    case 'k3':
      return add(sub(exp(neg(k1)), 1), k1);
    case 'abs':
      return abs(k1);
  }
}

/** KL of whole next-token distributions to the reference's, from logits [.., V]: [..]. */
export function exactKl(logits: Tensor, referenceLogits: Tensor): Tensor {
  const logp = logSoftmax(logits);
  return sum(mul(exp(logp), sub(logp, logSoftmax(referenceLogits))), -1);
}

/** -A p / (p + gamma): tokens of demonstrations among samples, unlikely ones not dominating (LUFFY, Yan et al. 2025). */
export function demonstrationTerm(logProb: Tensor, advantage: Tensor, gamma: number): Tensor {
  const p = exp(logProb);
  return neg(mul(advantage, div(p, add(p, gamma))));
}

/** The ratio of every token [B, T]; of a whole row the same at each of its places. */
export function ratioTerm(of: RatioOf, logProb: Tensor, old: Tensor, mask: Tensor): Tensor {
  const change = mul(sub(logProb, old), mask);
  if (of === 'token') return exp(change);
  const rows = logProb.shape[0]!;
  const length = maximum(sum(mask, 1), 1);
  const meanChange = reshape(div(sum(change, 1), length), [rows, 1]);
  return mul(exp(meanChange), add(mul(mask, 0), 1));
}

/**
 * `loss` [], the share of tokens that a limit stopped, and the mean k3 to `old`, both over the tokens of the mask. That k3 takes the tokens as
 * drawn from the new policy and is read before the step: what an update did is measured by createKlProbe (rollouts.ts).
 */
export function policyLoss(x: PolicyLossInputs, options: PolicyLossOptions): { loss: Tensor; clipFraction: Tensor; approxKl: Tensor } {
  const { logProb, advantage, mask } = x;
  const ratio = ratioTerm(options.ratio, logProb, x.old, mask);
  let term: Tensor;
  let limited: Tensor;
  if (options.surrogate === 'clip') {
    const within = clip(ratio, sub(1, x.low), add(x.high, 1));
    let gain = minimum(mul(ratio, advantage), mul(within, advantage));
    limited = lt(mul(within, advantage), mul(ratio, advantage));
    if (options.preserve === true) {
      const kept = mul(mul(stopGradient(div(within, ratio)), ratio), advantage);
      gain = where(limited, kept, gain);
    }
    if (options.dual !== undefined) gain = where(lt(advantage, 0), maximum(gain, mul(advantage, options.dual)), gain);
    term = neg(gain);
  } else if (options.surrogate === 'cap') {
    const capped = clip(ratio, x.low, x.high);
    limited = lt(capped, ratio);
    term = neg(mul(mul(stopGradient(capped), advantage), logProb));
  } else {
    limited = mul(mask, 0);
    term = neg(mul(advantage, logProb));
  }
  if (x.reference !== undefined && x.klCoef !== undefined)
    term = add(term, mul(x.klCoef, klTerm(options.kl ?? 'k3', logProb, x.reference)));
  if (x.entropyCoef !== undefined) term = sub(term, mul(x.entropyCoef, x.entropy));
  const tokens = maximum(sum(mask), 1);
  return {
    loss: sum(mul(x.weight, term)),
    clipFraction: div(sum(mul(limited, mask)), tokens),
    approxKl: div(sum(mul(klTerm('k3', logProb, x.old), mask)), tokens),
  };
}
