/** Claim: CommNet covers landmarks better than a team that stands still. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const commnetSpread: ExperimentCard = {
  id: 'commnet-spread',
  title: 'CommNet on spread',
  claim: 'CommNet reaches a greedy return above the idle team’s (-24.2) on simple spread within two million steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Learning Multiagent Communication with Backpropagation',
    authors: 'Sukhbaatar, Szlam, Fergus',
    year: 2016,
    url: 'https://arxiv.org/abs/1605.07736',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'commnet' }, run: { steps: 2_000_000, seeds: 5 } },
  expect: { metric: 'evalReturn', statistic: 'every', min: -24.2 },
  quick: { run: { steps: 60_000, seeds: 5 }, expect: { metric: 'evalReturn', statistic: 'every', min: -24.2 } },
};
