/** Lesson: a reward that comes only after key, door and goal. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonDoorkey: ExperimentCard = {
  id: 'lesson-doorkey',
  title: 'Key, door, goal',
  claim: 'One reward at the very end is enough for PPO to learn a three-step plan.',
  kind: 'lesson',
  source: { title: 'Minigrid & Miniworld', authors: 'Chevalier-Boisvert et al.', year: 2023, url: 'https://arxiv.org/abs/2306.13831' },
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { id: 'ppo', config: { envs: 8, minibatches: 8, lr: 0.0005 } },
    run: { steps: 200_000, seeds: 5 },
  },
};
