/** Claim: agents that share nothing and take turns learn spread too. About 12 core-minutes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadHappo: ExperimentCard = {
  id: 'simple-spread-happo',
  title: 'HAPPO on spread',
  claim: 'HAPPO, a network per agent and discount 0.9, reaches a greedy return of -18 after 2 million steps (idle -24.2, scripted -7.5).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Trust Region Policy Optimisation in Multi-Agent Reinforcement Learning',
    authors: 'Kuba et al.',
    year: 2022,
    url: 'https://arxiv.org/abs/2109.11251',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: {
      id: 'happo',
      config: {
        gamma: 0.9,
        lr: 1e-3,
        annealLr: true,
        envs: 16,
        rolloutSteps: 128,
        minibatches: 4,
        hidden: [64, 64],
        activation: 'tanh',
      },
    },
    run: { steps: 2_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -18 },
};
