/** Claim: PPO solves MiniGrid-DoorKey-5x5. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoMinigridDoorkey: ExperimentCard = {
  id: 'ppo-minigrid-doorkey',
  title: 'PPO with key and door',
  claim: 'PPO learns key, door and goal in the 5x5 room: interquartile mean return of at least 0.9 over ten seeds.',
  kind: 'claim',
  suites: ['basics'],
  source: { title: 'Minigrid & Miniworld', authors: 'Chevalier-Boisvert et al.', year: 2023, url: 'https://arxiv.org/abs/2306.13831' },
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { id: 'ppo', config: { envs: 8, minibatches: 8, lr: 0.0005 } },
    run: { steps: 300_000, seeds: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 0.9 },
};
