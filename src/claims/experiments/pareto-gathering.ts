/**
 * Claim: one network knows a policy for every trade-off between colours. Seven steps leave some items: no policy does better than the front
 * of (1, 3, 1), (3, 2, 1), (2, 2, 2) and (3, 1, 2) red, green and yellow items, hypervolume 39, by search over all routes.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';

export const paretoGathering: ExperimentCard = {
  id: 'pareto-gathering',
  title: 'Pareto DQN gathers by colour',
  claim:
    'One network conditioned on the weights finds, for two gatherers with seven steps, trade-offs between three colours that together dominate at least 90 % of what the best ones do (hypervolume 35.1 of 39).',
  kind: 'claim',
  suites: ['multi-agent'],
  source: {
    title: 'Dynamic weights in multi-objective deep reinforcement learning',
    authors: 'Abels et al.',
    year: 2019,
    url: 'https://arxiv.org/abs/1809.07803',
  },
  config: {
    v: 1,
    env: { id: 'mo-item-gathering', config: { maxSteps: 7 } },
    algo: { id: 'pareto-dqn', config: { referencePoint: [-1, -1, -1], epsilonEnd: 0.1 } },
    run: { steps: 60_000, seeds: 5, evalEpisodes: 1 },
  },
  expect: { metric: 'hypervolume', statistic: 'iqm', min: 35.1 },
  published: { value: 39, text: 'the best trade-offs, hypervolume 39, by search over all routes of both gatherers' },
};
