/** Claim: Sutton and Barto, example 6.6, SARSA. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const sarsaCliff: ExperimentCard = {
  id: 'sarsa-cliff',
  title: 'SARSA at the cliff',
  claim: 'The greedy policy of SARSA takes the safe detour: a median return of -17 over ten seeds.',
  kind: 'claim',
  suites: ['basics'],
  source: {
    title: 'Reinforcement Learning: An Introduction, 2nd ed.',
    authors: 'Sutton and Barto',
    year: 2018,
    url: 'http://incompleteideas.net/book/the-book-2nd.html',
  },
  config: {
    v: 1,
    env: { id: 'cliff-walking' },
    algo: { id: 'sarsa', config: { alpha: 0.5, gamma: 1, epsilon: 0.1, maxEpisodes: 500 } },
    run: { steps: 100_000, seeds: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'median', min: -17, max: -17 },
  quick: { run: {}, expect: { metric: 'evalReturn', statistic: 'median', min: -17, max: -17 } },
};
