/** Claim: PPO beats SlimeVolley's published player. Its numbers are not part of this project (RL_DATA). */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const ppoSlimeVolley: ExperimentCard = {
  id: 'ppo-slime-volley',
  title: 'PPO against the published slime',
  claim: 'Trained against SlimeVolley’s published player, PPO wins more points than it loses after 5 million steps (median of five seeds).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: { title: 'Slime Volleyball Gym Environment', authors: 'Ha', year: 2020, url: 'https://github.com/hardmaru/slimevolleygym' },
  config: {
    v: 1,
    env: { id: 'slime-volley', config: { opponent: 'published' } },
    algo: {
      id: 'ppo',
      config: {
        envs: 16,
        rolloutSteps: 256,
        minibatches: 32,
        epochs: 10,
        lr: 5e-4,
        entropyCoef: 0,
        clipValue: false,
        valueCoef: 1,
        normaliseObs: true,
      },
    },
    run: { steps: 5_000_000, seeds: 5, evalEpisodes: 100 },
  },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'median', min: 0 },
  published: {
    value: 1.377,
    text: 'PPO 1.377 ± 1.133 at its best; 17 runs became positive after 1.27 (best) and 3.0 million steps (median)',
  },
  data: ['slimevolley_baseline.json'],
};
