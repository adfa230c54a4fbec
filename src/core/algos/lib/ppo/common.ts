/**
 * What all forms of PPO share (Schulman et al. 2017): settings, team rewards, the clipped objective, epochs of minibatches.
 *   policy  -mean F min(r A, clip(r, 1 - e, 1 + e) A),   r = exp(logp - oldLogp), F: HAPPO's factor, 1 elsewhere
 *   value   mean max(h(R - v), h(R - vOld - clip(v - vOld, -e, e))),   h(x) = x^2 / 2, or Huber's with slope d beyond d
 *   loss    policy - entropyCoef * entropy + valueCoef * value
 * Means are over all rows (CleanRL), or weighted (MAPPO's and HARL's code). Defaults of the settings are CleanRL's ppo.py (4 x 128),
 * except that time limits bootstrap.
 */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Operand } from '#core/engine/ops.ts';
import {
  abs,
  add,
  clip,
  div,
  exp,
  gt,
  huber,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  reshape,
  sqrt,
  square,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import type { Program, Shape, Tensor, Views } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Packed } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import { sampleCategories, sampleGaussians } from '#math/sampling.ts';
import * as fields from '../../api/fields.ts';
import { checkFinite } from '../../api/guards.ts';
import { episodeMetrics } from '../../api/metrics.ts';

const source = 'CleanRL ppo.py';

/** What a config holds of these fields. */
export type Settings<Fields extends { readonly [name: string]: z.ZodType }> = { readonly [K in keyof Fields]: z.infer<Fields[K]> };

/** Fields that PPO's forms share, with the defaults of ppo.ts. */
export const commonFields = {
  lr: fields.lr(2.5e-4, source, { description: 'Initial step size of Adam.' }),
  annealLr: fields.annealLr(true, source),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(0.95, source),
  bootstrapAtTruncation: fields.bootstrapAtTruncation(true, 'Pardo et al. 2018; off in CleanRL ppo.py'),
  envs: fields.numEnvs(4, source),
  rolloutSteps: fields.rolloutSteps(128, source),
  minibatches: fields.minibatches(4, source),
  epochs: fields.epochs(4, source),
  clip: fields.clipRange(0.2, source),
  clipValue: fields.clipValue(true, source),
  entropyCoef: fields.entropyCoef(0.01, source),
  valueCoef: fields.valueCoef(0.5, source),
  maxGradNorm: fields.maxGradNorm(0.5, source, { slider: [0.1, 10], log: true }),
  adamEps: fields.adamEps(1e-5, source),
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, the same for policy and value.' }),
  activation: fields.activation('tanh', source),
  normaliseObs: fields.normaliseObs(false, 'on in CleanRL ppo_continuous_action.py'),
};

export type CommonSettings = Settings<typeof commonFields>;

export const ppoMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'policyLoss', title: 'policy loss', description: 'Clipped surrogate, mean over the last epoch of the update.' },
  { id: 'valueLoss', title: 'value loss', description: 'Half the mean squared error of the value; near 0 once returns are predictable.' },
  { id: 'entropy', title: 'entropy', description: 'Of the action distribution; ln(number of actions) is uniform.', unit: 'nats' },
  { id: 'approxKl', title: 'approximate KL', description: 'Between the policies before and after the update (k3 estimate).', unit: 'nats' },
  { id: 'clipFraction', title: 'clip fraction', description: 'Share of actions whose probability ratio left the clip range.' },
  {
    id: 'explainedVariance',
    title: 'explained variance',
    description: 'Share of the variance of returns that the value predicts; 1 is perfect.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, mean over the last epoch.' },
  { id: 'learningRate', title: 'learning rate', description: 'After annealing.' },
];

/** Mean over rows [M] -> []: `mean`, or weighted so that rows of weight 0 leave the mean instead of counting as 0 (Yu et al. 2022). */
export type Average = (x: Tensor) => Tensor;

/** sum(w x) / sum(w), rows [M] -> []; 0 where all weights are 0. */
export const weightedMean = (x: Tensor, weight: Tensor): Tensor => div(sum(mul(x, weight)), maximum(sum(weight), 1));

/** Means over the rows that count for the policy and for the value; without masks over all. */
export function averagesOf({
  policyMask,
  valueMask,
}: {
  readonly policyMask?: Tensor | undefined;
  readonly valueMask?: Tensor | undefined;
}) {
  const over = (mask: Tensor | undefined): Average => (mask === undefined ? mean : (each) => weightedMean(each, mask));
  return { average: over(policyMask), valueAverage: over(valueMask) };
}

/**
 * (x - mean) / (std + eps) with the mean and standard deviation of the entries of mask 1; `ddof` 1 divides by their number - 1. The shape
 * of `x` and `mask` is any. Where the whole mask is 1 executors give the bits of standardise().
 */
