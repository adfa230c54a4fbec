/** Claim: evolution alone solves CartPole. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const cmaEsCartpole: ExperimentCard = {
  id: 'cma-es-cartpole',
  title: 'CMA-ES on CartPole',
  claim: 'CMA-ES balances the pole for all 500 steps: an interquartile mean of at least 499, without a gradient.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'The CMA Evolution Strategy: A Tutorial',
    authors: 'Hansen',
    year: 2016,
    url: 'https://arxiv.org/abs/1604.00772',
  },
  config: {
    v: 1,
    env: { id: 'cartpole' },
    algo: { id: 'cma-es' },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 499 },
};
