/** Claim: where the listener hears nothing else, a learned channel tells it the goal. Its silent twin is speaker-listener-silent. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const speakerListenerChannel: ExperimentCard = {
  id: 'speaker-listener-channel',
  title: 'A learned channel, speaker and listener',
  claim: 'CommNet agents that can only talk through their own channel bring the listener to the goal: above every silent team.',
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
    algo: { id: 'commnet', config: { epochs: 10, minibatches: 8, lr: 2e-3, gamma: 0.95 } },
    run: { steps: 300_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', min: -11 },
};
