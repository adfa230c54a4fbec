/** Claim: PPO swings the acrobot up. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoAcrobot: ExperimentCard = {
  id: 'ppo-acrobot',
  title: 'PPO on Acrobot',
  claim:
    'PPO with its default settings swings the acrobot up in about 85 steps: a greedy interquartile mean of at least -90 within 500,000 steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Proximal Policy Optimization Algorithms',
    authors: 'Schulman et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1707.06347',
  },
  config: {
    v: 1,
    env: { id: 'acrobot' },
    algo: { id: 'ppo' },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -90 },
  published: { value: -73.5, text: 'RL Zoo benchmark, tuned settings, a million steps, one trained agent' },
};
