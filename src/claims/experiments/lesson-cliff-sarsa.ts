/** Lesson, second half: the on-policy learner counts its own exploration in and stays away from the edge. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonCliffSarsa: ExperimentCard = {
  id: 'lesson-cliff-sarsa',
  title: 'Away from the cliff: SARSA',
  claim: 'SARSA learns the safe detour (-17), because it pays for its own exploration.',
  kind: 'lesson',
  source: {
    title: 'Reinforcement Learning: An Introduction, 2nd ed.',
    authors: 'Sutton and Barto',
    year: 2018,
    url: 'http://incompleteideas.net/book/the-book-2nd.html',
  },
  config: { v: 1, env: { id: 'cliff-walking' }, algo: { id: 'sarsa' }, run: { steps: 30_000, seeds: 5 } },
};
