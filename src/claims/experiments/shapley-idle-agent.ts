/** Claim: who does nothing is worth nothing, and its interval says so. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const shapleyIdleAgent: ExperimentCard = {
  id: 'shapley-idle-agent',
  title: 'An agent that does nothing',
  claim: 'In a team trained on simple_spread, an agent that is made to do nothing has 0 inside its interval, on all five seeds.',
  kind: 'claim',
  suites: ['shapley'],
  source: {
    title:
      'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent Reinforcement Learning With Shapley Values',
    authors: 'Heuillet, Couthouis, Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config: { v: 1, env: { id: 'mpe-simple-spread' }, algo: { id: 'ippo' }, run: { steps: 300_000, seeds: 5 } },
  explain: { judge: 'nothing', agents: [1], question: { maxSteps: 1_000_000 }, idle: [{ agent: 1, share: 1 }] },
  expect: { metric: 'explained', statistic: 'every', min: 1 },
  quick: { run: { steps: 20_000, seeds: 5 }, expect: { metric: 'explained', statistic: 'every', min: 1 } },
};
