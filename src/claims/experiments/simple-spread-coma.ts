/** Claim: COMA covers the landmarks better than a team that stands still. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadComa: ExperimentCard = {
  id: 'simple-spread-coma',
  title: 'COMA on particles: spread',
  claim:
    'COMA, whose agents share one network and know their number, reaches a greedy return per agent above that of standing still (-24.2) within 2,000,000 steps.',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Counterfactual Multi-Agent Policy Gradients',
    authors: 'Foerster et al.',
    year: 2018,
    url: 'https://arxiv.org/abs/1705.08926',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: {
      id: 'coma',
      config: { agentId: true, gamma: 0.9, lr: 1e-3, criticLr: 1e-3, entropyCoef: 0.01, normaliseAdvantages: true },
    },
    run: { steps: 2_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -24.2 },
};
