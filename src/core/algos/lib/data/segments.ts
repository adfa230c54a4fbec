/**
 * Recorded episodes as segments for methods that learn from sequences: some consecutive steps of one agent, with what it was still going to be
 * paid at each of them. Segments that the end of an episode cuts short are filled up in front and masked there.
 */
import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { returnsToGo } from '#math/credit.ts';
import type { Rng } from '#math/rng.ts';
import type { DataRows } from './source.ts';

/** The inputs of a program over M segments of K steps; all places of a step that is filled up are 0. */
export interface SegmentBatch {
  readonly toGo: Float32Array; // [M, K] in units of `scale`
  readonly obs: Float32Array; // [M, K, O]
  readonly action: Float32Array; // [M, K] whole numbers or [M, K, D] in [-1, 1]
  readonly time: Float32Array; // [M, K] steps since the start of the episode
  readonly mask: Float32Array; // [M, K] 1: a recorded step
}

export interface Segments {
  /** The largest return of an agent in an episode. */
  readonly best: number;
  /** Segments that begin at any recorded step of any agent with equal probability, drawn with replacement. */
  sample(rng: Rng, size: number, steps: number, scale: number, batch: SegmentBatch): void;
}

/** `rows`: the same dataset, a row per step and agent. */
export function segmentsOf(data: Dataset, rows: DataRows): Segments {
  const { agents: A, episodes, steps: T } = data.header;
  const bounds = episodeBounds(data);
  const toGo = new Float32Array(T * A);
  const start = new Int32Array(T); // of the episode of each step
  const end = new Int32Array(T);
  let best = Number.NEGATIVE_INFINITY;
  for (let e = 0; e < episodes; e++) {
    const [from, to] = [bounds[e]!, bounds[e + 1]!];
    start.fill(from, from, to);
    end.fill(to, from, to);
    const paid = Array.from({ length: A }, (_, a) => Array.from({ length: to - from }, (_, t) => data.rewards[(from + t) * A + a]!));
    returnsToGo(paid, 1).forEach((left, a) => {
      best = Math.max(best, left[0]!);
      left.forEach((value, t) => {
        toGo[(from + t) * A + a] = value;
      });
    });
  }
  const O = rows.obs.length / rows.count;
  const D = rows.action.length / rows.count;
  return {
    best,
    sample(rng, size, steps, scale, batch) {
      for (const values of [batch.toGo, batch.obs, batch.action, batch.time, batch.mask]) values.fill(0);
      for (let m = 0; m < size; m++) {
        const row = rng.int(T * A);
        const first = Math.floor(row / A);
        const count = Math.min(steps, end[first]! - first);
        for (let k = 0; k < count; k++) {
          const from = row + k * A;
          const place = m * steps + steps - count + k;
          batch.toGo[place] = toGo[from]! * scale;
          batch.time[place] = first + k - start[first]!;
          batch.mask[place] = 1;
          for (let j = 0; j < O; j++) batch.obs[place * O + j] = rows.obs[from * O + j]!;
          for (let d = 0; d < D; d++) batch.action[place * D + d] = rows.action[from * D + d]!;
        }
      }
    },
  };
}
