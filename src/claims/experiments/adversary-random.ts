/** The other half of adversary-teammate: the same team, one of whom acts at random. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const adversaryRandom: ExperimentCard = {
  id: 'adversary-random',
  title: 'One at random among three',
  claim:
    'The same trained team with one agent acting at random keeps a greedy return above -22 on every seed, which no team with an adversary reaches.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Attacking Cooperative Multi-Agent Reinforcement Learning by Adversarial Minority Influence',
    authors: 'Li et al.',
    year: 2025,
    url: 'https://arxiv.org/abs/2302.03322',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'adversary', config: { attack: 'random', epochs: 8, minibatches: 8 } },
    run: { steps: 400_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', min: -22 },
};