export function standardiseMasked(x: Tensor, mask: Tensor, ddof: 0 | 1 = 1, eps = 1e-8): Tensor {
  const count = sum(mask);
  const share = (total: Tensor, n: Tensor): Tensor => mul(total, div(1, maximum(n, 1)));
  const centred = sub(x, share(sum(mul(x, mask)), count));
  const variance = share(sum(mul(square(centred), mask)), ddof === 0 ? count : sub(count, 1));
  const some = gt(variance, 0);
  // The slope of sqrt at 0 is infinite: equal elements would get NaN for a gradient.
  return div(centred, add(mul(sqrt(where(some, variance, 1)), some), eps));
}

export interface PolicyTerms {
  readonly loss: Tensor; // []
  readonly ratio: Tensor; // [M]
  /** mean(r - 1 - ln r): Schulman's k3, never negative. */
  readonly kl: Tensor; // []
  readonly clipFraction: Tensor; // []
}

/**
 * The clipped surrogate of rows [M]. `clipRange` [1] or a number: a tensor may change during training. `factor` [M]: the product of
 * the new / old ratios of the agents updated before (HAPPO, Kuba et al. 2022).
 */
export function clippedSurrogate(
  logProb: Tensor,
  oldLogProb: Tensor,
  advantage: Tensor,
  clipRange: Operand,
  average: Average = mean,
  factor?: Tensor,
): PolicyTerms {
  const epsilon = typeof clipRange === 'number' ? logProb.graph.constant(clipRange) : clipRange;
  const logRatio = sub(logProb, oldLogProb);
  const ratio = exp(logRatio);
  const clipped = minimum(maximum(ratio, sub(1, epsilon)), add(epsilon, 1));
  const objective = minimum(mul(ratio, advantage), mul(clipped, advantage));
  return {
    loss: neg(average(factor === undefined ? objective : mul(factor, objective))),
    ratio,
    kl: average(sub(sub(ratio, 1), logRatio)),
    clipFraction: average(gt(abs(sub(ratio, 1)), epsilon)),
  };
}

/** Value errors [M], not yet averaged. clipRange null: no clipping; huberDelta null: squared. */
export function clippedValueError(
  value: Tensor,
  oldValue: Tensor,
  target: Tensor,
  clipRange: Tensor | null,
  huberDelta: number | null = null,
): Tensor {
  const error = (e: Tensor): Tensor => (huberDelta === null ? mul(square(e), 0.5) : huber(e, huberDelta));
  const plain = error(sub(target, value));
  if (clipRange === null) return plain;
  const moved = add(oldValue, clip(sub(value, oldValue), neg(clipRange), clipRange));
  return maximum(plain, error(sub(target, moved)));
}

/** Inputs of a learning program over M rows besides the observations and actions; `oldValue` only where values are clipped. */
export const policyInputs = (rows: number) => ({ oldLogProb: [rows], advantage: [rows], clip: [1], entropyCoef: [1] }) as const;
export const valueInputs = (rows: number, clipValue: boolean) =>
  ({ target: [rows], oldValue: clipValue ? [rows] : null, clip: [1] }) as const satisfies { readonly [name: string]: Shape | null };
export const lossInputs = (rows: number, clipValue: boolean) =>
  ({ ...policyInputs(rows), ...valueInputs(rows, clipValue), valueCoef: [1] }) as const;

type Inputs<Names extends string> = { readonly [K in Names]: Tensor };
export type PolicyInputs = Inputs<'oldLogProb' | 'advantage' | 'clip' | 'entropyCoef'>;
export type ValueInputs = Inputs<'target' | 'clip'> & { readonly oldValue: Tensor | undefined };
export type LossInputs = PolicyInputs & ValueInputs & Inputs<'valueCoef'>;

export interface LossOptions {
  /** Means over the rows that count for the policy, and for the value; all rows by default. */
  readonly average?: Average;
  readonly valueAverage?: Average;
  /** The input `advantage` unless given, standardised say. */
  readonly advantage?: Tensor;
  readonly huberDelta?: number | null;
  /** See clippedSurrogate. */
  readonly factor?: Tensor;
}

/** `logProb` [M] of the actions taken; `entropy` [M], or [] where it is the same for all rows. */
export interface Evaluation {
  readonly logProb: Tensor;
  readonly entropy: Tensor;
}

/** The clipped objective with its entropy bonus, and what is reported of it. */
export function policyObjective(x: PolicyInputs, { logProb, entropy }: Evaluation, options: LossOptions = {}) {
  const { average = mean, advantage = x.advantage, factor } = options;
  const policy = clippedSurrogate(logProb, x.oldLogProb, advantage, x.clip, average, factor);
  const bonus = average(entropy);
  const loss = reshape(sub(policy.loss, mul(x.entropyCoef, bonus)), []);
  return { loss, policyLoss: policy.loss, entropy: bonus, approxKl: policy.kl, clipFraction: policy.clipFraction };
}

/** Mean error of the values [M]; they are clipped where there is an input `oldValue`. */
export function valueObjective(x: ValueInputs, value: Tensor, { valueAverage = mean, huberDelta = null }: LossOptions = {}): Tensor {
  const { oldValue } = x;
  return valueAverage(clippedValueError(value, oldValue ?? value, x.target, oldValue === undefined ? null : x.clip, huberDelta));
}

