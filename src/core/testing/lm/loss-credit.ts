/** Golden cases of losses: credit of tokens, turns and steps. */
import { returnsToGo, rowAdvantages } from '#math/credit.ts';
import { cos } from '#math/functions.ts';
import { whitened } from '#math/groups.ts';
import { clippedValueError } from '../../algos/lib/ppo/common.ts';
import { stepLoss } from '../../algos/lib/preference-loss.ts';
import { gradients } from '../../engine/autodiff.ts';
import { mean, mul, reshape, sum } from '../../engine/ops.ts';
import type { Engine } from '../../engine/types.ts';
import { compute, type LmCase } from './case.ts';
import { Batch, map2, nestedLike, ofBatch, one, type Runner, tokenRewards, valuesFrom } from './loss-batch.ts';

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
  c.check(
    'token_advantage',
    map2(turnOf, (turn, b) => (turn < 0 ? 0 : advantages[b]![turn]!)),
  );
  c.check(
    'value_token_index',
    turnOf.map((row, b) => values[b]!.map((_v, turn) => row.indexOf(turn))),
  );
}

/** The least of what is still to come: a return that easy steps cannot raise. */
function suffixMinima(p: readonly number[]): number[] {
  const out = [...p];
  for (let i = p.length - 2; i >= 0; i--) out[i] = Math.min(out[i]!, out[i + 1]!);
  return out;
}

/** Rewards by length on half a cosine: right answers earn more when short, wrong ones cost less when long (Yeo et al. 2025). */
function cosineLengthReward(
  length: number,
  longest: number,
  rewards: { readonly short: number; readonly long: number; readonly exceed: number },
): number {
  if (length > longest) return rewards.exceed;
  return rewards.long + ((rewards.short - rewards.long) / 2) * (1 + cos((Math.PI * length) / longest));
}

/** Weights of samples that quick actions would deliver too many of: duration / mean duration. */
function durationWeights(durations: readonly number[]): number[] {
  const mean = durations.reduce((a, b) => a + b, 0) / Math.max(1, durations.length);
  return durations.map((d) => d / mean);
}

async function processRewards(engine: Engine, c: LmCase): Promise<void> {
  c.check('suffix_min', suffixMinima(c.numbers('step_probability')));
  const found = await compute(engine, { logits: c.values('step_logits'), labels: c.values('labels') }, (x) => {
    const loss = mean(stepLoss(x.logits, x.labels));
    return { bce: reshape(loss, []), d_step_logits: gradients(loss, [x.logits])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
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

export const CREDIT_CASES: { readonly [name: string]: Runner } = {
  ppo_token_gae: tokenCritic,
  turn_level_gae: turnCritic,
  process_reward_model: processRewards,
  cosine_length_reward: lengthRewards,
  duration_weights: (_, c) => c.check('weights', durationWeights(c.numbers('durations'))),
};
