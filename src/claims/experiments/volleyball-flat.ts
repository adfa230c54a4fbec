/**
 * The other extreme of volleyball-strategist: the same PPO, with a network of the same size, learns body rates and thrust without skills.
 * Without the entropy bonus it ended in the same place (-79.6): it learns not to crash, hovers, and loses the serve.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const volleyballFlat: ExperimentCard = {
  id: 'volleyball-flat',
  title: 'Drone volleyball: motor commands alone',
  claim: 'PPO on the motor commands of the same three drones stays below 0 for every seed in as many steps as the strategist has.',
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
    algo: {
      id: 'ppo',
      config: { envs: 32, rolloutSteps: 64, minibatches: 8, lr: 1e-3, clipValue: false, normaliseObs: true, normaliseReward: true },
    },
    run: { steps: 1_500_000, seeds: 5, evalEpisodes: 50 },
  },
  expect: { metric: 'evalReturn', statistic: 'every', max: 0 },
};
