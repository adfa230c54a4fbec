/** Arrays of one rollout of whole teams, time-major: T steps of B copies x A agents. A unit of learning is L steps of one copy. */
import type { Views } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { gatherRows } from '#math/rows.ts';

export interface TeamRollout {
  readonly obs: Float32Array; // [T, B, A, O]
  readonly actions: Float32Array; // [T, B, A, D]
  readonly masks: Float32Array; // [T, B, A, N], empty where nothing is masked
  readonly noise: Float32Array; // [T, B, A, Z]
  readonly states: Float32Array; // [T / L, B, A, S] before the first step of a unit
  readonly starts: Float32Array; // [T, B] 1 where an episode begins
  readonly logProbs: Float32Array; // [T, B, A], likewise all below
  readonly values: Float32Array;
  readonly rewards: Float32Array;
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  readonly finalValues: Float32Array;
  readonly alive: Float32Array;
  readonly advantages: Float32Array;
  readonly targets: Float32Array;
  readonly lastValues: Float32Array; // [B, A]
}

export function createRollout(
  meta: EnvMeta,
  size: { readonly steps: number; readonly copies: number; readonly unit: number; readonly state: number; readonly noise: number },
): TeamRollout {
  const rows = size.copies * meta.agentCount;
  const total = size.steps * rows;
  const numbers = (width: number): Float32Array => new Float32Array(total * width);
  return {
    obs: numbers(meta.obsSize),
    actions: numbers(meta.actionSize),
    masks: numbers(meta.masked ? meta.actionCount : 0),
    noise: numbers(size.noise),
    states: new Float32Array((size.steps / size.unit) * rows * size.state),
    starts: new Float32Array(size.steps * size.copies),
    logProbs: numbers(1),
    values: numbers(1),
    rewards: numbers(1),
    terminated: new Uint8Array(total),
    truncated: new Uint8Array(total),
    finalValues: numbers(1),
    alive: numbers(1).fill(1),
    advantages: numbers(1),
    targets: numbers(1),
    lastValues: new Float32Array(rows),
  };
}

/** Feeds a learning program with the units order[from .. from + count - 1]; `picked` [L * count] is scratch. */
export function feedUnits(
  rollout: TeamRollout,
  meta: EnvMeta,
  size: { readonly copies: number; readonly unit: number; readonly state: number; readonly noise: number },
  order: Int32Array,
  from: number,
  count: number,
  picked: Int32Array,
  feed: Views,
): void {
  const A = meta.agentCount;
  for (let l = 0; l < size.unit; l++)
    for (let u = 0; u < count; u++) {
      const unit = order[from + u]!;
      const block = Math.floor(unit / size.copies);
      picked[l * count + u] = (block * size.unit + l) * size.copies + (unit % size.copies);
    }
  const rows = size.unit * count;
  const into = (name: string, source: Float32Array, width: number): void => {
    const out = feed[name];
    if (out !== undefined) gatherRows(picked, 0, rows, source, width, out);
  };
  into('obs', rollout.obs, A * meta.obsSize);
  into('action', rollout.actions, A * meta.actionSize);
  into('mask', rollout.masks, A * meta.actionCount);
  into('noise', rollout.noise, A * size.noise);
  into('starts', rollout.starts, 1);
  into('oldLogProb', rollout.logProbs, A);
  into('oldValue', rollout.values, A);
  into('advantage', rollout.advantages, A);
  into('target', rollout.targets, A);
  into('alive', rollout.alive, A);
  if (feed.state !== undefined) gatherRows(order, from, count, rollout.states, A * size.state, feed.state);
}
