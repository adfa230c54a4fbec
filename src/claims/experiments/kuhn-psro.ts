/** Claim: PSRO on Kuhn poker, from random strategies: from uniform play nothing is drawn, and every seed is the same run. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const kuhnPsro: ExperimentCard = {
  id: 'kuhn-psro',
  title: 'PSRO on Kuhn poker',
  claim: 'From two random strategies the double oracle brings the NashConv of Kuhn poker below 0.02 (uniform play: 0.917), on every seed.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'A unified game-theoretic approach to multiagent reinforcement learning',
    authors: 'Lanctot et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1711.00832',
  },
  config: {
    v: 1,
    env: { id: 'kuhn-poker' },
    algo: { id: 'psro', config: { metaSolver: 'nash', tolerance: 0.001, startMembers: 2 } },
    run: { steps: 200_000, seeds: 5 },
  },
  expect: { metric: 'nashConv', statistic: 'every', max: 0.02 },
  quick: { run: { seeds: 5 }, expect: { metric: 'nashConv', statistic: 'every', max: 0.02 } },
};
