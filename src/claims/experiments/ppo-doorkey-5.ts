/** Claim: PPO needs no more steps for the small room of key and door than published. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoDoorkey5: ExperimentCard = {
  id: 'ppo-doorkey-5',
  title: 'PPO with key and door, 100,000 steps',
  claim: 'PPO learns key, door and goal in the 5x5 room in the published 100,000 steps: a greedy interquartile mean of at least 0.95.',
  kind: 'claim',
  suites: ['single-agent'],
  source: { title: 'Minigrid & Miniworld', authors: 'Chevalier-Boisvert et al.', year: 2023, url: 'https://arxiv.org/abs/2306.13831' },
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { id: 'ppo', config: { envs: 8, rolloutSteps: 128, minibatches: 8, epochs: 8, lr: 1e-3 } },
    run: { steps: 100_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 0.95 },
  published: { value: 0.964, text: 'RL Zoo benchmark, PPO on flat observations, 100,000 steps, one trained agent' },
};
