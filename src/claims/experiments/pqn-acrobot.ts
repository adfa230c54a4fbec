/** Claim: PQN swings the acrobot up. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { PUREJAXQL_CARTPOLE } from '#contract/papers/published.ts';

export const pqnAcrobot: ExperimentCard = {
  id: 'pqn-acrobot',
  title: 'PQN on Acrobot',
  claim:
    'PQN with PureJaxQL’s settings for CartPole passes Gymnasium’s threshold on Acrobot: a greedy interquartile mean of at least -100 after 500,000 steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Simplifying Deep Temporal Difference Learning',
    authors: 'Gallici et al.',
    year: 2024,
    url: 'https://arxiv.org/abs/2407.04811',
  },
  config: {
    v: 1,
    env: { id: 'acrobot' },
    algo: {
      id: 'pqn',
      config: PUREJAXQL_CARTPOLE,
    },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -100 },
};
