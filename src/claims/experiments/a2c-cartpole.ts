/** Claim: A2C solves CartPole. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const a2cCartpole: ExperimentCard = {
  id: 'a2c-cartpole',
  title: 'A2C on CartPole',
  claim: 'A2C with its default settings, evaluated greedily after 500,000 steps, has an interquartile mean of at least 475.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Asynchronous Methods for Deep Reinforcement Learning',
    authors: 'Mnih et al.',
    year: 2016,
    url: 'https://arxiv.org/abs/1602.01783',
  },
  config: {
    v: 1,
    env: { id: 'cartpole' },
    algo: { id: 'a2c' },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 475 },
};
