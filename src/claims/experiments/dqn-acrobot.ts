/** Claim: DQN swings the acrobot up. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const dqnAcrobot: ExperimentCard = {
  id: 'dqn-acrobot',
  title: 'DQN on Acrobot',
  claim:
    'DQN with RL Zoo’s settings, but layers of 64 units in place of 256, passes Gymnasium’s threshold on Acrobot: a greedy interquartile mean of at least -100 after 100,000 steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Human-level control through deep reinforcement learning',
    authors: 'Mnih et al.',
    year: 2015,
    url: 'https://doi.org/10.1038/nature14236',
  },
  config: {
    v: 1,
    env: { id: 'acrobot' },
    algo: {
      id: 'dqn',
      config: {
        lr: 6.3e-4,
        batchSize: 128,
        bufferSize: 50_000,
        learningStarts: 128,
        targetEvery: 250,
        trainEvery: 4,
        gradientSteps: 4,
        epsilonFraction: 0.12,
        epsilonEnd: 0.1,
        hidden: [64, 64],
        loss: 'huber',
        maxGradNorm: 10,
      },
    },
    run: { steps: 100_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -100 },
};
