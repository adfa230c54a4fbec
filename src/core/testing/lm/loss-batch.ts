/** Rows of a golden case of losses, and the policy loss on them with its gradients: what the cases of all matters share. */
import { present } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Rows } from '#math/credit.ts';
import { type Averaging, groupAdvantages, rowWeights, whitened } from '#math/groups.ts';
import { type PolicyLossOptions, policyLoss, ratioTerm } from '../../algos/language/lib/policy-loss.ts';
import { gradients } from '../../engine/autodiff.ts';
import { add, exp, logSoftmax, mul, neg, pick, reshape, sum } from '../../engine/ops.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import { compute, LmCase, type Values, valuesOf } from './case.ts';

export type Runner = (engine: Engine, c: LmCase) => void | Promise<void>;

export const numbers = (json: Json | undefined): number[] => [...valuesOf(json, 'result').data];

export function rowsOf(json: Json | undefined): number[][] {
  const { shape, data } = valuesOf(json, 'result');
  const [n = 0, width = 1] = shape;
  return Array.from({ length: n }, (_, i) => [...data.slice(i * width, (i + 1) * width)]);
}

export const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);

export const total = (rows: Rows): number => rows.flat().reduce((a, b) => a + b, 0);

export const map2 = (rows: Rows, f: (x: number, b: number, t: number) => number): number[][] =>
  rows.map((row, b) => row.map((x, t) => f(x, b, t)));

export const valuesFrom = (rows: Rows): Values => ({ shape: [rows.length, rows[0]?.length ?? 0], data: Float64Array.from(rows.flat()) });

export const one = (x: number): Values => ({ shape: [1], data: Float64Array.of(x) });

export const nestedLike = (flat: ArrayLike<number>, like: Rows): number[][] => map2(like, (_, b, t) => flat[b * like[0]!.length + t]!);

export const ADVANTAGES: { readonly [name: string]: (rewards: readonly number[], G: number) => Float64Array } = {
  grpo_ddof1_eps1e4: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'group' }),
  grpo_ddof0_eps1e6: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'group', ddof: 0, eps: 1e-6 }),
  dr_grpo: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'none' }),
  rloo: (r, G) => groupAdvantages(r, G, { baseline: 'leave-one-out', scale: 'none' }),
  batch_std: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'batch' }),
  group_mean_scaled: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'mean' }),
  reinforce_pp_baseline: (r, G) => whitened(groupAdvantages(r, G, { baseline: 'mean', scale: 'none' })),
};

/** The rows of a case named `batch`, and what follows from them. */
export class Batch {
  readonly G: number;
  readonly logits: Values;
  readonly referenceLogits: Values;
  readonly tokens: Values;
  readonly mask: number[][];
  readonly old: number[][];
  readonly rollout: number[][];
  readonly rewards: number[];
  readonly lengths: number[];
  readonly count: number;

  constructor(c: LmCase) {
    this.G = c.number('G');
    this.logits = c.values('logits');
    this.referenceLogits = c.values('ref_logits');
    this.tokens = c.values('tokens');
    this.mask = c.matrix('mask');
    this.old = c.matrix('old_logp');
    this.rollout = c.matrix('rollout_logp');
    this.rewards = c.numbers('rewards');
    this.lengths = this.mask.map((row) => row.reduce((a, b) => a + b, 0));
    this.count = total(this.mask);
  }

  static of(c: LmCase): Batch {
    const name = c.text('batch');
    const found = c.file.find((other) => other.name === name);
    if (found === undefined) throw new Error(`the file has no case "${name}"`);
    return new Batch(new LmCase(found, c.file));
  }

  /** Of the tokens taken, 0 off the mask: log-probabilities, entropies, ratios, log-probabilities under the reference. */
  async taken(
    engine: Engine,
    temperature = 1,
  ): Promise<{ logp: number[][]; entropy: number[][]; ratio: number[][]; reference: number[][] }> {
    const out = await compute(
      engine,
      { logits: this.logits, ref: this.referenceLogits, tokens: this.tokens, mask: valuesFrom(this.mask), old: valuesFrom(this.old) },
      (x) => {
        const all = logSoftmax(mul(x.logits, 1 / temperature));
        const logp = pick(all, x.tokens);
        return {
          logp: mul(logp, x.mask),
          entropy: mul(neg(sum(mul(exp(all), all), -1)), x.mask),
          ratio: mul(ratioTerm('token', logp, x.old, x.mask), x.mask),
          reference: mul(pick(logSoftmax(x.ref), x.tokens), x.mask),
        };
      },
    );
    const rows = (name: string): number[][] => rowsOf(out[name]);
    return { logp: rows('logp'), entropy: rows('entropy'), ratio: rows('ratio'), reference: rows('reference') };
  }

  /** By the names of the case "advantages". */
  advantages(name: string): number[] {
    const find = present(ADVANTAGES[name], `advantage "${name}"`);
    return [...find(this.rewards, this.G)];
  }
}

