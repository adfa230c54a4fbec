/** Claim: two agents alike cannot be told apart. One interval in twenty misses by luck, so four seeds of five are asked for. */
import type { ExperimentCard } from '#contract/catalog.ts';

export const shapleyAlikeAgents: ExperimentCard = {
  id: 'shapley-alike-agents',
  title: 'Two agents alike',
  claim:
    'In a team with one shared policy on simple_spread, the interval of the difference of two agents holds 0 on at least four of five seeds.',
  kind: 'claim',
  suite: 'shapley',
  source: {
    title:
      'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning With Shapley Values',
    authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'ippo' }, run: { steps: 300_000, seeds: 5 } },
  explain: { judge: 'alike', agents: [0, 1], question: { maxSteps: 1_000_000 } },
  expect: { metric: 'explained', statistic: 'mean', min: 0.8 },
};
