/**
 * One extreme of volleyball-strategist: its skills without a strategist. Nothing is learned, so few steps are enough; and the evaluation,
 * which draws from seeds of its own, would be the same for all, so episodes of the runs themselves are judged.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const volleyballRandomSkills: ExperimentCard = {
  id: 'volleyball-random-skills',
  title: 'Drone volleyball: skills by chance',
  claim:
    'The same three drones choosing their skills by chance, as often as the strategist does, lose: no seed’s last 100 episodes get above -30.',
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
    algo: { id: 'strategist', config: { envs: 32, strategy: 'random' } },
    run: { steps: 100_000, seeds: 5, evalEpisodes: 50 },
  },
  expect: { metric: 'finalReturn', statistic: 'every', max: -30 },
};
