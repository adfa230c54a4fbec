/** The other half of hammer-messages: the same learner, a channel as wide, nothing said in it. */
import type { ExperimentCard } from '#contract/catalog.ts';

export const hammerRandom: ExperimentCard = {
  id: 'hammer-random',
  title: 'HAMMER with random messages',
  claim: 'With messages of the same length drawn at random the same learner leaves the listener guessing: below -13 on every seed.',
  kind: 'claim',
  suite: 'multi-agent',
  source: {
    title: 'HAMMER: Multi-Level Coordination of Reinforcement Learning Agents via Learned Messaging',
    authors: 'Gupta et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2102.00824',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-speaker-listener', config: { deaf: true } },
    algo: { id: 'hammer', config: { channel: 'random', epochs: 10, minibatches: 8, lr: 2e-3, gamma: 0.95 } },
    run: { steps: 300_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', max: -13 },
};
