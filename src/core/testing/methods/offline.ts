/** Losses of methods that learn from recorded rows. */
import { advantageWeight, conservativePenalty, expectileLoss, td3BcWeight } from '#core/algos/lib/data/losses.ts';
import { logsumexp, mean, mul, neg } from '#core/engine/ops.ts';
import { program } from './check.ts';

export const offlineChecks = [
  program({
    title: 'implicit Q-learning: expectile loss, weights and policy loss',
    needs: ['q_target', 'v', 'tau', 'beta', 'log_prob'],
    gives: ['value_loss', 'per_sample', 'weights', 'actor_loss'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ q: i.tensor('q_target'), v: i.tensor('v'), logProb: i.tensor('log_prob') }, (x) => {
        const each = expectileLoss(x.q, x.v, i.number('tau'));
        const weights = advantageWeight(x.q, x.v, i.number('beta'));
        return { each, weights, loss: mean(each), actor: mean(mul(weights, neg(x.logProb))) };
      });
      return { value_loss: found.loss[0]!, per_sample: found.each, weights: found.weights, actor_loss: found.actor[0]! };
    },
  }),
  program({
    title: 'CQL: the penalty on actions that were not recorded',
    needs: ['q', 'actions'],
    gives: ['logsumexp', 'penalty'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ q: i.tensor('q'), actions: i.tensor('actions') }, (x) => ({
        logsumexp: logsumexp(x.q, -1),
        penalty: mean(conservativePenalty(x.q, x.actions)),
      }));
      return { logsumexp: found.logsumexp, penalty: found.penalty[0]! };
    },
  }),
  program({
    title: 'TD3+BC: weight of the values',
    needs: ['q', 'alpha'],
    gives: ['lambda_'],
    run: async ({ input: i }, machine) => {
      const { weight } = await machine.compute({ q: i.tensor('q') }, (x) => ({ weight: td3BcWeight(x.q, i.number('alpha')) }));
      return { lambda_: weight[0]! };
    },
  }),
];
