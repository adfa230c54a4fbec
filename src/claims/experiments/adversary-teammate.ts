/** Claim: a teammate that learned to harm costs more than one that acts at random; see adversary-random. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const adversaryTeammate: ExperimentCard = {
  id: 'adversary-teammate',
  title: 'One adversary among three',
  claim:
    'One of a trained team of three, replaced by a learner that is paid the others’ losses, brings the greedy return below -22 on every seed, where no team with a random one falls.',
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
    algo: { id: 'adversary', config: { epochs: 8, minibatches: 8 } },
    run: { steps: 400_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', max: -22 },
};
