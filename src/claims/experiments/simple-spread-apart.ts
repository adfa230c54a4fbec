/**
 * Claim: on spread it pays to be different. Agents that share a network all go the same way to a landmark; with networks of their own
 * they divide the landmarks among them. About 5 core-minutes.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadApart: ExperimentCard = {
  id: 'simple-spread-apart',
  title: 'MAPPO on spread, a network for every agent',
  claim:
    'MAPPO with a network for every agent and one reward for all reaches a greedy return of -15 after 500,000 steps; with a shared network it is near -18 by then (scripted -7.5).',
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
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3, sharing: 'independent', teamReward: 'mean' } },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -15 },
};
