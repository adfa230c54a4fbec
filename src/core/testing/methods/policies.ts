/** Distributions of policies, and the losses and rewards of PPO's forms. */

import { mixRewards, type RewardMix } from '#core/algos/extensions/team-reward/mix.ts';
import { clippedSurrogate, clippedValueError, weightedMean } from '#core/algos/lib/ppo/common.ts';
import { counterfactual } from '#core/algos/on-policy/coma.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { add, log, mean, mul, reshape, softmax, standardise, sub } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import {
  categoricalEntropy,
  categoricalKl,
  categoricalLogProb,
  gaussianEntropy,
  gaussianKl,
  gaussianLogProb,
  logitsOf,
  maskLogits,
} from '#core/nets/heads.ts';
import { explainedVariance } from '#math/stats.ts';
import { check, type Inputs, nested, program } from './check.ts';

const standardised = (i: Inputs, advantage: Tensor): Tensor =>
  i.flag('normalize_advantages') ? standardise(advantage, i.number('std_ddof') === 0 ? 0 : 1, i.number('adv_eps')) : advantage;

const terms = ['old_logprob', 'new_logprob', 'ratio', 'advantages_used', 'policy_loss', 'entropy', 'kl_k3', 'clip_fraction', 'loss'];
const one = (value: readonly number[]): number => value[0]!;

