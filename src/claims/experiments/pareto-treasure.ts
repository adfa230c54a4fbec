/** Claim: one table per weighting finds every trade-off of the convex sea. Its front is known: exact. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const paretoTreasure: ExperimentCard = {
  id: 'pareto-treasure',
  title: 'Pareto sweep in the deep sea',
  claim:
    'All ten trade-offs between treasure and time are found: their hypervolume against (0, -50) is that of the exact front, 994.3, on every seed.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Empirical evaluation methods for multiobjective reinforcement learning algorithms',
    authors: 'Vamplew et al.',
    year: 2011,
    url: 'https://doi.org/10.1007/s10994-010-5232-5',
  },
  config: {
    v: 1,
    env: { id: 'deep-sea-treasure' },
    algo: { id: 'pareto-sweep', config: { referencePoint: [0, -50], epsilonFinal: 0.2 } },
    run: { steps: 300_000, seeds: 5, evalEpisodes: 1 },
  },
  expect: { metric: 'hypervolume', statistic: 'every', min: 994.2 },
  published: { value: 994.3, text: 'the exact front of MO-Gymnasium’s map, hypervolume 994.3' },
};
