/**
 * Golden cases of lm-policy-losses.json: losses with their gradients, advantages, credit, preferences, control of entropy and KL. Several
 * cases have the same inputs and differ in the rule alone, so a case is known by the beginning of its name. `batch` names a case of the same
 * file whose rows it uses.
 */
import { present } from '#contract/errors.ts';
import type { Json } from '#contract/json.ts';
import { entropyController, klController, movedReference, promptWeight, uniformChance } from '#math/controllers.ts';
import {
  columnAdvantages,
  combineSteps,
  cosineLengthReward,
  durationWeights,
  importance,
  potentialShaping,
  type Rows,
  returnsToGo,
  rowAdvantages,
  spreadTurns,
  stagedReward,
  stepEndRewards,
  stepLabels,
  suffixMinima,
  tokenRewards,
} from '#math/credit.ts';
import {
  type Averaging,
  bestRows,
  exponentialWeights,
  groupAdvantages,
  groupDeviations,
  isUniform,
  mixedGroups,
  overlongPenalty,
  RoleBaselines,
  rowWeights,
  softmaxWeights,
  stratifiedAdvantages,
  whitened,
  winShares,
} from '#math/groups.ts';
import {
  demonstrationTerm,
  exactKl,
  klTerm,
  outsideBand,
  type PolicyLossOptions,
  policyLoss,
  ratioTerm,
} from '../../algos/language/lib/policy-loss.ts';
import {
  bradleyTerryLoss,
  dpoLoss,
  hingeLoss,
  impliedRewards,
  ipoLoss,
  ktoLoss,
  orpoLoss,
  type Pairs,
  plackettLuceLoss,
  simpoLoss,
  stepLoss,
} from '../../algos/language/lib/preference-loss.ts';
import { clippedValueError } from '../../algos/lib/ppo/common.ts';
import { gradients } from '../../engine/autodiff.ts';
import { add, exp, logSoftmax, mean, mul, neg, pick, reshape, sum } from '../../engine/ops.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import { compute, LmCase, objectOf, type Values, valuesOf } from './case.ts';

type Runner = (engine: Engine, c: LmCase) => void | Promise<void>;

const numbers = (json: Json | undefined): number[] => [...valuesOf(json, 'result').data];
function rowsOf(json: Json | undefined): number[][] {
  const { shape, data } = valuesOf(json, 'result');
  const [n = 0, width = 1] = shape;
  return Array.from({ length: n }, (_, i) => [...data.slice(i * width, (i + 1) * width)]);
}
const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
const total = (rows: Rows): number => rows.flat().reduce((a, b) => a + b, 0);
const map2 = (rows: Rows, f: (x: number, b: number, t: number) => number): number[][] =>
  rows.map((row, b) => row.map((x, t) => f(x, b, t)));
const valuesFrom = (rows: Rows): Values => ({ shape: [rows.length, rows[0]?.length ?? 0], data: Float64Array.from(rows.flat()) });
const one = (x: number): Values => ({ shape: [1], data: Float64Array.of(x) });

/** The rows of a case named `batch`, and what follows from them. */
class Batch {
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

const ADVANTAGES: { readonly [name: string]: (rewards: readonly number[], G: number) => Float64Array } = {
  grpo_ddof1_eps1e4: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'group' }),
  grpo_ddof0_eps1e6: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'group', ddof: 0, eps: 1e-6 }),
  dr_grpo: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'none' }),
  rloo: (r, G) => groupAdvantages(r, G, { baseline: 'leave-one-out', scale: 'none' }),
  batch_std: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'batch' }),
  group_mean_scaled: (r, G) => groupAdvantages(r, G, { baseline: 'mean', scale: 'mean' }),
  reinforce_pp_baseline: (r, G) => whitened(groupAdvantages(r, G, { baseline: 'mean', scale: 'none' })),
};

