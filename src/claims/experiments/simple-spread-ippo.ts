/** Claim: independent PPO learns spread once the discount fits its 25 steps. About 10 core-minutes. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const simpleSpreadIppo: ExperimentCard = {
  id: 'simple-spread-ippo',
  title: 'IPPO on spread',
  claim: 'IPPO with discount 0.9 and step size 0.001 reaches a greedy return of -17.5 after 2 million steps (idle -24.2, scripted -7.5).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Is Independent Learning All You Need in the StarCraft Multi-Agent Challenge?',
    authors: 'de Witt et al.',
    year: 2020,
    url: 'https://arxiv.org/abs/2011.09533',
  },
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'ippo', config: { gamma: 0.9, lr: 1e-3 } },
    run: { steps: 2_000_000, seeds: 5 },
  },
  expect: { metric: 'evalReturn', statistic: 'iqm', min: -17.5 },
  quick: { run: { steps: 100_000, seeds: 5 }, expect: { metric: 'evalReturn', statistic: 'iqm', min: -21.5 } },
  published: { value: -20, text: 'JaxMARL ippo_ff_mpe levels off at about -60 summed over three agents (discount 0.99, 10 million steps)' },
};
