/** The other half of hammer-messages: the same learner, a channel as wide, nothing said in it. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { deafListener, hammerSource } from './hammer-messages.ts';

export const hammerRandom: ExperimentCard = {
  id: 'hammer-random',
  title: 'HAMMER with random messages',
  claim: 'With messages of the same length drawn at random the same learner leaves the listener guessing: below -13 on every seed.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: hammerSource,
  config: deafListener({ channel: 'random' }),
  expect: { metric: 'evalReturn', statistic: 'every', max: -13 },
};
