/**
 * Claim: a monotone mixture of values learns to cover the landmarks, if less well than their sum.
 * About 25 core-minutes: 5 seeds of some 5 minutes each.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadQmix: ExperimentCard = {
  id: 'simple-spread-qmix',
  title: 'QMIX on spread',
  claim: 'Recurrent QMIX with JaxMARL’s settings reaches a greedy return of -21 after 2 million steps (idle -24.2, random -26.6).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning',
    authors: 'Rashid et al.',
    year: 2018,
    url: 'https://arxiv.org/abs/1803.11485',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'qmix' }, run: { steps: 2_000_000, seeds: 5 } },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -21 },
  published: { value: -48, text: 'JaxMARL README figure at 10 million steps, read off, apparently summed over three agents' },
};
