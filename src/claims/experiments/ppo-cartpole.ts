/** Claim: the usual PPO defaults solve CartPole on every seed. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoCartpole: ExperimentCard = {
  id: 'ppo-cartpole',
  title: 'PPO on CartPole',
  claim: 'PPO reaches a mean return of 475 over 100 training episodes within 500,000 steps, on all ten seeds.',
  kind: 'claim',
  suites: ['basics', 'single-agent'],
  source: {
    title: 'Proximal Policy Optimization Algorithms',
    authors: 'Schulman et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1707.06347',
  },
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 500_000, seeds: 10 } },
  expect: { metric: 'bestReturn', statistic: 'every', min: 475 },
  quick: { run: { steps: 200_000, seeds: 5 }, expect: { metric: 'evalReturn', statistic: 'iqm', min: 475 } },
};