/** Policy and value together. */
export function ppoLoss(x: LossInputs, { value, ...of }: Evaluation & { readonly value: Tensor }, options: LossOptions = {}) {
  const policy = policyObjective(x, of, options);
  const valueLoss = valueObjective(x, value, options);
  return { ...policy, valueLoss, loss: reshape(add(policy.loss, mul(x.valueCoef, valueLoss)), []) };
}

/** What a policy head gives: ln p of every action [rows, N], or mean and log std [rows, D]. */
export type HeadViews = { readonly logProbs: Float32Array } | { readonly mean: Float32Array; readonly logStd: Float32Array };

/** Draws an action for every row, `width` categories or numbers: to `actions` as drawn and ln p to `logProbs`, both from row `at` on. */
export function sampleActions(
  out: HeadViews,
  width: number,
  rows: number,
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
): void {
  if ('logProbs' in out) sampleCategories(out.logProbs, width, rows, rng, actions, logProbs, at);
  else sampleGaussians(out.mean, out.logStd, width, rows, rng, actions, logProbs, at);
}

export const REPORTED = ['policyLoss', 'valueLoss', 'entropy', 'approxKl', 'clipFraction', 'gradNorm'] as const;
/** Means over the minibatches of the last epoch; outputs that the program does not have are missing. */
export type UpdateReport = { [K in (typeof REPORTED)[number]]?: number } & { [penalty: string]: number };

export interface EpochOptions extends Pick<CommonSettings, 'lr' | 'epochs' | 'minibatches' | 'clip' | 'entropyCoef' | 'valueCoef'> {
  /** The epochs end once the approximate KL exceeds 1.5 times this; null: never. */
  readonly targetKl?: number | null;
}

/**
 * Epochs of shuffled minibatches: `shuffle` before every epoch, then for every minibatch of `size` places `gather(from)` feeds the places
 * from .. from + size - 1 of the shuffled order and `learn` takes one optimiser step. `look` sees what each gave; `more`: further outputs that
 * are reported.
 */
export async function minibatchEpochs(
  learn: Program<Views, Views>,
  size: number,
  options: EpochOptions,
  shuffle: () => void,
  gather: (from: number) => void,
  look: ((outputs: Views) => void) | null = null,
  more: readonly string[] = [],
): Promise<UpdateReport> {
  const { lr, clip: range, entropyCoef, valueCoef, targetKl = null } = options;
  for (const [name, number] of Object.entries({ lr, clip: range, entropyCoef, valueCoef })) learn.in[name]?.fill(number);
  let report: UpdateReport = {};
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle();
    report = {};
    // Reading back costs a round trip on a GPU, so only the epoch that is reported is read.
    const read = targetKl !== null || look !== null || epoch === options.epochs - 1;
    for (let k = 0; k < options.minibatches; k++) {
      gather(k * size);
      const pending = learn.run({ read });
      if (pending) await pending;
      if (!read) continue;
      look?.(learn.out);
      for (const name of [...REPORTED, ...more]) {
        const found = learn.out[name];
        if (found !== undefined) report[name] = (report[name] ?? 0) + found[0]! / options.minibatches;
      }
    }
    if (targetKl !== null && (report.approxKl ?? 0) > 1.5 * targetKl) break;
  }
  return report;
}

/** Throws LabError('nan-loss') if the losses or the gradient norm of an update are not finite. `step`: environment steps by then. */
export function checkUpdate(step: number, { policyLoss = 0, valueLoss = 0, gradNorm = 0 }: UpdateReport): void {
  checkFinite(step, { policyLoss, valueLoss, gradNorm });
}

/** Throws LabError('config-invalid') unless this many rows (or what `what` names) make equal minibatches. */
export function checkMinibatches(rows: number, minibatches: number, what = `A rollout of ${rows} rows`, field = 'minibatches'): void {
  if (rows % minibatches === 0) return;
  const message = `${what} cannot be split into ${minibatches} equal minibatches.`;
  throw fail('config-invalid', message, `Choose minibatches that divide ${rows}.`, `algo.${field}`);
}

/** Throws LabError('config-invalid') where observations are to be normalised that are no plain numbers. */
export function checkNormalised(meta: EnvMeta, normaliseObs: boolean): void {
  if (!normaliseObs || meta.agents.every(({ obs }) => obs.kind === 'box')) return;
  const message = 'One-hot codes and numbered states cannot be normalised.';
  throw fail('config-invalid', message, 'Set normaliseObs to false.', 'algo.normaliseObs');
}

/** Observations normalised by running moments, and scaled rewards, are clipped to +- this. */
export const CLIP_NORMALISED = 10;

/** `into` as a snapshot holds it under this name; null if it holds none. Throws LabError('file-invalid') for another size. */
export function savedPacked<P extends Packed>({ arrays }: Saved, name: string, into: P): P | null {
  const packed = arrays[name];
  if (packed === undefined) return null;
  if (!(packed instanceof Float64Array) || packed.length !== into.pack().length)
    throw fail('file-invalid', `This policy does not fit its own settings: "${name}" has another size.`, 'Save it again.');
  into.unpack(packed);
  return into;
}
