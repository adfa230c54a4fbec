/**
 * `growth`: a horizon that grows (ScalingInter, Xi et al. 2025, in stages there): training episodes are cut after `from` steps at first, and after more and more
 * in a straight line until the share `until` of the budget.
 */
import { fail } from '#contract/kit/errors.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import { defineExtension } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';

const field = variant(
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
type Growth = ReturnType<(typeof field)['parse']>;

/** Steps after which training episodes are cut. `done`: share of the budget that is spent. */
export function horizonAt(horizon: number, growth: Growth, done: number): number {
  if (growth.kind === 'off') return horizon;
  return Math.floor(growth.from + (horizon - growth.from) * Math.min(1, done / growth.until));
}

/** Throws LabError('incompatible') where it would begin beyond the full horizon. */
export const growth = defineExtension<Growth>({
  id: 'growth',
  field: ({ loop }) => (loop === 'groups' ? field : null),
  presets: [{ id: 'growing', title: 'ScalingInter: from 8 steps to 128', config: { growth: { kind: 'on', from: 8 } } }],
  check(_meta, setting, { horizon }) {
    if (setting.kind === 'off' || typeof horizon !== 'number' || setting.from <= horizon) return;
    throw fail(
      'incompatible',
      'A horizon that grows cannot begin beyond its full length.',
      'Lower where it grows from.',
      'algo.growth.from',
    );
  },
  load: async () => (setting) => ({
    attach: () => ({
      places: () => ({
        beforeEpisodes(numbers, done) {
          numbers.horizon = horizonAt(numbers.horizon, setting, done);
        },
      }),
    }),
  }),
});
