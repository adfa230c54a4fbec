/**
 * Self-imitation (SPEAR, Qin et al. 2025): a helping reward of the world first; later, in a straight line, steps of own episodes that did better than their
 * group, as far as their return still exceeds the usual one; and no gradient where A and ln p vary together most.
 */
import type { Preset } from '#contract/catalog/catalog.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { Packed } from '#core/state/checkpoint.ts';
import { createRing } from '#core/state/ring.ts';
import type { Rng } from '#math/rng.ts';
import * as fields from '../../../api/fields.ts';
import type { WorldEpisodes } from '../world-groups.ts';

export const shapingUntil = fields.real(0, {
  min: 0,
  max: 1,
  title: 'shaped-reward annealing fraction',
  description: 'Share of the budget over which the environment’s shaped reward is annealed to 0; 0: never used.',
  source: 'off in GRPO',
  group: 'rollout',
  depth: 'research',
});

export const replay = fields.real(0, {
  min: 0,
  max: 10,
  title: 'weight of own successes',
  description: 'Of steps of earlier episodes that did better than their group, at the end of the budget; 0 at its beginning.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

export const covarianceClip = fields.real(0, {
  min: 0,
  max: 0.5,
  title: 'covariance clip',
  description: 'Share of the steps, those whose advantage and probability vary together most, that lose their gradient.',
  source: 'off in GRPO',
  group: 'loss',
  depth: 'research',
});

export const spear: Preset = {
  id: 'spear',
  title: 'SPEAR: shaped reward first, own successes later, covariance clipped',
  config: { shapingUntil: 0.5, replay: 0.5, covarianceClip: 0.02 },
};

/** Weight of the shaped reward when the share `done` of the budget is spent. */
export const helpAt = (shapingUntil: number, done: number): number => (shapingUntil === 0 ? 0 : Math.max(0, 1 - done / shapingUntil));

/** Steps that are kept; the oldest goes first. */
const CAPACITY = 4096;

/** Inputs of an update (world-network.ts), [rows] each. */
interface Feed {
  readonly obs: Float32Array;
  readonly mask?: Float32Array | undefined;
  readonly action: Float32Array;
  readonly old: Float32Array;
  readonly advantage: Float32Array;
  readonly present: Float32Array;
  readonly weight: Float32Array;
}

export interface Successes {
  /** Keeps the steps of episodes that earned something, and more than their group; `advantages` [rows * longest] says which. */
  add(last: Omit<WorldEpisodes, 'shared'>, advantages: Float64Array): void;
  /** Fills `count` rows with steps that are kept. Their advantage is what their episode earned beyond `usual`, never less than 0. */
  draw(feed: Feed, options: { readonly count: number; readonly usual: number; readonly weight: number; readonly rng: Rng }): void;
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

/** (A - mean A) (ln p - mean ln p) of the steps at these places, in their order: the covariance of Clip-Cov and KL-Cov (Cui et al. 2025). */
export function covariances(places: ArrayLike<number>, advantages: ArrayLike<number>, logProbs: ArrayLike<number>): Float64Array {
  const n = places.length;
  let [meanA, meanP] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanA += advantages[places[i]!]! / n;
    meanP += logProbs[places[i]!]! / n;
  }
  return Float64Array.from({ length: n }, (_, i) => (advantages[places[i]!]! - meanA) * (logProbs[places[i]!]! - meanP));
}

/** Of `n` things the share `share`, rounded down, at least one. */
export const partOf = (n: number, share: number): number => Math.max(1, Math.floor(share * n));

/** Places of the `count` largest values, largest first; of equal ones the first by `order`, their own places if missing. */
export function largest(values: ArrayLike<number>, count: number, order?: ArrayLike<number>): number[] {
  const at = Array.from({ length: values.length }, (_, i) => i);
  at.sort((a, b) => values[b]! - values[a]! || (order === undefined ? a - b : order[a]! - order[b]!));
  return at.slice(0, count);
}

/** Of the steps at these places the share `share`, rounded down, at least one, whose covariance is largest. */
export function highCovariance(
  places: ArrayLike<number>,
  advantages: ArrayLike<number>,
  logProbs: ArrayLike<number>,
  share: number,
): ReadonlySet<number> {
  const found = largest(covariances(places, advantages, logProbs), partOf(places.length, share), places);
  return new Set(found.map((i) => places[i]!));
}
