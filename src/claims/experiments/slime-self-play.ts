/** Claim: self-play alone gives an equal of SlimeVolley's published player. Its numbers are not part of this project (RL_DATA). */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const slimeSelfPlay: ExperimentCard = {
  id: 'slime-self-play',
  title: 'Slime volleyball by self-play',
  claim:
    'Self-play that never met SlimeVolley’s published player loses at most one point more than it wins against it (median of five seeds).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: { title: 'Slime Volleyball Gym Environment', authors: 'Ha', year: 2020, url: 'https://github.com/hardmaru/slimevolleygym' },
  config: {
    v: 1,
    env: { id: 'slime-volley', config: { opponent: 'agent' } },
    algo: {
      id: 'self-play',
      config: {
        envs: 16,
        rolloutSteps: 256,
        minibatches: 48,
        epochs: 6,
        lr: 5e-4,
        entropyCoef: 0.01,
        clipValue: false,
        valueCoef: 1,
        latestShare: 0.5,
        snapshotEvery: 40,
        pairGames: 2,
        gameLimit: 1000,
      },
    },
    run: { steps: 5_000_000, seeds: 5, evalEpisodes: 100 },
  },
  against: { opponent: 'published' },
  firstSeed: 3001,
  expect: { metric: 'againstReturn', statistic: 'median', min: -1 },
  published: { value: -0.371, text: 'PPO self-play -0.371 ± 1.085 against the same player' },
  data: ['slimevolley_baseline.json'],
};
