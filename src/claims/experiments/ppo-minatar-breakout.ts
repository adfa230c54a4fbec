/** Claim: PPO on flattened planes plays MinAtar's Breakout as published. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { GYMNAX_BREAKOUT, PUREJAXRL_MINATAR } from '#contract/papers/published.ts';

export const ppoMinatarBreakout: ExperimentCard = {
  id: 'ppo-minatar-breakout',
  title: 'PPO on MinAtar Breakout',
  claim:
    'PPO with PureJaxRL’s settings, planes flattened, reaches a greedy interquartile mean of at least 28 in MinAtar’s Breakout under the rules of gymnax (no sticky actions, 1,000 steps at most) after ten million steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'Discovered Policy Optimisation',
    authors: 'Lu et al.',
    year: 2022,
    url: 'https://arxiv.org/abs/2210.05639',
  },
  config: {
    v: 1,
    env: { id: 'minatar-breakout', config: GYMNAX_BREAKOUT },
    algo: { id: 'ppo', config: PUREJAXRL_MINATAR },
    run: { steps: 10_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 28 },
  published: { value: 28, text: 'gymnax, PPO checkpoint 28; PureJaxRL, PPO, ten million steps: about 38 to 44, read off its figure' },
};
