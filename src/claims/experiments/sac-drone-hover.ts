/** Claim: SAC flies the hover task almost as well as can be. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const sacDroneHover: ExperimentCard = {
  id: 'sac-drone-hover',
  title: 'SAC on drone hover',
  claim:
    'SAC with its usual settings and small networks reaches a greedy return of 467 on the one-speed hover task within 30,000 steps (optimum 474.3).',
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
    algo: { id: 'sac', config: { hidden: [64, 64] } },
    run: { steps: 30_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 467 },
  published: { value: 474, text: 'stop threshold of the reference’s PPO example for one speed; 467 for the other commands' },
};
