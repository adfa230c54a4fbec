/** Claim: MADDPG covers the landmarks better than a team that stands still. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadMaddpg: ExperimentCard = {
  id: 'simple-spread-maddpg',
  title: 'MADDPG on particles: spread',
  claim:
    'MADDPG with its original settings covers the landmarks: a greedy return per agent above -20 within 2,000,000 steps (standing still -24.2, at random -26.6).',
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
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'maddpg' },
    run: { steps: 2_000_000, seeds: 5 },
  },
  firstSeed: 3001,
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -20 },
};
