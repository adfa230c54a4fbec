/**
 * A horizon that grows (ScalingInter, Xi et al. 2025, in stages there): training episodes are cut after `from` steps at first, and after more and more
 * in a straight line until the share `until` of the budget.
 */
import type { Preset } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../../envs/api/variant.ts';
import * as fields from '../../../api/fields.ts';

export const growth = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      from: fields.integer(8, {
        min: 1,
        max: 2000,
        title: 'horizon grows from',
        unit: 'steps',
        description: 'The horizon at the beginning.',
        source: 'own choice',
        group: 'rollout',
        depth: 'research',
      }),
      until: fields.real(0.5, {
        above: 0,
        max: 1,
        title: 'horizon has grown at',
        description: 'Share of the budget after which the horizon is at its full length.',
        source: 'own choice',
        group: 'rollout',
        depth: 'stored',
      }),
    }),
  ],
  {
    title: 'growing horizon',
    description: 'The horizon is short at first; off: it is the same from the beginning on.',
    source: 'off in GRPO',
    depth: 'research',
    group: 'rollout',
  },
);
type Growth = ReturnType<(typeof growth)['parse']>;

export const growing: Preset = { id: 'growing', title: 'ScalingInter: from 8 steps to 128', config: { growth: { kind: 'on', from: 8 } } };

/** Steps after which training episodes are cut. `done`: share of the budget that is spent. */
export function horizonAt(horizon: number, growth: Growth, done: number): number {
  if (growth.kind === 'off') return horizon;
  return Math.floor(growth.from + (horizon - growth.from) * Math.min(1, done / growth.until));
}
