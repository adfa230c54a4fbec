/** Claim: PPO solves MiniGrid-Empty-8x8. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoMinigridEmpty: ExperimentCard = {
  id: 'ppo-minigrid-empty',
  title: 'PPO in an empty room',
  claim: 'PPO learns to walk to the goal of the empty 8x8 room: interquartile mean return of at least 0.9 over ten seeds.',
  kind: 'claim',
  suites: ['basics'],
  source: { title: 'Minigrid & Miniworld', authors: 'Chevalier-Boisvert et al.', year: 2023, url: 'https://arxiv.org/abs/2306.13831' },
  config: {
    v: 1,
    env: { id: 'minigrid-empty' },
    algo: { id: 'ppo', config: { envs: 16, minibatches: 8, lr: 0.001 } },
    run: { steps: 200_000, seeds: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 0.9 },
};
