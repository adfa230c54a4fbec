/** Claim: two foragers learn to load food together. About 25 core-minutes. */
import type { ExperimentCard } from '#contract/catalog.ts';

export const foragingIppo: ExperimentCard = {
  id: 'foraging-ippo',
  title: 'IPPO on level-based foraging',
  claim:
    'IPPO with the team’s reward collects 90 % of what the scripted expert does (0.9 of 1) on the 8x8 field with 2 players and 3 foods, within 5 million steps.',
  kind: 'claim',
  suite: 'multi-agent',
  source: {
    title: 'Benchmarking Multi-Agent Deep Reinforcement Learning Algorithms in Cooperative Tasks',
    authors: 'Papoudakis et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2006.07869',
  },
  config: {
    v: 1,
    env: { id: 'level-based-foraging', config: { foods: 3 } },
    algo: { id: 'ippo', config: { lr: 5e-4, envs: 32, teamReward: 'sum' } },
    run: { steps: 5_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 0.9 },
};
