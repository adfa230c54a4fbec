/** The other half of speaker-listener-channel: the same learner in the same place, but messages are cut. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const speakerListenerSilent: ExperimentCard = {
  id: 'speaker-listener-silent',
  title: 'Speaker and listener, silent',
  claim: 'With the channel switched off, the same CommNet agents leave the listener guessing: below every team that talks.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Learning Multiagent Communication with Backpropagation',
    authors: 'Sukhbaatar, Szlam, Fergus',
    year: 2016,
    url: 'https://arxiv.org/abs/1605.07736',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-speaker-listener', config: { deaf: true } },
    algo: { id: 'commnet', config: { channel: 'silent', epochs: 10, minibatches: 8, lr: 2e-3, gamma: 0.95 } },
    run: { steps: 300_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', max: -13 },
};
