/** Own successes: steps of episodes that earned something, and more than their group. */
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Packed } from '#core/state/checkpoint.ts';
import { createRing } from '#core/state/ring.ts';
import type { Rng } from '#math/rng.ts';
import type { GroupEpisodes, GroupRows } from '../../api/extension.ts';

/** Steps that are kept; the oldest goes first. */
const CAPACITY = 4096;

export interface Successes {
  /** Keeps the steps of episodes that earned something, and more than their group; `advantages` [rows * longest] says which. */
  add(last: Omit<GroupEpisodes, 'shared'>, advantages: Float64Array): void;
  /** Fills `count` rows with steps that are kept. Their advantage is what their episode earned beyond `usual`, never less than 0. */
  draw(feed: GroupRows, options: { readonly count: number; readonly usual: number; readonly weight: number; readonly rng: Rng }): void;
  readonly size: number;
  readonly arrays: { readonly wonSteps: Float32Array; readonly wonCount: Packed };
}

export function createSuccesses({ obsSize: O, actionCount: N, masked }: EnvMeta): Successes {
  const M = masked ? N : 0;
  const width = O + M + 3; // action, ln p when it was drawn, return
  const steps = new Float32Array(CAPACITY * width);
  const ring = createRing(CAPACITY);
  return {
    get size() {
      return ring.size;
    },
    add({ longest, lengths, returns, obs, masks, actions, logProbs }, advantages) {
      for (let row = 0; row < lengths.length; row++) {
        if (returns[row]! <= 0 || advantages[row * longest]! <= 0) continue;
        for (let at = row * longest; at < row * longest + lengths[row]!; at++) {
          const to = ring.next() * width;
          steps.set(obs.subarray(at * O, (at + 1) * O), to);
          steps.set(masks.subarray(at * M, (at + 1) * M), to + O);
          steps[to + O + M] = actions[at]!;
          steps[to + O + M + 1] = logProbs[at]!;
          steps[to + O + M + 2] = returns[row]!;
        }
      }
    },
    draw(feed, { count, usual, weight, rng }) {
      for (let k = 0; k < count; k++) {
        const from = rng.int(ring.size) * width;
        feed.obs.set(steps.subarray(from, from + O), k * O);
        feed.mask?.set(steps.subarray(from + O, from + O + M), k * M);
        feed.action[k] = steps[from + O + M]!;
        feed.old[k] = steps[from + O + M + 1]!;
        feed.advantage[k] = Math.max(0, steps[from + O + M + 2]! - usual);
      }
      feed.present.fill(0).fill(1, 0, count);
      feed.weight.fill(0).fill(weight / count, 0, count);
    },
    arrays: { wonSteps: steps, wonCount: ring.packed },
  };
}
