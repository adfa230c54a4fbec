/** Claim: the same on a small Harvest, where one of three agents is idle half of the time. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyRanksHarvest: ExperimentCard = {
  id: 'shapley-ranks-harvest',
  title: 'Drawn orders rank as all coalitions: a small Harvest',
  claim:
    'On a small Harvest of three agents, one idle half of the time, antithetic orders with a quarter of the steps rank every pair as all coalitions do, where their intervals are apart.',
  kind: 'claim',
  suites: ['shapley'],
  source: {
    title:
      'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning With Shapley Values',
    authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config: {
    v: 1,
    env: { id: 'commons-harvest', config: { layout: 'small', agents: 3, viewAhead: 5, viewBehind: 5, viewSide: 5, maxSteps: 200 } },
    algo: { id: 'ippo' },
    run: { steps: 1_000_000, seeds: 5 },
  },
  explain: {
    judge: 'ranks',
    agents: [],
    question: { scheme: 'exact', maxSteps: 800_000 },
    sampled: { scheme: 'antithetic', seed: 2, maxSteps: 200_000 },
    idle: [{ agent: 1, share: 0.5 }],
  },
  expect: { metric: 'explained', statistic: 'every', min: 1 },
};
