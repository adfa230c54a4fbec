/** The other half of follow-planner: the same learner on the same maps, without a plan. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const followPlain: ExperimentCard = {
  id: 'follow-plain',
  title: 'No plan, 64 agents',
  claim: 'Without a plan the same learner stays below 100 targets on the same maps and budget.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Learn to Follow: Decentralized Lifelong Multi-agent Pathfinding via Planning and Learning',
    authors: 'Skrynnik et al.',
    year: 2024,
    url: 'https://arxiv.org/abs/2310.01207',
  },
  config: {
    v: 1,
    env: {
      id: 'lifelong-mapf',
      config: { size: 32, density: 0.2, agents: 64, collisionSystem: 'soft', maxSteps: 256 },
    },
    algo: { id: 'follow', config: { planner: false } },
    run: { steps: 15_360, seeds: 5, evalEpisodes: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', max: 100 },
};
