/** One extreme of mansa-coin: independent learners alone. They take every coin, and each takes away what the other gains. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { coinGame, mansaSource } from './mansa-coin.ts';

export const mansaCoinNever: ExperimentCard = {
  id: 'mansa-coin-never',
  title: 'The coin game without central calls',
  claim: 'Independent learners alone stay below a return of 2 on the budget of mansa-coin (random play: 0).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: mansaSource,
  config: coinGame({ switching: 'never' }),
  expect: { metric: 'netReturn', statistic: 'every', max: 2 },
};
