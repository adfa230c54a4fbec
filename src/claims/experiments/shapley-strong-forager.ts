/** Claim: a forager of level 2 is worth more than two of level 1. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyStrongForager: ExperimentCard = {
  id: 'shapley-strong-forager',
  title: 'A strong forager among weak ones',
  claim: 'Of foragers of level 2, 1 and 1 the strong one has the highest value, its interval wholly above the others, on all five seeds.',
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
    env: { id: 'level-based-foraging', config: { players: 3, foods: 3, playerLevels: [2, 1, 1] } },
    algo: { id: 'ippo', config: { lr: 1e-3, gamma: 0.95, envs: 32, entropyCoef: 1e-3, teamReward: 'sum', agentId: true } },
    run: { steps: 2_000_000, seeds: 5 },
  },
  explain: { judge: 'above', agents: [0, 1, 2], question: { players: [0, 1, 2], maxSteps: 2_000_000 } },
  firstSeed: 3001,
  expect: { metric: 'explained', statistic: 'every', min: 1 },
};
