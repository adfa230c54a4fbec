/** Claim: evolution alone plays SlimeVolley as published. The published player's numbers are not part of this project (RL_DATA). */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const cmaEsSlimeVolley: ExperimentCard = {
  id: 'cma-es-slime-volley',
  title: 'CMA-ES against the published slime',
  claim:
    'CMA-ES beats SlimeVolley’s published player by as much as published: an interquartile mean of at least 1.148 after 15 million steps.',
  kind: 'claim',
  suites: ['single-agent'],
  source: { title: 'Slime Volleyball Gym Environment', authors: 'Ha', year: 2020, url: 'https://github.com/hardmaru/slimevolleygym' },
  config: {
    v: 1,
    env: { id: 'slime-volley', config: { opponent: 'published' } },
    algo: { id: 'cma-es', config: { hidden: [10], covariance: 'diagonal', population: 64 } },
    run: { steps: 15_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 1.148 },
  published: { value: 1.148, text: 'CMA-ES 1.148 ± 1.071 over 1,000 episodes; its steps are not published' },
  data: ['slimevolley_baseline.json'],
};
