/** Claim: DQN with a published schedule solves CartPole. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const dqnCartpole: ExperimentCard = {
  id: 'dqn-cartpole',
  title: 'DQN on CartPole',
  claim: 'DQN, evaluated greedily after 500,000 steps, has an interquartile mean of at least 470 over ten seeds.',
  kind: 'claim',
  suites: ['basics', 'single-agent'],
  source: {
    title: 'Human-level control through deep reinforcement learning',
    authors: 'Mnih et al.',
    year: 2015,
    url: 'https://doi.org/10.1038/nature14236',
  },
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'dqn' }, run: { steps: 500_000, seeds: 10 } },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 470 },
  quick: { run: { steps: 100_000, seeds: 5 }, expect: { metric: 'evalReturn', statistic: 'iqm', min: 200 } },
};