export const policyChecks = [
  program({
    title: 'PPO objective of categorical policies, with gradients',
    needs: ['logits_old', 'logits_new', 'actions', 'advantages', 'returns', 'values_old', 'values_new', 'clip_coef', 'ent_coef', 'vf_coef'],
    may: ['value_clip', 'normalize_advantages', 'std_ddof', 'adv_eps'],
    gives: [...terms, 'entropy_each', 'value_loss', 'grad_logits', 'grad_values'],
    async run({ input: i }, machine) {
      const given = {
        before: i.tensor('logits_old'),
        logits: i.tensor('logits_new'),
        action: i.tensor('actions'),
        advantage: i.tensor('advantages'),
        target: i.tensor('returns'),
        valueBefore: i.tensor('values_old'),
        value: i.tensor('values_new'),
      };
      const found = await machine.compute(given, (x, g) => {
        const old = categoricalLogProb(x.before, x.action);
        const logProb = categoricalLogProb(x.logits, x.action);
        const advantage = standardised(i, x.advantage);
        const policy = clippedSurrogate(logProb, old, advantage, i.number('clip_coef'));
        const range = i.has('value_clip') ? g.constant(i.number('value_clip')) : null;
        const value = mean(clippedValueError(x.value, x.valueBefore, x.target, range));
        const entropyEach = categoricalEntropy(x.logits);
        const entropy = mean(entropyEach);
        const loss = sub(add(policy.loss, mul(value, i.number('vf_coef'))), mul(entropy, i.number('ent_coef')));
        const slopes = gradients(loss, [x.logits, x.value]);
        return { old, logProb, advantage, ...policy, value, entropyEach, entropy, total: loss, dLogits: slopes[0]!, dValue: slopes[1]! };
      });
      return {
        old_logprob: found.old,
        new_logprob: found.logProb,
        ratio: found.ratio,
        advantages_used: found.advantage,
        policy_loss: one(found.loss),
        entropy_each: found.entropyEach,
        entropy: one(found.entropy),
        value_loss: one(found.value),
        kl_k3: one(found.kl),
        clip_fraction: one(found.clipFraction),
        loss: one(found.total),
        grad_logits: nested(found.dLogits, i.shape('logits_new')[1]),
        grad_values: found.dValue,
      };
    },
  }),
  program({
    title: 'PPO objective of Gaussian policies, with gradients',
    needs: ['mean_old', 'mean_new', 'log_std_old', 'log_std_new', 'actions', 'advantages', 'clip_coef', 'ent_coef'],
    may: ['normalize_advantages', 'std_ddof', 'adv_eps'],
    gives: [...terms, 'grad_mean', 'grad_log_std'],
    async run({ input: i }, machine) {
      const given = {
        meanBefore: i.tensor('mean_old'),
        mean: i.tensor('mean_new'),
        logStdBefore: i.tensor('log_std_old'),
        logStd: i.tensor('log_std_new'),
        action: i.tensor('actions'),
        advantage: i.tensor('advantages'),
      };
      const found = await machine.compute(given, (x) => {
        const old = gaussianLogProb(x.meanBefore, x.logStdBefore, x.action);
        const logProb = gaussianLogProb(x.mean, x.logStd, x.action);
        const advantage = standardised(i, x.advantage);
        const policy = clippedSurrogate(logProb, old, advantage, i.number('clip_coef'));
        const entropy = gaussianEntropy(x.logStd);
        const total = sub(policy.loss, mul(entropy, i.number('ent_coef')));
        const slopes = gradients(total, [x.mean, x.logStd]);
        return { old, logProb, advantage, ...policy, entropy, total, dMean: slopes[0]!, dLogStd: slopes[1]! };
      });
      return {
        old_logprob: found.old,
        new_logprob: found.logProb,
        ratio: found.ratio,
        advantages_used: found.advantage,
        policy_loss: one(found.loss),
        entropy: one(found.entropy),
        kl_k3: one(found.kl),
        clip_fraction: one(found.clipFraction),
        loss: one(found.total),
        grad_mean: nested(found.dMean, i.shape('mean_new')[1]),
        grad_log_std: found.dLogStd,
      };
    },
  }),
  check({
    title: 'explained variance',
    needs: ['values', 'returns'],
    gives: ['explained_variance'],
    // The product measures float32 rollouts; these arrays hold the case's numbers rounded to float32.
    float32Atol: 1e-6,
    run: ({ input: i }) => ({
      explained_variance: explainedVariance(Float32Array.from(i.flat('values')), Float32Array.from(i.flat('returns'))),
    }),
  }),
  program({
    title: 'diagonal Gaussian: log-probability and entropy',
    needs: ['mean', 'log_std', 'action'],
    gives: ['log_prob', 'entropy_per_sample'],
    async run({ input: i }, machine) {
      const given = { mean: i.tensor('mean'), logStd: i.tensor('log_std'), action: i.tensor('action') };
      const found = await machine.compute(given, (x) => ({
        logProb: gaussianLogProb(x.mean, x.logStd, x.action),
        entropy: gaussianEntropy(x.logStd),
      }));
      return { log_prob: found.logProb, entropy_per_sample: one(found.entropy) };
    },
  }),
  program({
    title: 'diagonal Gaussian: divergence',
    needs: ['mean_p', 'log_std_p', 'mean_q', 'log_std_q'],
    gives: ['kl'],
    async run({ input: i }, machine) {
      const given = { mp: i.tensor('mean_p'), sp: i.tensor('log_std_p'), mq: i.tensor('mean_q'), sq: i.tensor('log_std_q') };
      return machine.compute(given, (x) => ({ kl: gaussianKl(x.mp, x.sp, x.mq, x.sq) }));
    },
  }),
  program({
    title: 'categorical: divergence and entropy',
    needs: ['p', 'q'],
    gives: ['kl', 'entropy_p'],
    run: ({ input: i }, machine) =>
      machine.compute({ p: i.tensor('p'), q: i.tensor('q') }, (x) => ({
        kl: categoricalKl(logitsOf(x.p), logitsOf(x.q)),
        entropy_p: categoricalEntropy(logitsOf(x.p)),
      })),
  }),
  program({
    title: 'categorical with forbidden actions',
    needs: ['logits', 'mask'],
    gives: ['probs', 'entropy'],
    async run({ input: i }, machine) {
      const row = { shape: [1, i.flat('logits').length] };
      const given = { logits: { ...row, data: i.flat('logits') }, mask: { ...row, data: i.flat('mask') } };
      const found = await machine.compute(given, (x) => {
        const legal = maskLogits(x.logits, x.mask);
        return { probs: softmax(legal), entropy: categoricalEntropy(legal) };
      });
      return { probs: found.probs, entropy: one(found.entropy) };
    },
  }),
  program({
    title: 'HAPPO: the surrogate with the ratios of those updated before',
    needs: ['advantages', 'ratio_first_agent', 'ratio_second_agent', 'clip'],
    gives: ['factor', 'loss'],
    async run({ input: i }, machine) {
      const given = { first: i.tensor('ratio_first_agent'), second: i.tensor('ratio_second_agent'), advantage: i.tensor('advantages') };
      const found = await machine.compute(given, (x, g) => {
        const rows = i.flat('advantages').length;
        const ones = g.constant(new Float32Array(rows).fill(1), [rows]);
        const factor = mul(ones, x.first);
        const { loss } = clippedSurrogate(log(x.second), log(ones), x.advantage, i.number('clip'), mean, factor);
        return { factor, loss };
      });
      return { factor: found.factor, loss: one(found.loss) };
    },
  }),
  program({
    title: 'MAPPO: clipped Huber loss of values, the dead left out',
    needs: ['values', 'old_values', 'returns', 'clip', 'active_mask'],
    gives: ['per_sample', 'loss'],
    async run({ input: i }, machine) {
      const given = {
        value: i.tensor('values'),
        before: i.tensor('old_values'),
        target: i.tensor('returns'),
        weight: i.tensor('active_mask'),
      };
      const found = await machine.compute(given, (x, g) => {
        const each = clippedValueError(x.value, x.before, x.target, g.constant(i.number('clip')), 10);
        return { each, loss: weightedMean(each, x.weight) };
      });
      return { per_sample: found.each, loss: one(found.loss) };
    },
  }),
  check({
    title: 'rewards of a team: sum, mean, social value orientation',
    needs: ['rewards', 'svo_degrees'],
    gives: ['team_sum', 'team_mean', 'svo_agent0'],
    float32Atol: 1e-6,
    run({ input: i }) {
      const rewards = Float32Array.from(i.flat('rewards'));
      const out = new Float32Array(rewards.length);
      const mixed = (mix: RewardMix): number => {
        mixRewards(mix, rewards, rewards.length, out);
        return out[0]!;
      };
      const degrees = i.flat('svo_degrees');
      return {
        team_sum: mixed({ kind: 'sum' }),
        team_mean: mixed({ kind: 'mean' }),
        svo_agent0: degrees.map((orientation) => mixed({ kind: 'orientation', orientation })),
      };
    },
  }),
  check({
    title: 'rewards of a team: aversion to inequity',
    needs: ['rewards', 'alpha', 'beta'],
    gives: ['agent0'],
    float32Atol: 1e-6,
    run({ input: i }) {
      const rewards = Float32Array.from(i.flat('rewards'));
      const out = new Float32Array(rewards.length);
      mixRewards({ kind: 'inequity', envy: i.number('alpha'), guilt: i.number('beta') }, rewards, rewards.length, out);
      return { agent0: out[0]! };
    },
  }),
  program({
    title: 'COMA: the counterfactual advantage',
    needs: ['pi', 'q_all_actions', 'actions'],
    gives: ['baseline', 'advantage'],
    run: ({ input: i }, machine) =>
      machine.compute({ pi: i.tensor('pi'), q: i.tensor('q_all_actions'), action: i.tensor('actions') }, (x) => {
        const { baseline, advantage } = counterfactual(x.pi, x.q, x.action);
        const rows = i.flat('actions').length;
        return { baseline: reshape(baseline, [rows]), advantage: reshape(advantage, [rows]) };
      }),
  }),
];
