/** Settings of what keeps earlier tasks while later ones are learned, and their metric. */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';

const group = 'variant';

const strength = fields.real(100, {
  min: 0,
  max: 1e7,
  title: 'strength of the penalty (lambda)',
  description: 'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.',
  source: 'Kirkpatrick et al. 2017: 1e2 to 1e4 by the scale of rewards (400 on Atari)',
  group,
});
const samples = fields.integer(256, {
  min: 1,
  max: 10_000,
  title: 'samples of the Fisher information',
  description: 'States of the finished block, drawn from replay, over which squared gradients are averaged.',
  source: 'own choice',
  slider: [32, 1024],
  depth: 'research',
  group,
});
const every = fields.integer(0, {
  min: 0,
  max: 1e9,
  title: 'consolidate every',
  unit: 'steps',
  description: 'Environment steps after which the weights are kept. 0: where the environment ends a block of its sequence of tasks.',
  source: 'Kirkpatrick et al. 2017: at the end of each task',
  slider: [0, 100_000],
  depth: 'research',
  group,
});
const decay = fields.real(0.95, {
  min: 0,
  max: 1,
  title: 'share of older importance (gamma)',
  description: 'What is kept of the Fisher information of earlier blocks when a new one is added.',
  source: 'Schwarz et al. 2018, online EWC',
  group,
});

export const forgettingFields = {
  forgetting: variant(
    'none',
    [
      kind('none', {}),
      kind('EWC', { strength, samples, every }),
      kind('online EWC', { strength, decay, samples, every }),
      kind('rehearsal', {
        capacity: fields.integer(2000, {
          min: 1,
          max: 100_000,
          title: 'transitions kept',
          description: 'A uniform sample of all transitions so far, beside the newest in the replay buffer.',
          source: 'reservoir of CLEAR (Rolnick et al. 2019)',
          slider: [100, 20_000],
          group,
        }),
        share: fields.real(0.5, {
          min: 0,
          max: 1,
          title: 'share of kept transitions',
          description: 'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.',
          source: 'CLEAR: half',
          group,
        }),
        cloning: fields.real(0, {
          min: 0,
          max: 1000,
          title: 'weight of cloning',
          description: 'Of the squared distance from the action values that the network gave when the transition was kept. 0: off.',
          source: 'CLEAR clones values with 0.005 and policies with 0.01',
          slider: [0, 1],
          group,
        }),
      }),
    ],
    {
      title: 'against forgetting',
      description:
        'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), or transitions of all tasks that are kept and learned from again.',
      source: 'Kirkpatrick et al. 2017; Schwarz et al. 2018; Rolnick et al. 2019',
      group,
    },
  ),
};
export type Forgetting = z.infer<typeof forgettingFields.forgetting>;

export const forgettingPenalty: MetricCard = {
  id: 'forgettingPenalty',
  title: 'penalty against forgetting',
  description: 'Part of the loss that holds weights (EWC) or action values (cloning) where earlier tasks had them.',
};

/** Environment steps from one consolidation to the next. */
export const consolidationSteps = (meta: EnvMeta, { every: steps }: { readonly every: number }): number =>
  steps > 0 ? steps : (meta.blockSteps ?? 0);

/** Throws LabError('config-invalid') where weights would never be kept. */
export function checkForgetting(meta: EnvMeta, c: Forgetting): void {
  if ((c.kind === 'EWC' || c.kind === 'online EWC') && consolidationSteps(meta, c) === 0)
    throw fail(
      'config-invalid',
      'Elastic weight consolidation keeps weights where a task ends, and this environment has no sequence of tasks.',
      'Give the environment contexts with an order of blocks, or set "consolidate every".',
      'algo.forgetting.every',
    );
}
