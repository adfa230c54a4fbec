/**
 * Claim: a switch that learns where to call a central learner earns more, its calls paid, than either extreme and than a coin that is
 * flipped in every step (mansa-coin-never, mansa-coin-always, mansa-coin-random). Measured is the return less what calls cost, mean of
 * the last 100 training episodes, exploration included. In the coin game independent learners take each other's coins; it takes a
 * central learner to leave them, in the few places where one is within reach. About 1.5 core-minutes.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';

/** The same run for the switch and for what it is measured against. */
export const coinGame = (settings: JsonObject): JsonObject => ({
  v: 1,
  env: { id: 'coin-game' },
  algo: {
    id: 'mansa',
    config: {
      switchCost: 0.5,
      recurrent: false,
      rolloutSteps: 4,
      batchSize: 64,
      bufferSize: 50_000,
      learningStarts: 2000,
      lr: 1e-3,
      annealLr: false,
      optimiser: 'adam',
      gamma: 0.95,
      targetEvery: 1,
      tau: 0.01,
      epsilonFraction: 0.5,
      hyperUnits: 32,
      mixerScale: 1,
      ...settings,
    },
  },
  run: { steps: 250_000, seeds: 5 },
});

export const mansaSource = {
  title: 'MANSA: Learning Fast and Slow in Multi-Agent Systems',
  authors: 'Mguni et al.',
  year: 2023,
  url: 'https://arxiv.org/abs/2302.05910',
} as const;

export const mansaCoin: ExperimentCard = {
  id: 'mansa-coin',
  title: 'MANSA in the coin game',
  claim:
    'Where a call costs 0.5, a learned switch between independent learners and QMIX reaches a return of 8 less its calls after 250,000 steps of the coin game; QMIX in every step cannot pass 7 so, and independent learners stay near 0.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: mansaSource,
  config: coinGame({}),
  expect: { metric: 'netReturn', statistic: 'iqm', min: 8 },
};
