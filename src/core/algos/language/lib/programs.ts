/**
 * Programs of policies on tokens over whole rows: ids [rows, T] of one place fewer than the context, and the tokens that follow them.
 * One learning program serves the published group methods; which one it is stands in the options.
 */
import { broadcastTo, eq, exp, gt, iota, logSoftmax, mul, neg, pick, reshape, stopGradient, sub, sum, where } from '#core/engine/ops.ts';
import { adamW } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import { type TransformerShape, tokenLogits, transformerStates, type Weights } from '#core/nets/transformer.ts';
import { type PolicyLossOptions, policyLoss } from './policy-loss.ts';

export interface LearnerOptions extends PolicyLossOptions {
  /** Above 0 there is an input for the reference's log-probabilities. */
  readonly klCoef: number;
  readonly maxGradNorm: number;
}

/** Log-probabilities and entropy of the next token at every place but the last: ids [B, T + 1] -> [B, T]. */
function scored(shape: TransformerShape, w: Weights, x: { readonly ids: Tensor; readonly targets: Tensor }) {
  const [B, T] = x.ids.shape as [number, number];
  const positions = broadcastTo(iota(x.ids.graph, T), [B, T]);
  const { states } = transformerStates(shape, w, { ids: x.ids, positions });
  const logp = logSoftmax(tokenLogits(shape, w, states));
  return { logProb: pick(logp, x.targets), entropy: neg(sum(mul(exp(logp), logp), -1)) };
}

/** One update over `rows` rows; the loss is a sum over tokens of `weight` times their term (policy-loss.ts). */
export function compileLearner(
  engine: Engine,
  shape: TransformerShape,
  group: ParamGroup,
  weights: (g: Graph) => Weights,
  c: LearnerOptions,
  rows: number,
) {
  const T = shape.context - 1;
  const each = [rows, T] as const;
  return engine.compile(
    {
      ids: each,
      targets: each,
      mask: each,
      weight: each,
      advantage: [rows],
      old: each,
      reference: c.klCoef > 0 ? each : null,
      first: [1],
      low: [1],
      high: [1],
      klCoef: [1],
      entropyCoef: [1],
    },
    (x, g) => {
      const { logProb, entropy } = scored(shape, weights(g), x);
      // on the first update these are the very numbers it was sampled from
      const old = where(broadcastTo(reshape(gt(x.first, 0), [1, 1]), each), stopGradient(logProb), x.old);
      const found = policyLoss(
        {
          logProb,
          old,
          ...(x.reference !== undefined && { reference: x.reference }),
          entropy,
          advantage: broadcastTo(reshape(x.advantage, [rows, 1]), each),
          mask: x.mask,
          weight: x.weight,
          low: x.low,
          high: x.high,
          klCoef: x.klCoef,
          entropyCoef: x.entropyCoef,
        },
        c,
      );
      return { ...found, loss: reshape(found.loss, []), logProb, entropySum: sum(mul(entropy, x.mask)) };
    },
    { minimise: 'loss', group, with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }), maxGradNorm: c.maxGradNorm, name: 'group learn' },
  );
}

/** One update on demonstrations: -sum of weight x log-probability. */
export function compileCloner(engine: Engine, shape: TransformerShape, group: ParamGroup, weights: (g: Graph) => Weights, rows: number) {
  const each = [rows, shape.context - 1] as const;
  return engine.compile(
    { ids: each, targets: each, weight: each },
    (x, g) => ({ loss: reshape(neg(sum(mul(scored(shape, weights(g), x).logProb, x.weight))), []) }),
    { minimise: 'loss', group, with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }), maxGradNorm: 1, name: 'clone' },
  );
}

/** Log-probabilities of given tokens, nothing learned. */
export function compileScorer(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, rows: number) {
  const each = [rows, shape.context - 1] as const;
  return engine.compile({ ids: each, targets: each }, (x, g) => ({ logProb: scored(shape, weights(g), x).logProb }), { name: 'score' });
}

/** The next token's logits from whole rows as they are observed. */
export function compilePolicy(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, rows: number) {
  const T = shape.context;
  return engine.compile(
    { obs: [rows, T] },
    ({ obs }, g) => {
      const w = weights(g);
      const { states } = transformerStates(shape, w, { ids: obs, positions: broadcastTo(iota(g, T), [rows, T]) });
      const last = sub(sum(gt(obs, 0), 1), 1); // no token lies behind a 0
      const hot = eq(reshape(last, [rows, 1]), iota(g, T));
      return { logits: tokenLogits(shape, w, sum(mul(states, reshape(hot, [rows, T, 1])), 1)) };
    },
    { name: 'policy' },
  );
}
