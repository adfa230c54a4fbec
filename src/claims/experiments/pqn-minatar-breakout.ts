/** Claim: PQN with a convolution plays MinAtar's Breakout as published. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { GYMNAX_BREAKOUT, PUREJAXQL_MINATAR } from '#contract/papers/published.ts';

export const pqnMinatarBreakout: ExperimentCard = {
  id: 'pqn-minatar-breakout',
  title: 'PQN on MinAtar Breakout',
  claim:
    'PQN with PureJaxQL’s settings and convolution reaches a greedy interquartile mean of at least 28 in MinAtar’s Breakout under the rules of gymnax (no sticky actions, 1,000 steps at most) after ten million steps.',
  kind: 'claim',
  suites: ['single-agent'],
  secondLook: 'full',
  source: {
    title: 'Simplifying Deep Temporal Difference Learning',
    authors: 'Gallici et al.',
    year: 2024,
    url: 'https://arxiv.org/abs/2407.04811',
  },
  config: {
    v: 1,
    env: { id: 'minatar-breakout', config: GYMNAX_BREAKOUT },
    algo: { id: 'pqn', config: PUREJAXQL_MINATAR },
    run: { steps: 10_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 28 },
  published: { value: 28, text: 'gymnax, PPO checkpoint 28, the least of the published scores' },
};
