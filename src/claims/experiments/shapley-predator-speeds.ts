/** Claim: of a slow, a medium and a fast predator the slow one contributes least (Heuillet et al. 2022, their Figure on unequal speeds). */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyPredatorSpeeds: ExperimentCard = {
  id: 'shapley-predator-speeds',
  title: 'Slow, medium and fast predators',
  claim:
    'Of predators of speed 0.5, 1.0 and 1.5 the slow one has the lowest value, its interval wholly below that of the fast one, on all five seeds.',
  kind: 'claim',
  suites: ['shapley'],
  source: {
    title: 'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent RL with Shapley Values',
    authors: 'Heuillet, Couthouis & Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag', config: { adversarySpeeds: [0.5, 1, 1.5], seats: { agent_0: 'random' } } },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 1_000_000, seeds: 5 },
  },
  explain: { judge: 'below', agents: [0, 2], question: { maxSteps: 2_000_000 } },
  expect: { metric: 'explained', statistic: 'every', min: 1 },
  published: {
    value: -0.31,
    text: 'values -0.31, 9.335 and 11.735 for slow, medium and fast (computed from the published coalition means)',
  },
};
