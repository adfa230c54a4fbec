/** Golden cases of losses: control of entropy and KL, samples of older policies, what is learned from next. */
import { present } from '#contract/kit/errors.ts';
import { entropyController, klController, movedReference, promptWeight, uniformChance } from '#math/controllers.ts';
import type { Rows } from '#math/credit.ts';
import { exp } from '#math/functions.ts';
import { outsideBand } from '../../algos/extensions/epo/extension.ts';
import { covariances, largest, partOf } from '../../algos/extensions/spear/covariance.ts';
import { demonstrationTerm } from '../../algos/language/lib/policy-loss.ts';
import { mul, sum } from '../../engine/ops.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import type { LmCase } from './case.ts';
import { average, Batch, chosen, clipped, likelihood, map2, ofBatch, type Runner, type Setting, total } from './loss-batch.ts';

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

/** The places of the mask, by rows. */
const placesOf = (mask: Rows): [row: number, t: number][] =>
  mask.flatMap((row, b) => row.flatMap((m, t) => (m === 1 ? [[b, t] as [number, number]] : [])));

/** The `count` entries of the mask with the largest values, the earlier of equal ones. */
function top(values: Rows, mask: Rows, count: number): [row: number, t: number][] {
  const places = placesOf(mask);
  const found = largest(
    places.map(([row, t]) => values[row]![t]!),
    count,
  );
  return found.map((i) => places[i]!);
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

/** Of the tokens of the mask, as the learner takes it; 0 elsewhere. */
function covariance(b: Batch, logp: Rows, advantage: readonly number[]): number[][] {
  const places = placesOf(b.mask);
  const each = places.map((_, i) => i);
  const found = covariances(
    each,
    places.map(([row]) => advantage[row]!),
    places.map(([row, t]) => logp[row]![t]!),
  );
  const out = map2(b.mask, () => 0);
  places.forEach(([row, t], i) => {
    out[row]![t] = found[i]!;
  });
  return out;
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
  c.check('count', partOf(b.count, c.number('fraction')));
  const gone = c.matrix('chosen');
  await ofBatch(engine, c, b, { times: map2(b.mask, (_, row, t) => Number(!gone.some(([r, k]) => r === row && k === t))) });
}

async function klCov(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { logp } = await b.taken(engine);
  const list = top(covariance(b, logp, b.advantages(c.text('advantage'))), b.mask, partOf(b.count, c.number('fraction')));
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

/** min(exp(to - from), cap): how much likelier a token was to one policy than to another. */
const importance = (to: number, from: number, cap = Number.POSITIVE_INFINITY): number => Math.min(exp(to - from), cap);

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

export const CONTROL_CASES: { readonly [name: string]: Runner } = {
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
};
