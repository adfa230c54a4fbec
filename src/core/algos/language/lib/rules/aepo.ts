/**
 * Branches and gradients of clipped steps (AEPO, Dong et al. 2025): some episodes of a group begin where others are undecided (../world-groups.ts), and a
 * step whose ratio is clipped keeps a gradient of the size at the limit (../policy-loss.ts).
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../../envs/api/variant.ts';
import * as fields from '../../../api/fields.ts';

export const branching = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      share: fields.real(0.5, {
        above: 0,
        max: 0.9,
        title: 'branching share',
        description: 'Share of the rows of a group that wait and begin where the episode of another is undecided.',
        source: 'own choice',
        group: 'rollout',
        depth: 'research',
      }),
      chance: fields.real(0.5, {
        min: 0,
        max: 1,
        title: 'chance of a branch',
        description: 'At a step as undecided as the start; entropy beyond that of the start, as a share of the highest, is added.',
        source: 'own choice',
        group: 'rollout',
        depth: 'stored',
      }),
      penalty: fields.real(0, {
        min: 0,
        max: 1,
        title: 'branching penalty',
        description: 'The chance falls by this share with each step just before that branched on the same way.',
        source: 'off in ARPO',
        group: 'rollout',
        depth: 'research',
      }),
    }),
  ],
  {
    title: 'branching',
    description: 'Some episodes of a group begin where another one is undecided; off: all begin at the start.',
    source: 'off in GRPO',
    depth: 'research',
    group: 'rollout',
  },
);

export const preserve = z.boolean().default(false).meta({
  title: 'gradients of clipped steps',
  description: 'A step whose ratio is clipped keeps a gradient of the size that it has at the limit.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

export const aepo: Preset = {
  id: 'aepo',
  title: 'AEPO: half of a group branches off, clipped steps keep gradients',
  config: { branching: { kind: 'on', share: 0.5, penalty: 0.5 }, preserve: true },
};
