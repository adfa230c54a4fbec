/**
 * Claim: independent Q-learners do learn on spread.
 * About 20 core-minutes: 5 seeds of some 4 minutes each.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadIql: ExperimentCard = {
  id: 'simple-spread-iql',
  title: 'IQL on spread',
  claim:
    'Recurrent independent Q-learning with JaxMARL’s settings reaches a greedy return of -21 after 2 million steps (idle -24.2, random -26.6).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents',
    authors: 'Tan',
    year: 1993,
    url: 'https://doi.org/10.1016/B978-1-55860-307-3.50049-6',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'iql' }, run: { steps: 2_000_000, seeds: 5 } },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -21 },
  published: { value: -40, text: 'JaxMARL README figure at 10 million steps, read off, apparently summed over three agents' },
};
