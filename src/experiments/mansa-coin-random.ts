/** The control of mansa-coin: the same three learners, but a coin is tossed in every step. What is left is what knowing where is worth. */
import type { ExperimentCard } from '#contract/catalog.ts';
import { coinGame, mansaSource } from './mansa-coin.ts';

export const mansaCoinRandom: ExperimentCard = {
  id: 'mansa-coin-random',
  title: 'The coin game with calls at random',
  claim: 'A coin tossed in every step in place of the learned switch keeps less than 7.5 of the return on the budget of mansa-coin.',
  kind: 'claim',
  suite: 'multi-agent',
  source: mansaSource,
  config: coinGame({ switchEpsilonEnd: 1 }),
  expect: { metric: 'netReturn', statistic: 'iqm', max: 7.5 },
};
