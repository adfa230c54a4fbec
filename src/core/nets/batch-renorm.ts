/**
 * Batch renormalisation (Ioffe 2017): every unit by mean and variance of its batch, corrected towards running statistics once these are known.
 *   m, v: mean and variance over the batch;  M, V: running ones, M += rate (m - M), V += rate (v - V)
 *   y = gain ((x - m) / sqrt(v + eps) r + d) + shift,  held still: r = clip(sqrt((v + eps) / (V + eps)), 1/3, 3), d = clip((m - M) / sqrt(V + eps), -5, 5)
 * For the first `plain` batches r is 1 and d 0 (batch normalisation: Ioffe & Szegedy 2015). Apart from learning, M and V take the place of m and v.
 */
import { add, clip, div, gt, mean, mul, reshape, sqrt, stopGradient, sub, variance, where } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { constant, zeros } from './init.ts';

export interface RenormOptions {
  /** Share that the running statistics move with each batch. */
  readonly rate: number;
  readonly eps: number;
  /** Batches without the correction. */
  readonly plain: number;
}

export interface Renorm {
  /** By the batch [M, size]; after the run the running statistics have moved. Once per program. */
  learn(x: Tensor): Tensor;
  /** By the running statistics. */
  settled(x: Tensor): Tensor;
}

/** Gain and shift are learned with `group`, the running statistics stand in `statistics`, which no optimiser moves. */
export function batchRenorm(group: ParamGroup, statistics: ParamGroup, name: string, size: number, options: RenormOptions): Renorm {
  const { rate, eps, plain } = options;
  const gain = group.param(`${name}.gain`, [size], constant(size, 1));
  const shift = group.param(`${name}.shift`, [size], zeros(size));
  const runningMean = statistics.param(`${name}.mean`, [size], zeros(size));
  const runningVariance = statistics.param(`${name}.variance`, [size], constant(size, 1));
  const batches = statistics.param(`${name}.batches`, [1], zeros(1));
  const scaled = (x: Tensor): Tensor => add(mul(x, x.graph.read(gain)), x.graph.read(shift));
  return {
    learn(x) {
      const g = x.graph;
      const [M, V, seen] = [g.read(runningMean), g.read(runningVariance), g.read(batches)];
      const m = mean(x, 0);
      const v = variance(x, 0);
      const std = sqrt(add(v, eps));
      const runningStd = sqrt(add(V, eps));
      const known = gt(seen, plain);
      const r = stopGradient(where(known, clip(div(std, runningStd), 1 / 3, 3), 1));
      const d = stopGradient(where(known, clip(div(sub(m, M), runningStd), -5, 5), 0));
      g.assign(runningMean, stopGradient(add(M, mul(sub(m, M), rate))));
      g.assign(runningVariance, stopGradient(add(V, mul(sub(v, V), rate))));
      g.assign(batches, reshape(add(seen, 1), [1]));
      return scaled(add(mul(sub(x, m), div(r, std)), d));
    },
    settled(x) {
      const g = x.graph;
      return scaled(div(sub(x, g.read(runningMean)), sqrt(add(g.read(runningVariance), eps))));
    },
  };
}
