/** Claim: a critic that sees all agents does no worse than independent ones. About 12 core-minutes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadMappo: ExperimentCard = {
  id: 'simple-spread-mappo',
  title: 'MAPPO on spread',
  claim: 'MAPPO with discount 0.9 and step size 0.001 reaches a greedy return of -17.5 after 2 million steps (idle -24.2, scripted -7.5).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games',
    authors: 'Yu et al.',
    year: 2022,
    url: 'https://arxiv.org/abs/2103.01955',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 2_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -17.5 },
};
