/** Claim: two cooks learn to share a small kitchen. About 12 core-minutes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const overcookedIppo: ExperimentCard = {
  id: 'overcooked-ippo',
  title: 'IPPO in the cramped room',
  claim:
    'Two cooks trained by IPPO, with shaped rewards that are annealed over the first half, serve nine soups (180) in 400 steps of the cramped room within 1 million steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'On the utility of learning about humans for human-AI coordination',
    authors: 'Carroll et al.',
    year: 2019,
    url: 'https://arxiv.org/abs/1910.05789',
  },
  config: {
    v: 1,
    env: { id: 'overcooked' },
    algo: { id: 'ippo', config: { lr: 1e-3, shapingUntil: 0.5 } },
    run: { steps: 1_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: 180 },
};
