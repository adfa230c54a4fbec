/** Claim: a learned messenger tells a deaf listener what only the speaker sees; hammer-random is its control. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';

/** The same run for the messenger and for its control. */
export const deafListener = (settings: JsonObject): JsonObject => ({
  v: 1,
  env: { id: 'mpe-simple-speaker-listener', config: { deaf: true } },
  algo: { id: 'hammer', config: { ...settings, epochs: 10, minibatches: 8, lr: 2e-3, gamma: 0.95 } },
  run: { steps: 300_000, seeds: 5 },
});

export const hammerSource = {
  title: 'HAMMER: Multi-Level Coordination of Reinforcement Learning Agents via Learned Messaging',
  authors: 'Gupta et al.',
  year: 2021,
  url: 'https://arxiv.org/abs/2102.00824',
} as const;

export const hammerMessages: ExperimentCard = {
  id: 'hammer-messages',
  title: 'HAMMER, speaker and listener',
  claim:
    'A messenger that sees the goal brings a deaf listener to it: a greedy return above -11 on every seed, where random messages leave every team below -13 (hammer-random).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: hammerSource,
  config: deafListener({}),
  expect: { metric: 'evalReturn', statistic: 'every', min: -11 },
};
