/**
 * Policy-space response oracles (Lanctot et al. 2017): a population grows by best responses to a mixture of its members, which a
 * meta-solver chooses from their payoffs against each other. On small games everything is exact (games/lib/psro-exact.ts), elsewhere PPO
 * learns the responses (games/lib/psro-trained.ts). The policy is the mixture.
 */
import { z } from 'zod';
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { defineAlgo } from '../api/define.ts';
import { checkTwoSeats } from './lib/frozen.ts';
import { metaFields } from './lib/meta-solver.ts';
import { mixturePolicy } from './lib/mixture-policy.ts';
import { psroExact } from './lib/psro-exact.ts';
import { psroTrained } from './lib/psro-trained.ts';
import { gameFields, gameMetrics } from './lib/self-play-config.ts';
import { checkRows } from './lib/side.ts';
import { savedStrategyPolicy, solverMetrics, toleranceField } from './lib/solver.ts';

const config = z.strictObject({
  ...metaFields,
  responses: z.enum(['auto', 'exact', 'learned']).default('auto').meta({
    title: 'best responses',
    description: 'Exact where the game is small enough to be listed, else learned by PPO.',
    source: 'own choice',
    group: 'population',
  }),
  tolerance: toleranceField,
  responseUpdates: z
    .int()
    .min(1)
    .max(100_000)
    .default(40)
    .meta({
      title: 'updates per response',
      unit: 'updates',
      description: 'How long PPO learns one response.',
      source: 'own choice',
      log: true,
      slider: [5, 2000],
      group: 'population',
    }),
  responseStart: z.enum(['last', 'scratch']).default('last').meta({
    title: 'a response begins as',
    description: 'The last response, or the untrained network.',
    source: 'own choice',
    group: 'population',
  }),
  ...gameFields,
});
type Config = z.infer<typeof config>;

const exact = (meta: EnvMeta, c: Config): boolean => c.responses === 'exact' || (c.responses === 'auto' && meta.listed === true);

export const psro = defineAlgo<Config>({
  spec: {
    id: 'psro',
    version: 1,
    title: 'PSRO',
    summary: 'Grows a population: whoever answers the best mixture of its members best joins it.',
    source: {
      title: 'A unified game-theoretic approach to multiagent reinforcement learning',
      authors: 'Lanctot et al.',
      year: 2017,
      url: 'https://arxiv.org/abs/1711.00832',
    },
    config,
    presets: [
      { id: 'uniform', title: 'uniform (fictitious play)', config: { metaSolver: 'uniform' } },
      { id: 'prd', title: 'projected replicator dynamics', config: { metaSolver: 'prd' } },
      { id: 'risk-averse', title: 'risk-averse', config: { metaSolver: 'risk-averse' } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'kuhn-poker', steps: 20_000, config: { metaSolver: 'uniform', tolerance: 0 } },
    probes: [],
    metrics: [
      ...solverMetrics.filter(({ id }) => id !== 'iterations'),
      ...gameMetrics,
      {
        id: 'gain',
        title: 'gain of the last response',
        description: 'What it gets against the mixture it answered: the mixture can be exploited by at least as much.',
        unit: 'payoff',
      },
    ],
  },

  fits(meta, c) {
    if (exact(meta, c)) {
      if (meta.listed === true && meta.agentCount === 2) return;
      const why = 'This game is too large for exact best responses.';
      throw fail('config-invalid', why, 'Let them be learned.', 'algo.responses');
    }
    checkTwoSeats(meta, 'PSRO');
    checkRows(c, 0);
  },

  train: (run, resume) => (exact(run.meta, run.config) ? psroExact(run, resume) : psroTrained(run, resume)),

  async policy(context, saved) {
    if (exact(context.meta, context.config)) return savedStrategyPolicy(context, saved);
    return mixturePolicy(context.makeEngine, context.meta, context.config, saved);
  },
});
