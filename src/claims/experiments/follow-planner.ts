/** Claim: agents that plan their way and learn to follow it get far more done than those that learn everything; see follow-plain. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const followPlanner: ExperimentCard = {
  id: 'follow-planner',
  title: 'Learn to follow, 64 agents',
  claim: 'On unseen 32x32 maps 64 agents that plan within their view and learn to follow reach 200 targets in 256 steps.',
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
    algo: { id: 'follow' },
    run: { steps: 15_360, seeds: 5, evalEpisodes: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', min: 200 },
};
