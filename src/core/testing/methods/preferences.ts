/** Losses that learn from comparisons, and advantages within groups. */
import { klTerm } from '#core/algos/language/lib/policy-loss.ts';
import { bradleyTerryLoss, cplLoss, dpoLoss, impliedRewards } from '#core/algos/lib/preference-loss.ts';
import { mean, sigmoid, sub } from '#core/engine/ops.ts';
import { type AdvantageOptions, groupAdvantages } from '#math/groups.ts';
import { check, type Inputs, program } from './check.ts';

const advantages = (input: Inputs, options: AdvantageOptions): readonly Float64Array[] =>
  input.rows('rewards').map((rewards) => groupAdvantages(rewards, rewards.length, options));

export const preferenceChecks = [
  program({
    title: 'CPL: regret preference loss of segments',
    needs: ['segment_logp_w', 'segment_logp_l', 'alpha', 'lambda_bias'],
    gives: ['loss_each', 'loss'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ w: i.tensor('segment_logp_w'), l: i.tensor('segment_logp_l') }, (x) => {
        const each = cplLoss({ logProbW: x.w, logProbL: x.l }, i.number('alpha'), i.number('lambda_bias'));
        return { each, loss: mean(each) };
      });
      return { loss_each: found.each, loss: found.loss[0]! };
    },
  }),
  program({
    title: 'DPO',
    needs: ['logp_w', 'logp_l', 'ref_w', 'ref_l', 'beta'],
    gives: ['logits', 'loss', 'reward_accuracy'],
    async run({ input: i }, machine) {
      const feeds = {
        logProbW: i.tensor('logp_w'),
        logProbL: i.tensor('logp_l'),
        referenceW: i.tensor('ref_w'),
        referenceL: i.tensor('ref_l'),
      };
      const { logits, loss } = await machine.compute(feeds, (x) => {
        const { w, l } = impliedRewards(x, i.number('beta'));
        return { logits: sub(w, l), loss: mean(dpoLoss(x, i.number('beta'))) };
      });
      return { logits, loss: loss[0]!, reward_accuracy: logits.filter((z) => z > 0).length / logits.length };
    },
  }),
  program({
    title: 'Bradley-Terry',
    needs: ['reward_preferred', 'reward_other'],
    gives: ['prob', 'loss'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ w: i.tensor('reward_preferred'), l: i.tensor('reward_other') }, (x) => ({
        prob: sigmoid(sub(x.w, x.l)),
        loss: mean(bradleyTerryLoss(x.w, x.l)),
      }));
      return { prob: found.prob, loss: found.loss[0]! };
    },
  }),
  program({
    title: 'KL estimators',
    needs: ['logp_policy', 'logp_ref'],
    gives: ['k1', 'k2', 'k3'],
    run: ({ input: i }, machine) =>
      machine.compute({ own: i.tensor('logp_policy'), reference: i.tensor('logp_ref') }, (x) => ({
        k1: klTerm('k1', x.own, x.reference),
        k2: klTerm('k2', x.own, x.reference),
        k3: klTerm('k3', x.own, x.reference),
      })),
  }),
  check({
    title: 'GRPO: advantages within groups',
    needs: ['rewards'],
    gives: ['advantage', 'advantage_population_std', 'mean_only'],
    only: ({ name }) => name === 'grpo',
    run: ({ input }) => ({
      advantage: advantages(input, { baseline: 'mean', scale: 'group' }),
      advantage_population_std: advantages(input, { baseline: 'mean', scale: 'group', ddof: 0 }),
      mean_only: advantages(input, { baseline: 'mean', scale: 'none' }),
    }),
  }),
  check({
    title: 'RLOO: advantages against the others of the group',
    needs: ['rewards'],
    gives: ['advantage'],
    only: ({ name }) => name === 'rloo',
    run: ({ input }) => ({ advantage: advantages(input, { baseline: 'leave-one-out', scale: 'none' }) }),
  }),
];