interface Setting extends Partial<PolicyLossOptions> {
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
async function ofBatch(engine: Engine, c: LmCase, b: Batch, s: Setting): Promise<void> {
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
const likelihood = (engine: Engine, c: LmCase, b: Batch, weights: ArrayLike<number>, by: number): Promise<void> =>
  ofBatch(engine, c, b, { ...plain, advantage: b.rewards.map(() => 1), weights: map2(b.mask, (m, row) => (m * weights[row]!) / by) });

async function batchCase(engine: Engine, c: LmCase): Promise<void> {
  const b = new Batch(c);
  const at = await b.taken(engine);
  c.check('logp', at.logp, 'program');
  c.check('entropy', at.entropy, 'program');
  c.check('ref_logp', at.reference, 'program');
  c.check('ratio', at.ratio, 'program');
  c.check(
    'sequence_logp',
    at.logp.map((row) => row.reduce((x, y) => x + y, 0)),
    'program',
  );
  c.check('lengths', b.lengths);
  c.check('mean_entropy_tokens', total(at.entropy) / b.count, 'program');
  for (const key of Object.keys(c.expected)) {
    const [, what, whole, part] = /^(logp_temperature|entropy_temperature|clip_fraction)_(\d+)_(\d+)$/.exec(key) ?? [];
    if (what === undefined) continue;
    const x = Number(`${whole}.${part}`);
    if (what === 'clip_fraction') {
      const outside = map2(at.ratio, (r, row, t) => (b.mask[row]![t] === 1 && Math.abs(r - 1) > x ? 1 : 0));
      c.check(key, total(outside) / b.count, 'program');
      continue;
    }
    const cooled = await b.taken(engine, x);
    c.check(key, what === 'logp_temperature' ? cooled.logp : cooled.entropy, 'program');
  }
}

function advantagesCase(_: Engine, c: LmCase): void {
  const b = Batch.of(c);
  for (const name of Object.keys(ADVANTAGES)) if (c.expected[name] !== undefined) c.check(name, b.advantages(name));
  const uniform = Array.from({ length: b.rewards.length / b.G }, (_v, g) => Number(isUniform(b.rewards, g * b.G, b.G)));
  c.check('zero_variance_groups', uniform);
  c.check('zero_variance_fraction', average(uniform));
  c.check('difficulty_weight_std', [...groupDeviations(b.rewards, b.G)]);
}

const AVERAGES: { readonly [name: string]: Averaging } = {
  seq_mean_token_mean: 'sequence',
  token_mean: 'token',
  constant: 'constant',
  seq_mean_token_sum: 'sum',
};

/** By the field `aggregate`, else by what follows "aggregate_" in the name. */
function averagingOf(c: LmCase): Averaging {
  if (!c.has('aggregate') && !c.name.startsWith('aggregate_')) return 'token';
  const words = c.has('aggregate') ? c.text('aggregate') : c.name.slice('aggregate_'.length);
  const name = Object.keys(AVERAGES).find((known) => words.startsWith(known));
  return present(name === undefined ? undefined : AVERAGES[name], `averaging "${words}"`);
}

/** Clipped ratios and the fields of the input. */
async function clipped(engine: Engine, c: LmCase, more: Setting = {}): Promise<void> {
  const b = Batch.of(c);
  await ofBatch(engine, c, b, { averaging: averagingOf(c), ...(c.has('L_max') && { longest: c.number('L_max') }), ...more });
}

async function klCase(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { reference } = await b.taken(engine);
  const per: { [kind: string]: Json } = {};
  const means: { [kind: string]: Json } = {};
  const feeds = { logits: b.logits, ref: b.referenceLogits, tokens: b.tokens, mask: valuesFrom(b.mask), reference: valuesFrom(reference) };
  for (const kind of ['k1', 'k2', 'k3'] as const) {
    const out = await compute(engine, feeds, (x) => {
      const logp = pick(logSoftmax(x.logits), x.tokens);
      const term = mul(klTerm(kind, logp, x.reference), x.mask);
      const loss = mul(sum(term), 1 / b.count);
      return { term, loss: reshape(loss, []), coef: gradients(loss, [logp])[0]! };
    });
    per[kind] = present(out.term, 'the terms');
    means[kind] = present(out.loss, 'their mean');
    c.check(`coef_${kind}`, out.coef, 'program');
  }
  c.check('per_token', per, 'program');
  c.check('mean', means, 'program');
  const exact = await compute(engine, feeds, (x) => {
    const term = mul(exactKl(x.logits, x.ref), x.mask);
    const loss = mul(sum(term), 1 / b.count);
    return { term, loss: reshape(loss, []), slope: gradients(loss, [x.logits])[0]! };
  });
  c.check('per_token_exact', exact.term, 'program');
  c.check('mean_exact', exact.loss, 'program');
  c.check('d_logits_exact', exact.slope, 'program');
}

async function dapo(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const over = objectOf(c.input.overlong, 'overlong');
  const penalty = b.lengths.map((n) => overlongPenalty(n, Number(over.L_max), Number(over.L_cache)));
  const shaped = b.rewards.map((r, i) => r + penalty[i]!);
  const keep = mixedGroups(b.rewards, b.G);
  const advantage = [...groupAdvantages(shaped, b.G, { baseline: 'mean', scale: 'group' })].map((a, i) => a * keep[i]!);
  c.check('overlong_penalty', penalty);
  c.check('shaped_reward', shaped);
  c.check('advantage', advantage);
  c.check(
    'keep_group',
    Array.from({ length: keep.length / b.G }, (_, g) => keep[g * b.G]!),
  );
  await ofBatch(engine, c, b, { keep, advantage });
}

async function gspo(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { logp } = await b.taken(engine);
  const out = await compute(engine, { logp: valuesFrom(logp), old: valuesFrom(b.old), mask: valuesFrom(b.mask) }, (x) => ({
    ratio: ratioTerm('sequence', x.logp, x.old, x.mask),
  }));
  c.check(
    'sequence_ratio',
    rowsOf(out.ratio).map((row) => row[0]!),
    'program',
  );
  await ofBatch(engine, c, b, { ratio: 'sequence', averaging: 'sequence' });
}

async function reinforcePlusPlus(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { reference } = await b.taken(engine);
  const beta = c.number('beta');
  const rewards = tokenRewards(
    b.rewards,
    b.mask,
    map2(b.old, (x, row, t) => beta * (x - reference[row]![t]!)),
  );
  const returns = returnsToGo(rewards, c.number('gamma'), b.mask);
  const advantage = nestedLike(whitened(returns.flat(), { mask: b.mask.flat() }), b.mask);
  c.check('token_reward', rewards, 'program');
  c.check('return_to_go', returns, 'program');
  c.check('advantage', advantage, 'program');
  await ofBatch(engine, c, b, { advantage, averaging: averagingOf(c) });
}

const nestedLike = (flat: ArrayLike<number>, like: Rows): number[][] => map2(like, (_, b, t) => flat[b * like[0]!.length + t]!);

async function tokenCritic(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { reference } = await b.taken(engine);
  const beta = c.number('beta');
  const rewards = tokenRewards(
    b.rewards,
    b.mask,
    map2(b.old, (x, row, t) => beta * (x - reference[row]![t]!)),
  );
  const values = c.matrix('values');
  const { advantages, returns } = rowAdvantages({ rewards, values, mask: b.mask }, c.number('gamma'), c.number('lambda_'));
  const advantage = nestedLike(whitened(advantages.flat(), { mask: b.mask.flat(), ddof: 1 }), b.mask);
  c.check('token_reward', rewards, 'program');
  c.check('advantage', advantages, 'program');
  c.check('returns', returns, 'program');
  c.check('advantage_whitened', advantage, 'program');
  const feeds = { value: c.values('new_values'), old: c.values('values'), target: valuesFrom(returns), mask: valuesFrom(b.mask) };
  const found = await compute(engine, { ...feeds, range: one(c.number('value_clip')) }, (x) => {
    const loss = mul(sum(mul(clippedValueError(x.value, x.old, x.target, x.range), x.mask)), 1 / b.count);
    return { loss: reshape(loss, []), slope: gradients(loss, [x.value])[0]! };
  });
  c.check('value_loss', found.loss, 'program');
  c.check('d_new_values', found.slope, 'program');
  await ofBatch(engine, c, b, { advantage });
}

function turnCritic(_: Engine, c: LmCase): void {
  const turnOf = c.matrix('turn_of_token');
  const rewards = c.matrix('turn_rewards');
  const values = c.matrix('turn_values');
  const { advantages, returns } = rowAdvantages({ rewards, values }, c.number('gamma'), c.number('lambda_'));
  c.check(
    'loss_mask',
    map2(turnOf, (turn) => Number(turn >= 0)),
  );
  c.check('turn_advantage', advantages);
  c.check('turn_returns', returns);
  c.check('turn_return_to_go', returnsToGo(rewards, c.number('gamma')));
  c.check('token_advantage', spreadTurns(turnOf, advantages));
  c.check(
    'value_token_index',
    turnOf.map((row, b) => values[b]!.map((_v, turn) => row.indexOf(turn))),
  );
}

function turnGroup(_: Engine, c: LmCase): void {
  const rewards = c.matrix('turn_rewards');
  const outcomes = rewards.map((row) => row.reduce((a, b) => a + b, 0));
  const outcome = groupAdvantages(outcomes, outcomes.length, { baseline: 'mean', scale: 'group' });
  const turns = columnAdvantages(rewards);
  c.check('outcome_advantage', [...outcome]);
  c.check('turn_advantage', turns);
  c.check(
    'outcome_plus_half_turn',
    map2(turns, (a, row) => outcome[row]! + c.number('weight') * a),
  );
  c.check('return_to_go_group_advantage', columnAdvantages(returnsToGo(rewards, 1)));
}

function strata(_: Engine, c: LmCase): void {
  const rewards = c.numbers('rewards');
  const eps = c.number('eps');
  const inside = stratifiedAdvantages(rewards, c.numbers('strata'), eps);
  const whole = stratifiedAdvantages(
    rewards,
    rewards.map(() => 0),
    eps,
  );
  const alpha = c.number('alpha');
  c.check('stratified', [...inside]);
  c.check('global_', [...whole]);
  c.check(
    'blended',
    [...inside].map((a, i) => alpha * a + (1 - alpha) * whole[i]!),
  );
}

function roles(_: Engine, c: LmCase): void {
  const baselines = new RoleBaselines(c.number('alpha'), c.number('init'));
  const found = c.list('sequence').map((entry) => {
    if (!Array.isArray(entry)) throw new Error('"sequence" must hold pairs of a role and a reward');
    return baselines.advantage(String(entry[0]), Number(entry[1]));
  });
  c.check(
    'baseline_after',
    found.map(({ baseline }) => baseline),
  );
  c.check(
    'advantage',
    found.map(({ advantage }) => advantage),
  );
}

async function selfCritical(engine: Engine, c: LmCase): Promise<void> {
  const greedy = c.numbers('greedy_reward');
  const advantage = c.numbers('sample_reward').map((r, i) => r - greedy[i]!);
  c.check('advantage', advantage);
  const n = advantage.length;
  const column = (values: readonly number[]): Values => ({ shape: [n, 1], data: Float64Array.from(values) });
  const ones = column(advantage.map(() => 1));
  const weight = column(advantage.map(() => 1 / n));
  const feeds = { logProb: column(c.numbers('logp')), advantage: column(advantage), mask: ones, weight, low: one(0), high: one(0) };
  const out = await compute(engine, feeds, (x) => {
    const { loss } = policyLoss({ ...x, old: x.logProb, entropy: mul(x.mask, 0) }, { ratio: 'token', surrogate: 'none' });
    return { loss: reshape(loss, []) };
  });
  c.check('loss', out.loss, 'program');
}

function winShare(_: Engine, c: LmCase): void {
  const reward = [...winShares(c.matrix('preference'))];
  c.check('reward', reward);
  c.check('advantage', [...groupAdvantages(reward, reward.length, { baseline: 'mean', scale: 'none' })]);
}

function weighted(find: (c: LmCase, b: Batch) => { weights: ArrayLike<number>; by: number; rows?: number[] }): Runner {
  return async (engine, c) => {
    const b = Batch.of(c);
    const { weights, by, rows } = find(c, b);
    if (rows === undefined) c.check('weights', Array.from(weights));
    else c.check('selected_rows', rows);
    await likelihood(engine, c, b, weights, by);
  };
}

/** Likelihood of chosen rows alone, mean over their tokens. */
const chosen = (b: Batch, rows: number[]): { weights: number[]; by: number; rows: number[] } => ({
  weights: b.rewards.map((_, i) => Number(rows.includes(i))),
  by: rows.reduce((n, row) => n + b.lengths[row]!, 0),
  rows,
});

type PairLoss = (x: Pairs, c: LmCase) => Tensor;

function pairs(loss: PairLoss, rewards = false): Runner {
  return async (engine, c) => {
    const feeds = {
      logProbW: c.values('logp_w'),
      logProbL: c.values('logp_l'),
      referenceW: c.values('ref_w'),
      referenceL: c.values('ref_l'),
      lengthW: c.values('len_w'),
      lengthL: c.values('len_l'),
    };
    const found = await compute(engine, feeds, (x) => {
      const each = loss(x, c);
      const whole = mean(each);
      const slopes = gradients(whole, [x.logProbW, x.logProbL]);
      const implied = rewards ? impliedRewards(x, c.number('beta')) : null;
      return {
        loss_per_pair: each,
        loss: reshape(whole, []),
        d_logp_w: slopes[0]!,
        d_logp_l: slopes[1]!,
        ...(implied && { reward_w: implied.w, reward_l: implied.l }),
      };
    });
    for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
    if (!rewards) return;
    const [w, l] = [numbers(found.reward_w), numbers(found.reward_l)];
    c.check('accuracy', average(w.map((r, i) => Number(r > l[i]!))));
  };
}

async function kto(engine: Engine, c: LmCase): Promise<void> {
  const feeds = { logProb: c.values('logp'), reference: c.values('ref'), desirable: c.values('desirable') };
  const found = await compute(engine, feeds, (x) => {
    const each = ktoLoss(x, {
      beta: c.number('beta'),
      kl: c.number('kl_reference'),
      weightDesirable: c.number('weight_desirable'),
      weightUndesirable: c.number('weight_undesirable'),
    });
    const loss = mean(each);
    return { loss_per_example: each, loss: reshape(loss, []), d_logp: gradients(loss, [x.logProb])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

async function bradleyTerry(engine: Engine, c: LmCase): Promise<void> {
  const feeds = { w: c.values('score_w'), l: c.values('score_l'), margin: c.values('margin') };
  const found = await compute(engine, feeds, (x) => {
    const centred = mean(bradleyTerryLoss(x.w, x.l, { centre: c.number('centre_coef') }));
    const slopes = gradients(centred, [x.w, x.l]);
    return {
      loss_plain: reshape(mean(bradleyTerryLoss(x.w, x.l)), []),
      loss_margin: reshape(mean(bradleyTerryLoss(x.w, x.l, { margin: x.margin })), []),
      loss_centred: reshape(centred, []),
      d_score_w: slopes[0]!,
      d_score_l: slopes[1]!,
    };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
  const l = c.numbers('score_l');
  const higher = c.numbers('score_w').map((s, i) => Math.sign(s - l[i]!));
  c.check('accuracy', average(higher.map((s) => Number(s > 0))));
  c.check('accuracy_ties_half', average(higher.map((s) => (s + 1) / 2)));
}

async function plackettLuce(engine: Engine, c: LmCase): Promise<void> {
  const scores = c.numbers('scores');
  const ranked = Float64Array.from(c.numbers('ranking_best_first'), (i) => scores[i]!);
  const found = await compute(engine, { ranked: { shape: [ranked.length], data: ranked } }, (x) => ({
    loss: reshape(plackettLuceLoss(x.ranked), []),
  }));
  c.check('loss', found.loss, 'program');
}

async function processRewards(engine: Engine, c: LmCase): Promise<void> {
  const p = c.numbers('step_probability');
  c.check('aggregate', { ...combineSteps(p) });
  c.check('suffix_min', suffixMinima(p));
  const found = await compute(engine, { logits: c.values('step_logits'), labels: c.values('labels') }, (x) => {
    const loss = mean(stepLoss(x.logits, x.labels));
    return { bce: reshape(loss, []), d_step_logits: gradients(loss, [x.logits])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

function rollouts(_: Engine, c: LmCase): void {
  const { firstError, ...labels } = stepLabels(c.matrix('completions_correct_from_step'));
  for (const [name, value] of Object.entries(labels)) c.check(name, value);
  c.check('first_error_step', firstError);
}

function shaping(_: Engine, c: LmCase): void {
  const [rewards, gamma] = [c.numbers('rewards'), c.number('gamma')];
  const added = potentialShaping(c.numbers('phi_before_step'), c.number('phi_terminal'), gamma);
  const shaped = rewards.map((r, i) => r + added[i]!);
  c.check('shaping', added);
  c.check('shaped_rewards', shaped);
  c.check('shaped_return', returnsToGo([shaped], gamma)[0]![0]);
  c.check('plain_return', returnsToGo([rewards], gamma)[0]![0]);
}

function stepReturns(_: Engine, c: LmCase): void {
  const rewards = stepEndRewards(c.numbers('step_of_token'), c.numbers('step_rewards'), c.number('outcome'));
  c.check('token_reward_at_step_end', rewards);
  c.check('token_return_to_go', returnsToGo([rewards], c.number('gamma'))[0]);
}

function lengthRewards(_: Engine, c: LmCase): void {
  const at = (kind: string): number[] =>
    c.numbers('lengths').map((n) =>
      cosineLengthReward(n, c.number('L_max'), {
        short: c.number(`r_${kind}_short`),
        long: c.number(`r_${kind}_long`),
        exceed: c.number('exceed'),
      }),
    );
  c.check('correct', at('correct'));
  c.check('wrong', at('wrong'));
}

async function entropyBonus(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { entropy } = await b.taken(engine);
  c.check('entropy_loss_part', (-c.number('coef') * total(entropy)) / b.count, 'program');
  await ofBatch(engine, c, b, { entropyCoef: c.number('coef') });
}

async function shapedAdvantage(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { entropy } = await b.taken(engine);
  const rows = b.advantages(c.text('advantage'));
  const [alpha, kappa] = [c.number('alpha'), c.number('kappa')];
  const advantage = map2(b.mask, (m, row, t) => m * (rows[row]! + Math.min(alpha * entropy[row]![t]!, Math.abs(rows[row]!) / kappa)));
  c.check('advantage', advantage, 'program');
  await ofBatch(engine, c, b, { advantage });
}

/** The `count` entries of the mask with the largest values, the earlier of equal ones. */
function top(values: Rows, mask: Rows, count: number): [row: number, t: number][] {
  const all = values.flatMap((row, b) => row.flatMap((value, t) => (mask[b]![t] === 1 ? [{ value, at: [b, t] as [number, number] }] : [])));
  return all
    .sort((x, y) => y.value - x.value)
    .slice(0, count)
    .map(({ at }) => at);
}

async function entropyTop(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { entropy } = await b.taken(engine);
  const list = top(entropy, b.mask, Math.ceil(c.number('fraction') * b.count));
  const kept = map2(b.mask, (_, row, t) => Number(list.some(([r, k]) => r === row && k === t)));
  const [row, t] = present(list.at(-1), 'token');
  c.check('kept', kept);
  c.check('threshold', entropy[row]![t]!, 'program');
  await ofBatch(engine, c, b, { weights: map2(kept, (k) => k / list.length) });
}

/** (A - mean A) (logp - mean logp) over the tokens of the mask. */
function covariance(b: Batch, logp: Rows, advantage: readonly number[]): number[][] {
  const [meanA, meanP] = [total(map2(b.mask, (m, row) => m * advantage[row]!)) / b.count, total(logp) / b.count];
  return map2(b.mask, (m, row, t) => m * (advantage[row]! - meanA) * (logp[row]![t]! - meanP));
}

async function clipCov(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { logp, ratio } = await b.taken(engine);
  const advantage = b.advantages(c.text('advantage'));
  const cov = covariance(b, logp, advantage);
  const [low, high] = [1 - c.number('clip_low'), 1 + c.number('clip_high')];
  const stopped = map2(b.mask, (m, row, t) => {
    const [r, a] = [ratio[row]![t]!, advantage[row]!];
    return Number(m === 1 && ((a > 0 && r > high) || (a < 0 && r < low)));
  });
  const eligible = cov.flatMap((values, row) =>
    values.flatMap((value, t) =>
      b.mask[row]![t] === 1 && stopped[row]![t] === 0 && value > c.number('cov_low') && value < c.number('cov_high') ? [[row, t]] : [],
    ),
  );
  c.check('covariance', cov, 'program');
  c.check('already_clipped', stopped);
  c.check('eligible', eligible);
  c.check('count', Math.max(1, Math.floor(c.number('fraction') * b.count)));
  const gone = c.matrix('chosen');
  await ofBatch(engine, c, b, { times: map2(b.mask, (_, row, t) => Number(!gone.some(([r, k]) => r === row && k === t))) });
}

async function klCov(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { logp } = await b.taken(engine);
  const list = top(covariance(b, logp, b.advantages(c.text('advantage'))), b.mask, Math.max(1, Math.floor(c.number('fraction') * b.count)));
  c.check('chosen', list);
  const coef = map2(b.mask, (_, row, t) => (list.some(([r, k]) => r === row && k === t) ? c.number('coef') : 0));
  await ofBatch(engine, c, b, { low: 1, high: 1e6, kl: 'abs', klTo: b.old, klCoef: coef });
}

async function band(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { entropy } = await b.taken(engine);
  const level = average(c.numbers('history'));
  const [low, high] = [c.number('kappa_low') * level, c.number('kappa_high') * level];
  c.check('band', [low, high]);
  c.check(
    'outside',
    map2(b.mask, (m, row, t) => Number(m === 1 && (entropy[row]![t]! < low || entropy[row]![t]! > high))),
  );
  const extra: Setting['extra'] = (x) => mul(sum(mul(outsideBand(x.entropy, low, high), x.mask)), c.number('band_coef') / b.count);
  await ofBatch(engine, c, b, { entropyCoef: c.number('entropy_coef'), extra });
}

function entropyTarget(_: Engine, c: LmCase): void {
  let coef = c.number('coef0');
  const rule = { target: c.number('target'), step: c.number('step'), most: c.number('max_coef') };
  c.check(
    'coef',
    c.numbers('entropy').map((h) => (coef = entropyController(coef, h, rule))),
  );
}

function adaptiveKl(_: Engine, c: LmCase): void {
  let coef = c.number('coef0');
  const rule = { target: c.number('target'), horizon: c.number('horizon'), samples: c.number('batch') };
  c.check(
    'coef',
    c.numbers('kl').map((kl) => (coef = klController(coef, kl, rule))),
  );
}

async function importanceTokens(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const times = map2(b.mask, (m, row, t) => m * importance(b.old[row]![t]!, b.rollout[row]![t]!, c.number('cap')));
  c.check('weights', times);
  await ofBatch(engine, c, b, { times });
}

async function importanceRows(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const weights = b.old.map((row, i) =>
    importance(
      row.reduce((x, y) => x + y, 0),
      b.rollout[i]!.reduce((x, y) => x + y, 0),
    ),
  );
  const kept = weights.map((w) => Number(w >= c.number('low') && w <= c.number('high')));
  c.check('sequence_weight', weights);
  c.check('kept', kept);
  await ofBatch(engine, c, b, { times: map2(b.mask, (m, row) => m * weights[row]! * kept[row]!) });
}

async function decoupled(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const near = c.matrix('prox_logp');
  const times = map2(b.mask, (m, row, t) => m * importance(near[row]![t]!, b.old[row]![t]!, c.number('cap')));
  c.check('behaviour_weight', times);
  await ofBatch(engine, c, b, { times, old: near });
}

async function demonstrations(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const rows = new Set(c.numbers('demonstration_rows'));
  const advantage = b.advantages(c.text('advantage'));
  const shown = map2(b.mask, (m, row) => m * Number(rows.has(row)));
  await ofBatch(engine, c, b, {
    times: map2(shown, (m) => 1 - m),
    extra: ({ logp }) => {
      const at = (rowsOfNumbers: Rows): Tensor =>
        logp.graph.constant(Float32Array.from(rowsOfNumbers.flat()), [rowsOfNumbers.length, rowsOfNumbers[0]!.length]);
      const a = at(map2(b.mask, (_, row) => advantage[row]!));
      return mul(sum(mul(demonstrationTerm(logp, a, c.number('gamma')), at(shown))), 1 / b.count);
    },
  });
}

async function mixture(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const rows = c.numbers('sft_rows');
  const { weights, by } = chosen(b, rows);
  await ofBatch(engine, c, b, {
    extra: ({ logp, mask }) => {
      const weight = logp.graph.constant(
        Float32Array.from(weights, (w) => (-w * c.number('sft_coef')) / by),
        [weights.length, 1],
      );
      return sum(mul(mul(logp, mask), weight));
    },
  });
}

async function selfImitation(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const weights = b.advantages('dr_grpo').map((a) => Math.max(0, a));
  c.check('weights', weights);
  await likelihood(engine, c, b, weights, b.count);
}

function curriculum(_: Engine, c: LmCase): void {
  const success = c.numbers('success');
  const weights = success.map(promptWeight);
  const all = weights.reduce((a, b) => a + b, 0);
  c.check('variance_weight', weights);
  c.check(
    'probability',
    weights.map((w) => w / all),
  );
  c.check(
    'zero_variance_probability',
    success.map((p) => uniformChance(p, c.number('G'))),
  );
}

function referenceUpdate(_: Engine, c: LmCase): void {
  const policy = c.numbers('policy');
  const moved = (tau: number): number[] => c.numbers('ref').map((r, i) => movedReference(r, policy[i]!, tau));
  c.check('ema', moved(c.number('tau')));
  c.check('reset', moved(1));
}

async function dpoOnBatch(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { reference } = await b.taken(engine);
  const couples = c.matrix('pairs_winner_loser');
  const side = (which: 0 | 1): Values => ({
    shape: [couples.length, b.lengths.length],
    data: Float64Array.from(couples.flatMap((couple) => b.lengths.map((_, row) => Number(couple[which] === row)))),
  });
  const sums: Values = { shape: [b.lengths.length, 1], data: Float64Array.from(reference, (row) => row.reduce((x, y) => x + y, 0)) };
  const lengths: Values = { shape: [b.lengths.length, 1], data: Float64Array.from(b.lengths) };
  const feeds = { logits: b.logits, tokens: b.tokens, mask: valuesFrom(b.mask), sums, lengths, w: side(0), l: side(1) };
  const found = await compute(engine, feeds, (x) => {
    const logp = pick(logSoftmax(x.logits), x.tokens);
    const own = sum(mul(logp, x.mask), 1, true); // [B, 1]
    const at = (pick1: Tensor, of: Tensor): Tensor => sum(mul(pick1, reshape(of, [1, b.lengths.length])), 1);
    const loss = mean(
      dpoLoss(
        {
          logProbW: at(x.w, own),
          logProbL: at(x.l, own),
          referenceW: at(x.w, x.sums),
          referenceL: at(x.l, x.sums),
          lengthW: at(x.w, x.lengths),
          lengthL: at(x.l, x.lengths),
        },
        c.number('beta'),
      ),
    );
    return { loss: reshape(loss, []), coef: gradients(loss, [logp])[0]!, d_logits: gradients(loss, [x.logits])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

function segments(_: Engine, c: LmCase): void {
  const rewards = c.numbers('trajectory_rewards');
  const of = c.numbers('trajectory_of_segment');
  const normal = (values: readonly number[]): number[] => [
    ...groupAdvantages(values, values.length, { baseline: 'mean', scale: 'group', ddof: 0, eps: c.number('eps') }),
  ];
  const whole = normal(rewards);
  c.check(
    'segment_advantage',
    of.map((i) => whole[i]!),
  );
  c.check('wrong_statistics_over_segments', normal(of.map((i) => rewards[i]!)));
}

function stages(_: Engine, c: LmCase): void {
  const [format = 0, tool = 0, partial = 0, correct = 0] = c.numbers('weights');
  const at = (key: string): number[] => c.numbers(key);
  const [f, t, p, r] = [at('format_ok'), at('tool_ok'), at('partial'), at('correct')];
  const found = f.map((_v, i) =>
    stagedReward({ format: f[i]!, tool: t[i]!, partial: p[i]!, correct: r[i]! }, { format, tool, partial, correct }),
  );
  c.check(
    'reward',
    found.map(({ sum: value }) => value),
  );
  c.check(
    'reward_exclusive',
    found.map(({ exclusive }) => exclusive),
  );
}

const beta = (c: LmCase): number => c.number('beta');

/** By the beginning of the case's name; the longest that fits. */
const RUNNERS: { readonly [name: string]: Runner } = {
  batch: batchCase,
  advantages: advantagesCase,
  aggregate_: clipped,
  kl_to_reference: klCase,
  grpo: async (engine, c) => {
    const { reference } = await Batch.of(c).taken(engine);
    const kl = c.text('kl');
    if (kl !== 'k1' && kl !== 'k2' && kl !== 'k3') throw new Error(`the KL estimate "${kl}" is not known`);
    await clipped(engine, c, { kl, klTo: reference, klCoef: beta(c) });
  },
  dr_grpo: clipped,
  dapo,
  overlong_table: (_, c) =>
    c.check(
      'penalty',
      c.numbers('lengths').map((n) => overlongPenalty(n, c.number('L_max'), c.number('L_cache'))),
    ),
  gspo,
  cispo: (engine, c) => clipped(engine, c, { surrogate: 'cap', low: c.number('ratio_low'), high: c.number('ratio_high') }),
  ppo_dual_clip: (engine, c) => clipped(engine, c, { dual: c.number('c') }),
  rloo: (engine, c) => clipped(engine, c, { surrogate: 'none', averaging: 'sum' }),
  reinforce_pp: reinforcePlusPlus,
  ppo_token_gae: tokenCritic,
  turn_level_gae: turnCritic,
  turn_level_group: turnGroup,
  stratified_advantage: strata,
  role_conditioned_baseline: roles,
  self_critical: selfCritical,
  self_play_win_share: winShare,
  awr: weighted((c, b) => ({
    weights: exponentialWeights(b.rewards, average(b.rewards), c.number('temperature'), c.number('max_weight')),
    by: b.count,
  })),
  awr_group_softmax: weighted((c, b) => ({ weights: softmaxWeights(b.rewards, b.G, c.number('temperature')), by: b.rewards.length / b.G })),
  raft_best_of_n: weighted((_, b) => chosen(b, bestRows(b.rewards, b.G))),
  filtered_cloning: weighted((c, b) =>
    chosen(
      b,
      b.rewards.flatMap((r, i) => (r >= c.number('threshold') ? [i] : [])),
    ),
  ),
  dpo_sequence: pairs((x, c) => dpoLoss(x, beta(c)), true),
  dpo_label_smoothing: pairs((x, c) => dpoLoss(x, beta(c), c.number('smoothing'))),
  ipo: pairs((x, c) => ipoLoss(x, beta(c), 'mean')),
  ipo_sum: pairs((x, c) => ipoLoss(x, beta(c), 'sum')),
  simpo: pairs((x, c) => simpoLoss(x, beta(c), c.number('margin'))),
  orpo: pairs((x, c) => orpoLoss(x, c.number('lambda_'))),
  slic_hinge: pairs((x, c) => hingeLoss(x, beta(c))),
  kto,
  reward_model_bradley_terry: bradleyTerry,
  reward_model_plackett_luce: plackettLuce,
  process_reward_model: processRewards,
  step_labels_by_rollouts: rollouts,
  potential_shaping: shaping,
  process_reward_return_to_go: stepReturns,
  cosine_length_reward: lengthRewards,
  entropy_bonus: entropyBonus,
  entropy_shaped_advantage: shapedAdvantage,
  high_entropy_tokens_only: entropyTop,
  clip_cov: clipCov,
  kl_cov: klCov,
  entropy_band: band,
  entropy_target_controller: entropyTarget,
  clip_gradient_preserving: (engine, c) => clipped(engine, c, { preserve: true }),
  truncated_importance_tokens: importanceTokens,
  masked_importance_sequences: importanceRows,
  decoupled_ppo: decoupled,
  off_policy_demonstrations_shaped: demonstrations,
  rl_plus_sft_mixture: mixture,
  self_imitation: selfImitation,
  prompt_curriculum: curriculum,
  reference_update: referenceUpdate,
  adaptive_kl_controller: adaptiveKl,
  dpo_on_batch: dpoOnBatch,
  segmented_trajectories: segments,
  duration_weights: (_, c) => c.check('weights', durationWeights(c.numbers('durations'))),
  staged_reward: stages,
};

export async function runLossesCase(engine: Engine, c: LmCase): Promise<void> {
  const known = Object.keys(RUNNERS).filter((name) => c.name.startsWith(name));
  const longest = known.reduce<string | undefined>(
    (best, name) => (best === undefined || name.length > best.length ? name : best),
    undefined,
  );
  const run = longest === undefined ? undefined : RUNNERS[longest];
  if (run === undefined) throw new Error(`no kind of case begins with the name "${c.name}"`);
  await run(engine, c);
}
