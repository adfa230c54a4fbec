/** Lesson: the one number that most often decides whether anything is learned. It may be moved while the run goes on. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const lessonLearningRate: ExperimentCard = {
  id: 'lesson-learning-rate',
  title: 'Too fast, too slow',
  claim: 'With a learning rate a hundred times the usual one, PPO does not learn to balance the pole.',
  kind: 'lesson',
  source: {
    title: 'Proximal Policy Optimization Algorithms',
    authors: 'Schulman et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1707.06347',
  },
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo', config: { lr: 0.025 } }, run: { steps: 200_000, seeds: 5 } },
};
