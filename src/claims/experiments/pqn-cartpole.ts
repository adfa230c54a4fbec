/** Claim: PQN solves CartPole without a replay buffer or a target network. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { PUREJAXQL_CARTPOLE } from '#contract/papers/published.ts';

export const pqnCartpole: ExperimentCard = {
  id: 'pqn-cartpole',
  title: 'PQN on CartPole',
  claim: 'PQN with PureJaxQL’s settings, evaluated greedily after 500,000 steps, has an interquartile mean of at least 475.',
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
    env: { id: 'cartpole' },
    algo: {
      id: 'pqn',
      config: PUREJAXQL_CARTPOLE,
    },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 475 },
};
