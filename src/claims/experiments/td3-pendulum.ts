/** Claim: TD3 swings the pendulum up as the published benchmark has it. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const td3Pendulum: ExperimentCard = {
  id: 'td3-pendulum',
  title: 'TD3 on Pendulum',
  claim:
    'TD3 with the tuned settings of RL Zoo, but layers of 64 units, reaches a greedy interquartile mean of -170 over ten seeds within 20,000 steps. Layers of 400 and 300, as there, take two minutes a seed and more.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Addressing Function Approximation Error in Actor-Critic Methods',
    authors: 'Fujimoto et al.',
    year: 2018,
    url: 'https://arxiv.org/abs/1802.09477',
  },
  config: {
    v: 1,
    env: { id: 'pendulum' },
    algo: { id: 'td3', config: { lr: 1e-3, criticLr: 1e-3, gamma: 0.98, learningStarts: 10_000, hidden: [64, 64] } },
    run: { steps: 20_000, seeds: 10 },
  },
  tenSeeds: true,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -170 },
  published: { value: -152, text: 'RL Zoo benchmark, 20,000 steps, one trained agent' },
};
