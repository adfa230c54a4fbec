/** Claim: A2C swings the acrobot up. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const a2cAcrobot: ExperimentCard = {
  id: 'a2c-acrobot',
  title: 'A2C on Acrobot',
  claim:
    'A2C with its default settings passes Gymnasium’s threshold on Acrobot: a greedy interquartile mean of at least -100 within 500,000 steps.',
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
    env: { id: 'acrobot' },
    algo: { id: 'a2c' },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -100 },
};
