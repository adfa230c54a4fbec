/** Settings of what keeps earlier tasks while later ones are learned, and their metric. */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import * as fields from '../../api/fields.ts';
import type { EwcSettings } from './ewc.ts';

const group = 'variant';

const strengthWords = {
  min: 0,
  max: 1e7,
  title: 'strength of the penalty (lambda)',
  description: 'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.',
  source: 'Kirkpatrick et al. 2017: 1e2 to 1e4 by the scale of rewards (400 on Atari)',
  group,
};
const strength = fields.real(100, strengthWords);
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

const capacityWords = {
  min: 1,
  max: 100_000,
  title: 'transitions kept',
  description: 'A uniform sample of all transitions so far, beside the newest in the replay buffer.',
  source: 'reservoir of CLEAR (Rolnick et al. 2019)',
  slider: [100, 20_000] as [number, number],
  group,
};
const share = fields.real(0.5, {
  min: 0,
  max: 1,
  title: 'share of kept transitions',
  description: 'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.',
  source: 'CLEAR: half',
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
        capacity: fields.integer(2000, capacityWords),
        share,
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
      kind('several', {
        strength: fields.real(100, { ...strengthWords, title: 'strength of the penalty (lambda; 0: none)' }),
        samples,
        every,
        capacity: fields.integer(250, { ...capacityWords, min: 0, title: 'transitions kept (0: none)' }),
        share,
        resets: fields.real(0, {
          min: 0,
          max: 1,
          title: 'dormant at or below (tau; 0: no resets)',
          description:
            'Where a task ends, hidden units whose mean activation is at most this part of the mean of their layer are started anew.',
          source: 'ReDo (Sokar et al. 2023): 0.025 to 0.1',
          slider: [0, 0.2],
          group,
        }),
        jump: fields.real(0, {
          min: 0,
          max: 20,
          title: 'jump of the loss that ends a task (0: not looked for)',
          unit: 'standard deviations',
          description:
            'Above 0 a task ends where the loss of forty updates lies so far above that of the eight hundred before; borders of the environment and "consolidate every" then do not count.',
          source: 'own choice',
          slider: [0, 10],
          group,
        }),
      }),
    ],
    {
      title: 'against forgetting',
      description:
        'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), or transitions of all tasks that are kept and learned from again; several of them together, with resets of units and borders found by the loss.',
      source: 'Kirkpatrick et al. 2017; Schwarz et al. 2018; Rolnick et al. 2019; Sokar et al. 2023',
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

/** The penalty on weights that is asked for; null: none. */
export function penaltyOf(c: Forgetting): EwcSettings | null {
  if (c.kind === 'EWC' || c.kind === 'online EWC') return c;
  return c.kind === 'several' && c.strength > 0 ? { kind: 'EWC', strength: c.strength, samples: c.samples } : null;
}

/** What is rehearsed; null: nothing. */
export function rehearsedOf(c: Forgetting): { readonly capacity: number; readonly share: number; readonly cloning: number } | null {
  if (c.kind === 'rehearsal') return c;
  return c.kind === 'several' && c.capacity > 0 ? { capacity: c.capacity, share: c.share, cloning: 0 } : null;
}

/** Threshold of dormant units that are started anew; 0: none are. */
export const resetsOf = (c: Forgetting): number => (c.kind === 'several' ? c.resets : 0);

/** Standard deviations by which the loss jumps where a task ends; 0: that is not looked for. */
export const jumpOf = (c: Forgetting): number => (c.kind === 'several' ? c.jump : 0);

/** Environment steps from one end of a task to the next; 0: none is given. */
export function taskSteps(meta: EnvMeta, c: Forgetting): number {
  const every = 'every' in c ? c.every : 0;
  return every > 0 ? every : (meta.blockSteps ?? 0);
}

/** Throws LabError('config-invalid') where something waits for the end of a task that never comes. */
export function checkForgetting(meta: EnvMeta, c: Forgetting): void {
  const waits = penaltyOf(c) !== null || resetsOf(c) > 0;
  if (waits && jumpOf(c) === 0 && taskSteps(meta, c) === 0)
    throw fail(
      'config-invalid',
      'Weights are kept, and units started anew, where a task ends, and this environment has no sequence of tasks.',
      c.kind === 'several'
        ? 'Give the environment contexts with an order of blocks, or set "consolidate every" or the jump of the loss.'
        : 'Give the environment contexts with an order of blocks, or set "consolidate every".',
      'algo.forgetting.every',
    );
}
