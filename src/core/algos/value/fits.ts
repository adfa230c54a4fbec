/** What learners of team values can train on. Throw LabError('incompatible') or ('config-invalid') naming why not. */
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '../../envs/types.ts';

export function checkTeamOfValues(meta: EnvMeta, title: string): void {
  if (meta.agents.some(({ action }) => action.kind !== 'discrete')) {
    throw fail(
      'incompatible',
      `${title} needs actions to choose from; here they are continuous.`,
      'Choose another environment or algorithm.',
      'env.id',
    );
  }
  if (meta.rewards.length > 1) {
    throw fail(
      'incompatible',
      `${title} needs one reward; this environment gives ${meta.rewards.join(', ')}.`,
      'Choose another environment.',
      'env.id',
    );
  }
}

export function checkSplit(rows: number, minibatches: number): void {
  if (rows % minibatches === 0) return;
  throw fail(
    'config-invalid',
    `A rollout of ${rows} rows cannot be split into ${minibatches} equal minibatches.`,
    `Choose minibatches that divide ${rows}.`,
    'algo.minibatches',
  );
}
