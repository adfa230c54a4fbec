/**
 * Claim: a rule learned on 100 members orders 1,000. The noise of one radian allows 100 members that align an order of 0.952 (measured,
 * the environment's rule), so that 0.905 and more at 1,000 is a loss of less than 5 % whatever the learned rule reaches on 100.
 * Fast members (0.5 m per step) and long episodes, because large swarms need longer to agree under any policy.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const vicsekMeanField: ExperimentCard = {
  id: 'vicsek-mean-field',
  title: 'From 100 members to 1,000',
  claim: 'A local rule learned by mean-field control on 100 Vicsek members loses less than 5% of its order at 1,000 of equal density.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Learning Decentralized Partially Observable Mean Field Control for Artificial Collective Behavior',
    authors: 'Cui, Hauck, Fabian, Koeppl',
    year: 2024,
    url: 'https://arxiv.org/abs/2307.06175',
  },
  config: {
    v: 1,
    env: {
      id: 'vicsek-swarm',
      config: { particles: 1000, box: 15.811388, learners: 1000, eta: 1, speed: 0.5, maxSteps: 2000 },
    },
    algo: {
      id: 'mean-field',
      config: { knows: 'nothing', trainOn: { particles: 100, box: 5, learners: 100, maxSteps: 200 } },
    },
    run: { steps: 200_000, seeds: 5, evalEpisodes: 10 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', min: 1810 },
};
