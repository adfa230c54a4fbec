/** The other extreme of mansa-coin: QMIX acts in every step, and every step is paid for. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { coinGame, mansaSource } from './mansa-coin.ts';

export const mansaCoinAlways: ExperimentCard = {
  id: 'mansa-coin-always',
  title: 'The coin game with central calls only',
  claim: 'QMIX in every step keeps less than 7 of its return on the budget of mansa-coin: ten calls an episode cost 5.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: mansaSource,
  config: coinGame({ switching: 'always' }),
  expect: { metric: 'netReturn', statistic: 'every', max: 7 },
};
