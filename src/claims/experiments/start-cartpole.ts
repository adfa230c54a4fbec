/** The first thing a visitor sees: a pole that is balanced after a few seconds of training. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const startCartpole: ExperimentCard = {
  id: 'start-cartpole',
  title: 'Balance a pole',
  claim: 'PPO learns to balance the pole within seconds, on every seed.',
  kind: 'start',
  source: {
    title: 'Proximal Policy Optimization Algorithms',
    authors: 'Schulman et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1707.06347',
  },
  config: { v: 1, env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 300_000, seeds: 5 } },
};
