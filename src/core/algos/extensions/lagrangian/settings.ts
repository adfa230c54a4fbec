/** Settings and metrics of a limit on cost. */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const group = 'loss';
const limit = fields.real(25, {
  min: 0,
  max: 1e6,
  title: 'cost limit',
  description: 'What an episode may cost on average.',
  source: 'Safety-Gymnasium; Ray et al. 2019',
  live: true,
  slider: [0, 100],
  depth: 'teach',
  simple: true,
  group,
});
const rate = fields.real(0.035, {
  min: 0,
  max: 10,
  title: 'step size of the multiplier',
  description: 'How fast the weight of the cost follows what episodes cost above or below the limit, once an update.',
  source: 'OmniSafe PPOLag.yaml',
  live: true,
  log: true,
  slider: [1e-3, 1],
  group,
});
const start = fields.real(0.001, {
  min: 0,
  max: 1000,
  title: 'multiplier at the start',
  description: 'Weight of the cost before the first episode has ended.',
  source: 'OmniSafe PPOLag.yaml',
  depth: 'research',
  slider: [0, 1],
  group,
});
const gamma = fields.real(0.99, {
  min: 0,
  max: 1,
  title: 'discount of the cost',
  description: 'Weight of a cost one step later.',
  source: 'OmniSafe PPOLag.yaml',
  depth: 'research',
  slider: [0.9, 1],
  group,
});

export const limitField = variant(
  'not used',
  [kind('not used', {}), kind('Adam', { limit, rate, start, gamma }), kind('ascent', { limit, rate, start, gamma })],
  {
    title: 'limit on cost',
    description:
      'Keeps the mean cost of an episode below a limit: a multiplier weighs cost against reward and grows while the limit is passed.',
    source: 'PPO-Lagrangian, Ray et al. 2019',
    depth: 'teach',
    group,
  },
);
export type LimitSetting = z.infer<typeof limitField>;
export type Limit = Exclude<LimitSetting, { kind: 'not used' }>;

export const limitMetrics: readonly MetricCard[] = [
  {
    id: 'multiplier',
    title: 'multiplier',
    description: 'Weight of the cost beside the reward; it rises while episodes cost more than the limit and falls while they cost less.',
  },
  {
    id: 'updateCost',
    title: 'cost of the newest episodes',
    description: 'Mean cost of the episodes that ended in the last update, which the multiplier follows.',
    bounds: ['costLimit'],
  },
  { id: 'costLimit', title: 'cost limit', description: 'What an episode may cost on average.' },
];
