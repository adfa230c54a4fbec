/** Claim: drawn orders rank as all coalitions do, for a quarter of the episodes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyRanksTag: ExperimentCard = {
  id: 'shapley-ranks-tag',
  title: 'Drawn orders rank as all coalitions: simple_tag',
  claim:
    'On simple_tag with unequal predators, antithetic orders with a quarter of the steps rank every pair as all coalitions do, where their intervals are apart.',
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
    env: { id: 'mpe-simple-tag', config: { adversarySpeeds: [0.5, 1, 1.5], seats: { agent_0: 'random' } } },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 1_000_000, seeds: 5 },
  },
  explain: {
    judge: 'ranks',
    agents: [],
    question: { scheme: 'exact', maxSteps: 2_000_000 },
    sampled: { scheme: 'antithetic', seed: 2, maxSteps: 500_000 },
  },
  expect: { metric: 'explained', statistic: 'every', min: 1 },
};
