/**
 * Losses that learn from comparisons, one number per pair or example ([N]); means are taken by the caller. w: preferred, l: not preferred.
 * Log-probabilities are sums over the tokens of a completion with its end, the prompt left out, or over the steps of a segment.
 */
import {
  add,
  div,
  exp,
  log,
  logsumexp,
  mul,
  neg,
  type Operand,
  relu,
  reshape,
  sliceAxis,
  softplus,
  square,
  sub,
} from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';

/** Log-probabilities of what is compared: of completions, or of the actions of segments of a trajectory. */
export interface Compared {
  readonly logProbW: Tensor; // [N]
  readonly logProbL: Tensor;
  /** Under the reference policy. */
  readonly referenceW: Tensor;
  readonly referenceL: Tensor;
}

export interface Pairs extends Compared {
  /** Tokens of each completion. */
  readonly lengthW: Tensor;
  readonly lengthL: Tensor;
}

const negLogSigmoid = (x: Tensor): Tensor => softplus(neg(x));

/** beta (log-ratio of w - log-ratio of l), and the two implied rewards. */
export function impliedRewards(x: Compared, beta: number): { readonly w: Tensor; readonly l: Tensor } {
  return { w: mul(sub(x.logProbW, x.referenceW), beta), l: mul(sub(x.logProbL, x.referenceL), beta) };
}

/** DPO (Rafailov et al. 2023); `smoothing`: chance that a label is wrong (cDPO). */
export function dpoLoss(x: Compared, beta: number, smoothing = 0): Tensor {
  const { w, l } = impliedRewards(x, beta);
  const z = sub(w, l);
  const right = negLogSigmoid(z);
  return smoothing === 0 ? right : add(mul(right, 1 - smoothing), mul(negLogSigmoid(neg(z)), smoothing));
}

/**
 * CPL (Hejna et al. 2024): -log e^{S_w} / (e^{S_w} + e^{bias S_l}) with S = alpha times the sum of a segment's log-probabilities, which stands for
 * its sum of optimal advantages; a bias below 1 keeps what is not preferred from being made ever less likely.
 */
export const cplLoss = ({ logProbW, logProbL }: Pick<Compared, 'logProbW' | 'logProbL'>, alpha: number, bias: number): Tensor =>
  negLogSigmoid(mul(sub(logProbW, mul(logProbL, bias)), alpha));

/** IPO (Azar et al. 2024): (difference of log-ratios - 1 / (2 beta))^2; of log-ratios per token or, as in the paper, summed. */
export function ipoLoss(x: Pairs, beta: number, over: 'mean' | 'sum'): Tensor {
  const { w, l } = impliedRewards(x, 1);
  const difference = over === 'sum' ? sub(w, l) : sub(div(w, x.lengthW), div(l, x.lengthL));
  return square(sub(difference, 1 / (2 * beta)));
}

/** SimPO (Meng et al. 2024): no reference, log-probabilities per token, a margin. */
export function simpoLoss(x: Pairs, beta: number, margin: number): Tensor {
  return negLogSigmoid(sub(mul(sub(div(x.logProbW, x.lengthW), div(x.logProbL, x.lengthL)), beta), margin));
}

/** ORPO (Hong et al. 2024): likelihood of w per token plus lambda times the log of the odds ratio. */
export function orpoLoss(x: Pairs, lambda: number): Tensor {
  const meanW = div(x.logProbW, x.lengthW);
  const meanL = div(x.logProbL, x.lengthL);
  const odds = (m: Tensor): Tensor => sub(m, log(sub(1, exp(m))));
  return add(neg(meanW), mul(negLogSigmoid(sub(odds(meanW), odds(meanL))), lambda));
}

/** Hinge at an implied difference of 1 (SLiC, Zhao et al. 2023). */
export function hingeLoss(x: Pairs, beta: number): Tensor {
  const { w, l } = impliedRewards(x, beta);
  return relu(sub(1, sub(w, l)));
}

/** KTO (Ethayarajh et al. 2024): single examples. desirable: 1 or 0; kl: what the policy moved from the reference on average, a constant. */
export function ktoLoss(
  x: { readonly logProb: Tensor; readonly reference: Tensor; readonly desirable: Tensor },
  c: { readonly beta: number; readonly kl: Operand; readonly weightDesirable: number; readonly weightUndesirable: number },
): Tensor {
  const z = mul(sub(sub(x.logProb, x.reference), c.kl), c.beta);
  // 1 - sigmoid(z) = exp(-softplus(z))
  const good = mul(exp(neg(softplus(z))), c.weightDesirable);
  const bad = mul(exp(neg(softplus(neg(z)))), c.weightUndesirable);
  return add(mul(x.desirable, good), mul(sub(1, x.desirable), bad));
}

/** Reward model (Bradley and Terry 1952): -log sigmoid(s_w - s_l - margin) + centre (s_w + s_l)^2. */
export function bradleyTerryLoss(
  scoreW: Tensor,
  scoreL: Tensor,
  options: { readonly margin?: Tensor; readonly centre?: number } = {},
): Tensor {
  const difference = sub(scoreW, scoreL);
  const ahead = options.margin === undefined ? difference : sub(difference, options.margin);
  const plain = negLogSigmoid(ahead);
  return options.centre === undefined ? plain : add(plain, mul(square(add(scoreW, scoreL)), options.centre));
}

/** Plackett-Luce: scores [N] from best to worst; each is the choice among those left. One number [1]. */
export function plackettLuceLoss(scores: Tensor): Tensor {
  const n = scores.shape[0]!;
  return Array.from({ length: n }, (_, i) =>
    reshape(sub(logsumexp(sliceAxis(scores, 0, i, n - i)), sliceAxis(scores, 0, i, 1)), [1]),
  ).reduce((a, b) => add(a, b));
}

/** Process rewards: cross-entropy of step labels (1 right, 0 wrong) from logits, one number per step. */
export const stepLoss = (logits: Tensor, labels: Tensor): Tensor =>
  add(mul(labels, softplus(neg(logits))), mul(sub(1, labels), softplus(logits)));
