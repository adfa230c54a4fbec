/** Claim: two equal agents get equal Shapley values. One interval in twenty misses by luck, so four seeds of five are asked for. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyAlikeAgents: ExperimentCard = {
  id: 'shapley-alike-agents',
  title: 'Two agents alike',
  claim:
    'In a team with one shared policy on simple_spread that lists the others by distance, so that nothing tells its agents apart, the interval of the difference of two of them holds 0 on at least four of five seeds.',
  kind: 'claim',
  suites: ['shapley'],
  source: {
    title:
      'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning With Shapley Values',
    authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  // With the usual order (by number) agent 2 sees agents 0 and 1 in different places, and they are not alike: 0 was missed on two of five seeds.
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread', config: { agentNeighbors: 2 } },
    algo: { id: 'ippo' },
    run: { steps: 300_000, seeds: 5 },
  },
  explain: { judge: 'alike', agents: [0, 1], question: { maxSteps: 1_000_000 } },
  expect: { metric: 'explained', statistic: 'mean', min: 0.8 },
};
