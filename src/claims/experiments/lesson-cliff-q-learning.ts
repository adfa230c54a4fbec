/** Lesson, first half: the off-policy learner finds the shortest path along the cliff. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonCliffQLearning: ExperimentCard = {
  id: 'lesson-cliff-q-learning',
  title: 'Along the cliff: Q-learning',
  claim: 'Q-learning learns the shortest path (-13) and keeps falling off it while it explores.',
  kind: 'lesson',
  source: {
    title: 'Reinforcement Learning: An Introduction, 2nd ed.',
    authors: 'Sutton and Barto',
    year: 2018,
    url: 'http://incompleteideas.net/book/the-book-2nd.html',
  },
  config: { v: 1, env: { id: 'cliff-walking' }, algo: { id: 'q-learning' }, run: { steps: 30_000, seeds: 5 } },
};
