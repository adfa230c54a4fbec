/** Minibatches of a replay buffer, drawn uniformly or in proportion to priority. */

import type { Rng } from '#math/rng.ts';
import type { Priorities } from './priorities.ts';
import type { ReplayBatch, ReplayBuffer } from './replay-buffer.ts';

export interface SampleConfig {
  readonly batchSize: number;
  readonly nStep: number;
  readonly gamma: number;
}

/**
 * Draws a minibatch into the learner's inputs: uniformly, or in proportion to priority with importance weights (largest 1). `ids`: which
 * transitions; `beta`: their exponent now; `relabel`: changes transition `id` in row k of the batch.
 */
export function sampleBatch(
  replay: ReplayBuffer,
  priorities: Priorities | null,
  rng: Rng,
  c: SampleConfig,
  beta: number,
  ids: Float64Array,
  batch: ReplayBatch & { readonly weight: Float32Array | undefined },
  relabel?: (id: number, k: number) => void,
): void {
  const size = c.batchSize;
  const { weight } = batch;
  if (priorities === null || weight === undefined) {
    for (let k = 0; k < size; k++) {
      const id = replay.draw(rng);
      ids[k] = id;
      replay.read(id, k, c.nStep, c.gamma, batch);
      relabel?.(id, k);
    }
    return;
  }
  // Stratified: one draw from each of `size` equal shares of the total priority (Schaul et al. 2016).
  let largest = 0;
  for (let k = 0; k < size; k++) {
    const id = replay.numberAt(priorities.find((priorities.total * (k + rng.uniform())) / size));
    ids[k] = id;
    replay.read(id, k, c.nStep, c.gamma, batch);
    relabel?.(id, k);
    weight[k] = priorities.weight(id, replay.size, beta);
    largest = Math.max(largest, weight[k]!);
  }
  for (let k = 0; k < size; k++) weight[k]! /= largest;
}