export interface Setting extends Partial<PolicyLossOptions> {
  /** Of rows, or of single tokens. */
  readonly advantage?: readonly number[] | Rows;
  readonly averaging?: Averaging;
  readonly longest?: number;
  readonly keep?: ArrayLike<number>;
  /** Weights of tokens in place of the averaging, and what the averaging's are multiplied with. */
  readonly weights?: Rows;
  readonly times?: Rows;
  readonly low?: number;
  readonly high?: number;
  /** In place of the case's. */
  readonly old?: Rows;
  readonly klTo?: Rows;
  readonly klCoef?: number | Rows;
  readonly entropyCoef?: number;
  /** Added to the loss. logp and entropy [B, T]. */
  readonly extra?: (x: { logp: Tensor; entropy: Tensor; mask: Tensor }) => Tensor;
}

/**
 * The policy loss of a batch. Checks what the case lists of loss, d_logits and coef: the gradient by the log-probability of each token, which
 * passes by what depends on its whole distribution (entropy).
 */
export async function ofBatch(engine: Engine, c: LmCase, b: Batch, s: Setting): Promise<void> {
  const weights = rowWeights(b.lengths, s.averaging ?? 'token', s.longest ?? b.mask[0]!.length, s.keep);
  const given: readonly (number | readonly number[])[] =
    s.advantage ?? b.advantages(c.has('advantage') ? c.text('advantage') : 'grpo_ddof1_eps1e4');
  const each = (per: readonly (number | readonly number[])[]): number[][] =>
    map2(b.mask, (_, row, t) => {
      const value = per[row]!;
      return typeof value === 'number' ? value : value[t]!;
    });
  const klCoef = s.klCoef ?? 0;
  const feeds = {
    logits: b.logits,
    tokens: b.tokens,
    mask: valuesFrom(b.mask),
    old: valuesFrom(s.old ?? b.old),
    reference: valuesFrom(s.klTo ?? b.old),
    advantage: valuesFrom(each(given)),
    weight: valuesFrom(s.weights ?? map2(b.mask, (m, row, t) => m * weights[row]! * (s.times?.[row]?.[t] ?? 1))),
    low: one(s.low ?? c.number('clip_low', 0.2)),
    high: one(s.high ?? c.number('clip_high', 0.2)),
    klCoef: typeof klCoef === 'number' ? one(klCoef) : valuesFrom(klCoef),
    entropyCoef: one(s.entropyCoef ?? 0),
  };
  const { ratio = 'token', surrogate = 'clip', kl, dual, preserve } = s;
  const found = await compute(engine, feeds, (x) => {
    const all = logSoftmax(x.logits);
    const logp = pick(all, x.tokens);
    const entropy = neg(sum(mul(exp(all), all), -1));
    const options = { ratio, surrogate, ...(kl && { kl }), ...(dual !== undefined && { dual }), ...(preserve && { preserve }) };
    const { loss: policy } = policyLoss({ ...x, logProb: logp, entropy }, options);
    const loss = s.extra === undefined ? policy : add(policy, s.extra({ logp, entropy, mask: x.mask }));
    return { loss: reshape(loss, []), coef: gradients(loss, [logp])[0]!, d_logits: gradients(loss, [x.logits])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

const plain: Partial<PolicyLossOptions> = { surrogate: 'none' };

/** Likelihood of rows with a weight each: loss = -sum w logp over `by`. */
export const likelihood = (engine: Engine, c: LmCase, b: Batch, weights: ArrayLike<number>, by: number): Promise<void> =>
  ofBatch(engine, c, b, { ...plain, advantage: b.rewards.map(() => 1), weights: map2(b.mask, (m, row) => (m * weights[row]!) / by) });

const AVERAGES: { readonly [name: string]: Averaging } = {
  seq_mean_token_mean: 'sequence',
  token_mean: 'token',
  constant: 'constant',
  seq_mean_token_sum: 'sum',
};

/** By the field `aggregate`, else by what follows "aggregate_" in the name. */
export function averagingOf(c: LmCase): Averaging {
  if (!c.has('aggregate') && !c.name.startsWith('aggregate_')) return 'token';
  const words = c.has('aggregate') ? c.text('aggregate') : c.name.slice('aggregate_'.length);
  const name = Object.keys(AVERAGES).find((known) => words.startsWith(known));
  return present(name === undefined ? undefined : AVERAGES[name], `averaging "${words}"`);
}

/** Clipped ratios and the fields of the input. */
export async function clipped(engine: Engine, c: LmCase, more: Setting = {}): Promise<void> {
  const b = Batch.of(c);
  await ofBatch(engine, c, b, { averaging: averagingOf(c), ...(c.has('L_max') && { longest: c.number('L_max') }), ...more });
}

/** Likelihood of chosen rows alone, mean over their tokens. */
export const chosen = (b: Batch, rows: number[]): { weights: number[]; by: number; rows: number[] } => ({
  weights: b.rewards.map((_, i) => Number(rows.includes(i))),
  by: rows.reduce((n, row) => n + b.lengths[row]!, 0),
  rows,
});

export const beta = (c: LmCase): number => c.number('beta');

/** What published methods pay a token, where no world of ours does: the reward at the last token of a row, minus a penalty at each: [B, T], 0 off the mask. */
export function tokenRewards(rewards: readonly number[], mask: Rows, penalty: Rows): number[][] {
  return mask.map((row, b) => {
    const last = row.lastIndexOf(1);
    return row.map((m, t) => (m === 0 ? 0 : (t === last ? rewards[b]! : 0) - penalty[b]![t]!));
  });
}
