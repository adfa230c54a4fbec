/** Claim: SAC swings the pendulum up as the published benchmark has it. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const sacPendulum: ExperimentCard = {
  id: 'sac-pendulum',
  title: 'SAC on Pendulum',
  claim:
    'SAC with the tuned settings of RL Zoo, but layers of 64 units, reaches a greedy interquartile mean of -170 over ten seeds within 20,000 steps. Two layers of 256, as there, take four minutes a seed.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Soft Actor-Critic Algorithms and Applications',
    authors: 'Haarnoja et al.',
    year: 2018,
    url: 'https://arxiv.org/abs/1812.05905',
  },
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: { id: 'sac', config: { lr: 1e-3, criticLr: 1e-3, hidden: [64, 64] } },
    run: { steps: 20_000, seeds: 10 },
  },
  tenSeeds: true,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -170 },
  published: { value: -157, text: 'RL Zoo benchmark, 20,000 steps, one trained agent' },
};
