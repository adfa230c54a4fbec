/** Claim: PPO plays MinAtar's Breakout as published. About 20 core-minutes for five seeds. */
import type { ExperimentCard } from '#contract/catalog.ts';

export const ppoMinatarBreakout: ExperimentCard = {
  id: 'ppo-minatar-breakout',
  title: 'PPO on MinAtar Breakout',
  claim: 'PPO reaches a greedy interquartile mean of at least 28 in MinAtar’s Breakout after ten million steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: {
    title: 'MinAtar: An Atari-Inspired Testbed for Thorough and Reproducible Reinforcement Learning Experiments',
    authors: 'Young, Tian',
    year: 2019,
    url: 'https://arxiv.org/abs/1903.03176',
  },
  config: {
    v: 1,
    env: { id: 'minatar-breakout' },
    algo: {
      id: 'ppo',
      config: { envs: 64, minibatches: 8, lr: 1e-3, filters: 16, hidden: [128], activation: 'relu', sharedTrunk: true },
    },
    run: { steps: 10_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 28 },
  published: { value: 28, text: 'gymnax, PPO checkpoint 28; PureJaxRL, PPO, ten million steps: about 38 to 44, read off its figure' },
};
