/**
 * Claim: a team value learned by PQN nearly reaches the scripted team.
 * About 15 core-minutes: 5 seeds of some 3 minutes each.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadPqnVdn: ExperimentCard = {
  id: 'simple-spread-pqn-vdn',
  title: 'PQN-VDN on spread',
  claim:
    'PQN with a summed team value covers the landmarks far better than independent learners: a greedy return of -13 after 2 million steps (idle -24.2, random -26.6, scripted -7.5).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Simplifying Deep Temporal Difference Learning',
    authors: 'Gallici et al.',
    year: 2024,
    url: 'https://arxiv.org/abs/2407.04811',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'pqn-vdn' }, run: { steps: 2_000_000, seeds: 5 } },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -13 },
  published: {
    value: -10.8,
    text: 'measured for this page with the same settings in PyTorch, 2 seeds; JaxMARL publishes about -32 summed over three agents',
  },
  quick: { run: { steps: 61_440, seeds: 5 }, expect: { metric: 'evalReturn', statistic: 'iqm', min: -22.5 } },
};
