/** Claim: hunters taught by MAPPO catch prey that moves at random. About 5 core-minutes. Trained prey (tag-prey) is reported beside. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const tagMappo: ExperimentCard = {
  id: 'tag-mappo',
  title: 'MAPPO hunters on particles: tag',
  claim:
    'Three hunters taught by MAPPO reach a greedy return of at least 10.2 each against prey that moves at random, three times what random hunters get (3.4), within 1,000,000 steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games',
    authors: 'Yu et al.',
    year: 2022,
    url: 'https://arxiv.org/abs/2103.01955',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag', config: { seats: { agent_0: 'random' } } },
    algo: { id: 'mappo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 1_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 10.2 },
  rival: { experiment: 'tag-prey', name: 'prey that learned beside hunters of its own' },
};
