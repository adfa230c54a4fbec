/** Golden cases of losses: groups, their advantages, ratios and averages. */
import { present } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import { returnsToGo } from '#math/credit.ts';
import {
  bestRows,
  exponentialWeights,
  groupAdvantages,
  groupDeviations,
  isUniform,
  mixedGroups,
  overlongPenalty,
  RoleBaselines,
  softmaxWeights,
  stratifiedAdvantages,
  whitened,
  winShares,
} from '#math/groups.ts';
import { exactKl, klTerm, policyLoss, ratioTerm } from '../../algos/language/lib/policy-loss.ts';
import { gradients } from '../../engine/autodiff.ts';
import { logSoftmax, mul, pick, reshape, sum } from '../../engine/ops.ts';
import type { Engine } from '../../engine/types.ts';
import { compute, type LmCase, objectOf, type Values } from './case.ts';
import {
  ADVANTAGES,
  average,
  averagingOf,
  Batch,
  beta,
  chosen,
  clipped,
  likelihood,
  map2,
  nestedLike,
  ofBatch,
  one,
  type Runner,
  rowsOf,
  tokenRewards,
  total,
  valuesFrom,
} from './loss-batch.ts';

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

function strata(_: Engine, c: LmCase): void {
  const rewards = c.numbers('rewards');
  const eps = c.number('eps');
  const inside = stratifiedAdvantages(rewards, c.numbers('strata'), { eps });
  const whole = stratifiedAdvantages(
    rewards,
    rewards.map(() => 0),
    { eps },
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

export const GROUP_CASES: { readonly [name: string]: Runner } = {
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
  segmented_trajectories: segments,
};
