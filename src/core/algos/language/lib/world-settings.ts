/**
 * What can be set of the group policy gradient on worlds (../group-worlds.ts) without its extensions, and the columns that it reports. `branching` and
 * `preserve` are AEPO (Dong et al. 2025): some episodes of a group begin where others are undecided (world-groups.ts), and a step whose ratio is
 * clipped keeps a gradient of the size at the limit (policy-loss.ts).
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';
import { episodeMetrics, tokenMetrics } from '../../api/metrics.ts';

const own = 'own choice';

const branching = variant(
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

const preserve = z.boolean().default(false).meta({
  title: 'gradients of clipped steps',
  description: 'A step whose ratio is clipped keeps a gradient of the size that it has at the limit.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

export const config = z.strictObject({
  lr: fields.lr(1e-3, own),
  starts: fields.integer(8, {
    min: 1,
    max: 256,
    title: 'starts',
    description: 'Different starts per update.',
    source: own,
    group: 'rollout',
    depth: 'teach',
  }),
  group: fields.integer(8, {
    min: 2,
    max: 64,
    title: 'group size',
    description: 'Episodes from each start.',
    source: 'GiGPO',
    group: 'rollout',
    depth: 'teach',
  }),
  horizon: fields.integer(128, {
    min: 1,
    max: 2000,
    title: 'horizon',
    unit: 'steps',
    description: 'Training episodes are cut after so many steps.',
    source: own,
    group: 'rollout',
  }),
  branching,
  epochs: fields.epochs(2, own),
  batchSize: fields.batchSize(256, own, { unit: 'steps', description: 'Steps of a minibatch; the last one of an epoch may hold fewer.' }),
  preserve,
  clip: fields.clipRange(0.2, 'GRPO'),
  entropyCoef: fields.entropyCoef(0.01, own),
  maxGradNorm: fields.maxGradNorm(1, own),
  hidden: fields.hidden([64, 64], 'CleanRL ppo.py'),
});
export type Config = z.infer<typeof config>;

export const presets: readonly Preset[] = [
  { id: 'tools', title: 'Tools: larger groups, an entropy bonus', config: { group: 16, lr: 3e-3, entropyCoef: 0.03 } },
  {
    id: 'aepo',
    title: 'AEPO: half of a group branches off, clipped steps keep gradients',
    config: { branching: { kind: 'on', share: 0.5, penalty: 0.5 }, preserve: true },
  },
];

export const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'earned', title: 'episodes that earned', description: 'Share of the episodes of the last update that earned more than 0.' },
  { id: 'uniformGroups', title: 'uniform groups', description: 'Share of groups whose episodes all earned the same: they teach nothing.' },
  tokenMetrics.taught,
  {
    id: 'sharedStates',
    title: 'steps from shared states',
    description: 'Share of the steps of the last update whose state another step of their group began from.',
  },
  {
    id: 'passFive',
    title: 'pass@5, sampled',
    description: 'Chance that one of five episodes from the same start earns more than 0, by the rows of the last update that began there.',
  },
  {
    id: 'branched',
    title: 'branched episodes',
    description: 'Share of the episodes of the last update that branched off another one.',
  },
  {
    id: 'distinct',
    title: 'distinct episodes',
    description: 'Share of the episodes of a group whose actions no other one of it repeats before it, in the last update.',
  },
  { id: 'horizon', title: 'horizon', description: 'Steps after which episodes were cut in the last update.', unit: 'steps' },
  { id: 'policyLoss', title: 'policy loss', description: 'Of the last minibatch.' },
  { id: 'entropy', title: 'entropy', description: 'Mean over the steps of the last update.', unit: 'nats' },
  {
    id: 'entropyStray',
    title: 'entropy off its mean',
    description: 'How far the entropy of the last update lies from its mean over all updates before.',
    unit: 'nats',
  },
  { id: 'clipFraction', title: 'clip fraction', description: 'Share of steps whose ratio was limited, in the last minibatch.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, of the last minibatch.' },
];
