/** The learning program of preferences between answers: one update of a policy on tokens by one of the losses of ../../lib/preference-loss.ts. */
import { mean, mul, relu, reshape, sliceAxis, stopGradient, sub, sum } from '#core/engine/ops.ts';
import { adamW } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { TransformerShape, Weights } from '#core/nets/transformer.ts';
import { dpoLoss, ipoLoss, ktoLoss, type Pairs, simpoLoss } from '../../lib/preference-loss.ts';
import { type LineShape, tokenInputs } from './packing.ts';
import { scored } from './programs.ts';

export interface PreferenceOptions {
  readonly loss: 'dpo' | 'ipo' | 'simpo' | 'kto';
  readonly beta: number;
  /** dpo: chance that a label is wrong. */
  readonly smoothing: number;
  /** simpo. */
  readonly margin: number;
  readonly maxGradNorm: number;
}

/**
 * One update over `rows` answers of as many lines each: the sum over comparisons of `weight` times their loss. Of pairs the first half of the
 * rows is preferred to the second, row by row; kto takes every row by itself. mask: 1 where the token was written; length: tokens of the
 * answer; reference: its log-probability under the reference. `logProb` [rows] is that of the answers before the update.
 */
export function compilePreferenceLearner(
  engine: Engine,
  net: { readonly shape: TransformerShape; readonly group: ParamGroup; readonly weights: (g: Graph) => Weights },
  c: PreferenceOptions,
  rows: number,
  lines: LineShape,
) {
  const answer = (lines.lines / rows) * lines.places;
  const single = c.loss === 'kto';
  const pairs = rows / 2;
  return engine.compile(
    {
      ...tokenInputs(lines),
      mask: [lines.lines, lines.places],
      length: [rows],
      weight: [single ? rows : pairs],
      reference: c.loss === 'simpo' ? null : [rows],
      desirable: single ? [rows] : null,
    },
    (x, g) => {
      const { logProb: tokens } = scored(net.shape, net.weights(g), x, lines);
      const logProb = sum(reshape(mul(tokens, x.mask), [rows, answer]), 1);
      const reference = x.reference ?? stopGradient(logProb);
      const loss = x.desirable === undefined ? pairLoss(c, logProb, reference, x.length) : singleLoss(c, logProb, reference, x.desirable);
      return { loss: reshape(sum(mul(x.weight, loss)), []), logProb };
    },
    {
      minimise: 'loss',
      group: net.group,
      with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }),
      maxGradNorm: c.maxGradNorm,
      name: 'preference learn',
    },
  );
}

function pairLoss({ loss, beta, smoothing, margin }: PreferenceOptions, logProb: Tensor, reference: Tensor, length: Tensor): Tensor {
  const n = (logProb.shape[0] ?? 0) / 2;
  const w = (of: Tensor): Tensor => sliceAxis(of, 0, 0, n);
  const l = (of: Tensor): Tensor => sliceAxis(of, 0, n, n);
  const pairs: Pairs = {
    logProbW: w(logProb),
    logProbL: l(logProb),
    referenceW: w(reference),
    referenceL: l(reference),
    lengthW: w(length),
    lengthL: l(length),
  };
  switch (loss) {
    case 'ipo':
      return ipoLoss(pairs, beta, 'sum');
    case 'simpo':
      return simpoLoss(pairs, beta, margin);
    default:
      return dpoLoss(pairs, beta, smoothing);
  }
}

function singleLoss({ beta }: PreferenceOptions, logProb: Tensor, reference: Tensor, desirable: Tensor): Tensor {
  const kl = stopGradient(relu(mean(sub(logProb, reference))));
  return ktoLoss({ logProb, reference, desirable }, { beta, kl, weightDesirable: 1, weightUndesirable: 1 });
}
