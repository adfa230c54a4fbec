/** Prey and hunters learn at the same time: its prey is the frozen one that tag-mappo and tag-maddpg are measured against as well. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const tagPrey: ExperimentCard = {
  id: 'tag-prey',
  title: 'Hunters and prey that learn together on particles: tag',
  claim: 'Hunters and prey learn at the same time; the prey of the first seed is kept, frozen, to try other hunters on.',
  kind: 'benchmark',
  source: {
    title: 'Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments',
    authors: 'Lowe et al.',
    year: 2017,
    url: 'https://arxiv.org/abs/1706.02275',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-tag' },
    algo: { id: 'ippo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 1_000_000, seeds: 1 },
  },
};
