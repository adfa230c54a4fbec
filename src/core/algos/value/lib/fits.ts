/** What learners of team values can train on. Throw LabError('incompatible') or ('config-invalid') naming why not. */
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { EpisodeShape } from '../../lib/replay/replay-episodes.ts';

const MOST_BYTES = 768 * 1024 * 1024;

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

/** A browser tab must hold the replay memory, and its copy while it is saved. */
export function checkMemory({ capacity, length: L, obsSize, actionSize, rewardSize, maskSize }: EpisodeShape): void {
  const each = (L + 1) * (4 * obsSize + maskSize) + 4 * L * (actionSize + rewardSize);
  if (capacity * each <= MOST_BYTES) return;
  const megabytes = Math.round((capacity * each) / 2 ** 20);
  throw fail(
    'config-invalid',
    `The replay memory would take ${megabytes} MB; a page should not use more than ${MOST_BYTES / 2 ** 20}.`,
    `Keep at most ${Math.floor(MOST_BYTES / each)} episodes.`,
    'algo.bufferSize',
  );
}
