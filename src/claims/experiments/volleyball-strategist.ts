/**
 * Claim: a hierarchy plays what neither of its extremes does; see volleyball-random-skills and volleyball-flat. Measured beside it: always the
 * same skill gets -42 at best of the eleven (all three drones run for the ball), and the rally's own rule over the same controllers 95.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const volleyballStrategist: ExperimentCard = {
  id: 'volleyball-strategist',
  title: 'Drone volleyball: a strategist over skills',
  claim:
    'Three drones whose skills are controllers and whose choice among them is learned win rallies against a scripted team: a greedy return of at least 110 within 1.5 million steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'VolleyBots: a testbed for multi-drone volleyball game combining motion control and strategic play',
    authors: 'Xu et al.',
    year: 2025,
    url: 'https://arxiv.org/abs/2502.01932',
  },
  config: {
    v: 1,
    env: { id: 'drone-volleyball', config: { teamSize: 3, seats: { far: 'rally' } } },
    algo: { id: 'strategist', config: { envs: 32 } },
    run: { steps: 1_500_000, seeds: 5, evalEpisodes: 50 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 110 },
};
