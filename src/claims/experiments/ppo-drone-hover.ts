/** Claim: PPO flies the hover task almost as well as can be. About 5 core-minutes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoDroneHover: ExperimentCard = {
  id: 'ppo-drone-hover',
  title: 'PPO on drone hover',
  claim: 'PPO reaches a greedy return of 467 on the one-speed hover task within 500,000 steps (optimum 474.3).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Learning to Fly: a Gym Environment with PyBullet Physics for Reinforcement Learning of Multi-agent Quadcopter Control',
    authors: 'Panerati et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2103.02142',
  },
  config: {
    v: 1,
    env: { id: 'drone-hover', config: { actionType: 'one-d-rpm' } },
    algo: {
      id: 'ppo',
      config: { envs: 8, rolloutSteps: 256, minibatches: 32, epochs: 10, lr: 3e-4, entropyCoef: 0 },
    },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 467 },
  published: { value: 474, text: 'stop threshold of the reference’s PPO example for one speed; 467 for the other commands' },
};
