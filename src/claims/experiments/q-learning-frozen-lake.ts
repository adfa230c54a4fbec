/** Claim: tabular Q-learning is close to optimal on FrozenLake 4x4. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const qLearningFrozenLake: ExperimentCard = {
  id: 'q-learning-frozen-lake',
  title: 'Q-learning on the frozen lake',
  claim:
    'The greedy policy of Q-learning, scored exactly at 100 steps, reaches a median of at least 0.735 over ten seeds (best stationary policy 0.7402).',
  kind: 'claim',
  suites: ['basics'],
  source: { title: 'Q-learning', authors: 'Watkins and Dayan', year: 1992, url: 'https://doi.org/10.1007/BF00992698' },
  config: {
    v: 1,
    env: { id: 'frozen-lake' },
    algo: {
      id: 'q-learning',
      config: { alpha: 0.1, gamma: 0.99, epsilon: 1, epsilonFinal: 0.05, decayEpisodes: 5000, maxEpisodes: 10_000 },
    },
    run: { steps: 500_000, seeds: 10 },
  },
  expect: { metric: 'exactScore', statistic: 'median', min: 0.735 },
  quick: { run: {}, expect: { metric: 'exactScore', statistic: 'median', min: 0.735 } },
};
