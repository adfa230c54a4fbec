/** Claim: hunters taught by MADDPG catch prey that moves at random. Trained prey (tag-prey) is reported beside. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const tagMaddpg: ExperimentCard = {
  id: 'tag-maddpg',
  title: 'MADDPG hunters on particles: tag',
  claim:
    'Three hunters taught by MADDPG reach a greedy return of at least 10.2 each against prey that moves at random, three times what random hunters get (3.4), within 500,000 steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments',
    authors: 'Lowe et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1706.02275',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag', config: { seats: { agent_0: 'random' } } },
    algo: { id: 'maddpg' },
    run: { steps: 500_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 10.2 },
  rival: { experiment: 'tag-prey', name: 'prey that learned beside hunters of its own' },
};
