/**
 * Claim: two foragers learn to load food together. About 15 core-minutes. Judged as the cited benchmark judges its IPPO: whole test
 * episodes apart from training, actions drawn by the policy (EPyMARL's `soft_policies` selector draws in tests too). Greedily, two
 * players without memory can wait for each other for ever (0.80 against 0.99 in the run that set this up).
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const foragingIppo: ExperimentCard = {
  id: 'foraging-ippo',
  title: 'IPPO on level-based foraging',
  claim:
    'IPPO with the team’s reward collects 90 % of what the scripted expert does (0.9 of 1) on the 8x8 field with 2 players and 3 foods, after 2 million steps, in 100 test episodes with actions drawn by the policy, as the benchmark tests it.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Benchmarking Multi-Agent Deep Reinforcement Learning Algorithms in Cooperative Tasks',
    authors: 'Papoudakis et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2006.07869',
  },
  config: {
    v: 1,
    env: { id: 'level-based-foraging', config: { foods: 3 } },
    algo: { id: 'ippo', config: { lr: 1e-3, gamma: 0.95, envs: 32, entropyCoef: 1e-3, teamReward: 'sum', agentId: true } },
    run: { steps: 2_000_000, seeds: 5 },
  },
  expect: { metric: 'sampledReturn', statistic: 'iqm', min: 0.9 },
};
