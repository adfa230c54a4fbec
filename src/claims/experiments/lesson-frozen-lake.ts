/** Lesson: learning a value for every cell while the ice pushes the agent sideways. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonFrozenLake: ExperimentCard = {
  id: 'lesson-frozen-lake',
  title: 'Values on slippery ice',
  claim: 'A table of values is enough to cross the ice, and even the best policy fails one time in four.',
  kind: 'lesson',
  source: { title: 'Q-learning', authors: 'Watkins and Dayan', year: 1992, url: 'https://doi.org/10.1007/BF00992698' },
  config: {
    v: 1,
    env: { id: 'frozen-lake' },
    algo: {
      id: 'q-learning',
      config: { alpha: 0.1, gamma: 0.99, epsilon: 1, epsilonFinal: 0.05, decayEpisodes: 5000, maxEpisodes: 10_000 },
    },
    run: { steps: 400_000, seeds: 5 },
  },
};
