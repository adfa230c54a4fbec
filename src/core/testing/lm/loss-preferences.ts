/** Golden cases of losses: preferences and reward models. */
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
} from '../../algos/lib/preference-loss.ts';
import { gradients } from '../../engine/autodiff.ts';
import { logSoftmax, mean, mul, pick, reshape, sum } from '../../engine/ops.ts';
import type { Engine, Tensor } from '../../engine/types.ts';
import { compute, type LmCase, type Values } from './case.ts';
import { average, Batch, beta, numbers, type Runner, valuesFrom } from './loss-batch.ts';

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

async function dpoOnBatch(engine: Engine, c: LmCase): Promise<void> {
  const b = Batch.of(c);
  const { reference } = await b.taken(engine);
  const couples = c.matrix('pairs_winner_loser');
  const side = (which: 0 | 1): Values => ({
    shape: [couples.length, b.lengths.length],
    data: Float64Array.from(couples.flatMap((couple) => b.lengths.map((_, row) => Number(couple[which] === row)))),
  });
  const sums: Values = { shape: [b.lengths.length, 1], data: Float64Array.from(reference, (row) => row.reduce((x, y) => x + y, 0)) };
  const feeds = { logits: b.logits, tokens: b.tokens, mask: valuesFrom(b.mask), sums, w: side(0), l: side(1) };
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
        },
        c.number('beta'),
      ),
    );
    return { loss: reshape(loss, []), coef: gradients(loss, [logp])[0]!, d_logits: gradients(loss, [x.logits])[0]! };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

export const PREFERENCE_CASES: { readonly [name: string]: Runner } = {
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
  dpo_on_batch: dpoOnBatch,
};
