/**
 * Visit counts of observations, exact or by hash, and the bonus they give: 1 / sqrt(N(s)), N with this visit (Strehl & Littman 2008).
 * Exact counts tell rows apart by 53 bits of a hash of their numbers. SimHash (Tang et al. 2017; Charikar 2002) counts the signs of fixed
 * random projections, so that observations that are close share a count: sign(A (s, 1)), A [bits, O + 1] normal, s divided by the largest bound
 * of its space. The 1 lets the planes that divide the space lie off its middle.
 */

import type { ObsSpace } from '#contract/game/spaces.ts';
import type { Saved } from '#contract/run/events.ts';
import { nextObservations } from '#core/envs/api/buffers.ts';
import { type Part, savedArray } from '#core/state/checkpoint.ts';
import { exactKey, type KeyOf } from '#math/hash.ts';
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import type { Places, ReplayHost } from '../../api/extension.ts';
import type { CountSettings } from './settings.ts';

/** Of a state that was visited so often, this visit included. */
export const countBonus = (visits: number): number => 1 / Math.sqrt(visits);

export function simHashKey(space: ObsSpace, width: number, bits: number, rng: Rng): KeyOf {
  const planes = Float64Array.from({ length: bits * (width + 1) }, () => normal(rng));
  const { low = null, high = null } = space.kind === 'box' ? space : {};
  const bounded = low !== null && high !== null && high > low;
  const reach = bounded ? Math.max(Math.abs(low), Math.abs(high)) : 1; // not centred: what is 0 stays 0, so that one-hot rows differ
  const sums = new Float64Array(bits);
  return (rows, row) => {
    for (let k = 0; k < bits; k++) sums[k] = planes[k * (width + 1) + width]!;
    for (let i = 0; i < width; i++) {
      const x = rows[row * width + i]! / reach;
      if (x === 0) continue;
      for (let k = 0; k < bits; k++) sums[k]! += x * planes[k * (width + 1) + i]!;
    }
    let key = 0;
    for (let k = 0; k < bits; k++) key = 2 * key + (sums[k]! >= 0 ? 1 : 0);
    return key;
  };
}

/** How often each key was met. A part of a training state. */
export class VisitCounts implements Part {
  private readonly counts = new Map<number, number>();

  /** Keys met so far. */
  get size(): number {
    return this.counts.size;
  }

  of(key: number): number {
    return this.counts.get(key) ?? 0;
  }

  /** Counts one more visit; how many there are now. */
  visit(key: number): number {
    const visits = this.of(key) + 1;
    this.counts.set(key, visits);
    return visits;
  }

  save(): Saved {
    return { meta: {}, arrays: { keys: Float64Array.from(this.counts.keys()), visits: Float64Array.from(this.counts.values()) } };
  }

  load(saved: Saved): void {
    const [keys, visits] = [savedArray(saved, 'keys', Float64Array), savedArray(saved, 'visits', Float64Array)];
    this.counts.clear();
    keys.forEach((key, i) => {
      this.counts.set(key, visits[i]!);
    });
  }
}

/**
 * What pays learners from replay: weight / sqrt(N) joins the reward of each row that is stored, once, for what its step led to, and is not
 * corrected as counts grow. Of one agent a row.
 */
export function countedReward({ meta, env, rng }: ReplayHost, bonus: Exclude<CountSettings, { kind: 'none' }>): Places {
  const visits = new VisitCounts();
  const { batch, buffers } = env;
  const { obsSize: O } = meta;
  const reached = new Float32Array(batch * O);
  const keyOf = bonus.kind === 'counts' ? exactKey : simHashKey(meta.agents[0]!.obs, O, bonus.bits, rng.split('hash'));
  return {
    state: { parts: { visits } },
    afterStep() {
      nextObservations(buffers, meta, reached);
      for (let row = 0; row < batch; row++) buffers.reward[row]! += bonus.weight * countBonus(visits.visit(keyOf(reached, row, O)));
    },
    metrics: () => ({ statesSeen: visits.size }),
  };
}
