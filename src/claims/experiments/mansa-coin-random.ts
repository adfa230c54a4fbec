/** The control of mansa-coin: the same three learners, but the switch is random in every step: the difference is the value of choosing where to call. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { coinGame, mansaSource } from './mansa-coin.ts';

export const mansaCoinRandom: ExperimentCard = {
  id: 'mansa-coin-random',
  title: 'The coin game with calls at random',
  claim: 'A random switch in every step in place of the learned one keeps less than 7.5 of the return on the budget of mansa-coin.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: mansaSource,
  config: coinGame({ switchEpsilonEnd: 1 }),
  expect: { metric: 'netReturn', statistic: 'iqm', max: 7.5 },
};
