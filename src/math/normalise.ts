/**
 * Running moments by the parallel formula (Chan et al.), as Gym and SB3 keep them: they start at mean 0, variance 1,
 * count 1e-4, so that the first batch decides. Float64.
 */
export const NORMALISE_EPSILON = 1e-8;
const EPSILON = NORMALISE_EPSILON;

export class RunningMoments {
  readonly size: number;
  readonly mean: Float64Array; // [size]
  readonly variance: Float64Array; // [size] population
  count = 1e-4;
  private readonly batchMean: Float64Array;
  private readonly batchSquares: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.mean = new Float64Array(size);
    this.variance = new Float64Array(size).fill(1);
    this.batchMean = new Float64Array(size);
    this.batchSquares = new Float64Array(size);
  }

  /** Merges a batch [rows, size]. */
  update(batch: Float32Array | Float64Array, rows: number): void {
    const { size, mean, variance, batchMean, batchSquares } = this;
    batchMean.fill(0);
    batchSquares.fill(0);
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < size; j++) batchMean[j]! += batch[r * size + j]!;
    }
    for (let j = 0; j < size; j++) batchMean[j]! /= rows;
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < size; j++) {
        const d = batch[r * size + j]! - batchMean[j]!;
        batchSquares[j]! += d * d;
      }
    }
    const total = this.count + rows;
    for (let j = 0; j < size; j++) {
      const delta = batchMean[j]! - mean[j]!;
      mean[j]! += (delta * rows) / total;
      variance[j] = (variance[j]! * this.count + batchSquares[j]! + (delta * delta * this.count * rows) / total) / total;
    }
    this.count = total;
  }

  /** out = clip((x - mean) / sqrt(variance + 1e-8)), rows of `size`; in place if out is x. */
  normalise(x: Float32Array | Float64Array, out: Float32Array | Float64Array, clip: number): void {
    const { size, mean, variance } = this;
    for (let j = 0; j < size; j++) {
      const scale = 1 / Math.sqrt(variance[j]! + EPSILON);
      for (let i = j; i < x.length; i += size) {
        out[i] = Math.max(-clip, Math.min(clip, (x[i]! - mean[j]!) * scale));
      }
    }
  }

  /** mean, variance and count in one array, for saving. */
  pack(): Float64Array {
    return Float64Array.of(...this.mean, ...this.variance, this.count);
  }

  unpack(data: Float64Array): void {
    this.mean.set(data.subarray(0, this.size));
    this.variance.set(data.subarray(this.size, 2 * this.size));
    this.count = data[2 * this.size]!;
  }
}

/** Divides rewards by the standard deviation of the running discounted return; the mean is not subtracted (Gym NormalizeReward). */
export class RewardScaler {
  readonly moments = new RunningMoments(1);
  readonly filter: Float64Array; // [rows] running discounted return
  private readonly gamma: number;

  constructor(rows: number, gamma: number) {
    this.filter = new Float64Array(rows);
    this.gamma = gamma;
  }

  /** out = clip(rewards / std); the filter is zeroed where `ended`, after the scaling. */
  scale(rewards: Float32Array | Float64Array, ended: Uint8Array, out: Float32Array | Float64Array, clip: number): void {
    const { filter, moments } = this;
    for (let i = 0; i < filter.length; i++) filter[i] = filter[i]! * this.gamma + rewards[i]!;
    moments.update(filter, filter.length);
    const scale = 1 / Math.sqrt(moments.variance[0]! + EPSILON);
    for (let i = 0; i < filter.length; i++) {
      out[i] = Math.max(-clip, Math.min(clip, rewards[i]! * scale));
      if (ended[i] !== 0) filter[i] = 0;
    }
  }
}

/**
 * Values in units of their own spread (MAPPO's ValueNorm): exponential averages of value targets and of their squares, debiased,
 * with a floor of 0.01 under the variance. The critic learns normalised targets; `restore` brings its outputs back.
 */
export class ValueNorm {
  private mean = 0;
  private square = 0;
  private debias = 0;
  private readonly beta: number;

  constructor(beta = 0.99999) {
    this.beta = beta;
  }

  /** Debiased mean and deviation; 0 and 1 before the first update. */
  moments(): { readonly mean: number; readonly std: number } {
    if (this.debias === 0) return { mean: 0, std: 1 };
    const mean = this.mean / this.debias;
    const variance = this.square / this.debias - mean * mean;
    return { mean, std: Math.sqrt(Math.max(variance, 0.01)) };
  }

  update(targets: Float32Array | Float64Array): void {
    let sum = 0;
    let squares = 0;
    for (const v of targets) {
      sum += v;
      squares += v * v;
    }
    const rest = 1 - this.beta;
    this.mean = this.beta * this.mean + (rest * sum) / targets.length;
    this.square = this.beta * this.square + (rest * squares) / targets.length;
    this.debias = this.beta * this.debias + rest;
  }

  /** out = (x - mean) / std */
  normalise(x: Float32Array | Float64Array, out: Float32Array | Float64Array): void {
    const { mean, std } = this.moments();
    for (let i = 0; i < x.length; i++) out[i] = (x[i]! - mean) / std;
  }

  /** out = x std + mean */
  restore(x: Float32Array | Float64Array, out: Float32Array | Float64Array): void {
    const { mean, std } = this.moments();
    for (let i = 0; i < x.length; i++) out[i] = x[i]! * std + mean;
  }

  pack(): Float64Array {
    return Float64Array.of(this.mean, this.square, this.debias);
  }

  unpack(data: Float64Array): void {
    [this.mean, this.square, this.debias] = [data[0]!, data[1]!, data[2]!];
  }
}

/** (x - mean) / (std + eps) of `x` with weighted mean and population standard deviation: entries of weight 0 count in neither. `out` may be `x`. */
export function standardiseWeighted(
  values: Float32Array | Float64Array,
  weights: Float32Array | Float64Array,
  eps: number,
  out: Float32Array | Float64Array,
): void {
  let count = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    count += weights[i]!;
    sum += weights[i]! * values[i]!;
  }
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const d = values[i]! - mean;
    squares += weights[i]! * d * d;
  }
  const scale = 1 / (Math.sqrt(count === 0 ? 0 : squares / count) + eps);
  for (let i = 0; i < values.length; i++) out[i] = (values[i]! - mean) * scale;
}
