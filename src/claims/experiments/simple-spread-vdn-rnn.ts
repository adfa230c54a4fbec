/**
 * Claim: value decomposition with memories learns to cover the landmarks.
 * About 20 core-minutes: 5 seeds of some 4 minutes each.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadVdnRnn: ExperimentCard = {
  id: 'simple-spread-vdn-rnn',
  title: 'Recurrent VDN on spread',
  claim: 'Recurrent VDN with JaxMARL’s settings reaches a greedy return of -19 after 2 million steps (idle -24.2, random -26.6).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Value-Decomposition Networks For Cooperative Multi-Agent Learning',
    authors: 'Sunehag et al.',
    year: 2018,
    url: 'https://arxiv.org/abs/1706.05296',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'vdn' }, run: { steps: 2_000_000, seeds: 5 } },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -19 },
  published: { value: -32, text: 'JaxMARL README figure at 10 million steps, read off, apparently summed over three agents' },
};
