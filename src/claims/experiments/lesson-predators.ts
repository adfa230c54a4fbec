/** Lesson: a team learns together, and the return does not say who did the work. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonPredators: ExperimentCard = {
  id: 'lesson-predators',
  title: 'Which of four does the work?',
  claim: 'Four hunters of different speed share every catch: train, then ask under Why, Team, who did it.',
  kind: 'lesson',
  source: {
    title: 'Collective eXplainable AI: Explaining Cooperative Strategies and Agent Contribution in Multiagent RL with Shapley Values',
    authors: 'Heuillet, Couthouis & Diaz-Rodriguez',
    year: 2022,
    url: 'https://arxiv.org/abs/2110.01307',
  },
  config: {
    v: 1,
    env: {
      id: 'mpe-simple-tag',
      config: { adversaries: 4, adversarySpeeds: [0.3, 0.8, 1, 1.3], seats: { agent_0: 'random' } },
    },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 0.001 } },
    run: { steps: 400_000, seeds: 2 },
  },
};
