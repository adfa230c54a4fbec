/**
 * Kernel weights of what members of a swarm see, their mean over the swarm, and rules that members follow (mean-field.ts). Weights of
 * a view y: phi_k(y) = exp(-|y - c_k|^2 / 2 h^2) / sum, centres c_k on a grid over [-1, 1] of one or two numbers of the observation.
 */
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp } from '#math/functions.ts';

export interface KernelOptions {
  readonly numbers: readonly number[]; // which numbers of the observation
  readonly centres: number; // along each of them
  readonly bandwidth: number; // h
}

export class Kernels {
  readonly count: number;
  private readonly centres: Float64Array; // [K, n]
  private readonly n: number;
  private readonly numbers: readonly number[];
  private readonly scale: number;

  constructor({ numbers, centres, bandwidth }: KernelOptions) {
    this.numbers = numbers;
    this.n = numbers.length;
    this.count = centres ** this.n;
    this.scale = 1 / (2 * bandwidth * bandwidth);
    this.centres = Float64Array.from({ length: this.count * this.n }, (_, i) => {
      const k = Math.floor(i / this.n);
      const along = i % this.n === 0 ? Math.floor(k / centres ** (this.n - 1)) : k % centres;
      return (2 * along) / (centres - 1) - 1;
    });
  }

  /** Weights of a view that begins at obs[at], into out [K]; they sum to 1. */
  weigh(obs: Float32Array, at: number, out: Float64Array): void {
    const { count, n, centres, numbers, scale } = this;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      let square = 0;
      for (let d = 0; d < n; d++) {
        const off = obs[at + numbers[d]!]! - centres[k * n + d]!;
        square += off * off;
      }
      out[k] = square;
      if (square < least) least = square;
    }
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const weight = exp((least - out[k]!) * scale); // the nearest weighs 1: a view far outside still has one
      out[k] = weight;
      sum += weight;
    }
    for (let k = 0; k < count; k++) out[k]! /= sum;
  }
}

/** Mean weights of `members` views from row `first` on, times K: about 1 each. */
export function embed(
  kernels: Kernels,
  meta: EnvMeta,
  obs: Float32Array,
  first: number,
  members: number,
  scratch: Float64Array,
  out: Float32Array,
  at: number,
): void {
  const K = kernels.count;
  for (let k = 0; k < K; k++) out[at + k] = 0;
  const sums = new Float64Array(K);
  for (let i = first; i < first + members; i++) {
    kernels.weigh(obs, i * meta.obsSize, scratch);
    for (let k = 0; k < K; k++) sums[k]! += scratch[k]!;
  }
  for (let k = 0; k < K; k++) out[at + k] = (sums[k]! * K) / members;
}

/** What a member does by a rule, clipped to what its space allows. */
export function follow(
  meta: EnvMeta,
  weights: Float64Array,
  rule: ArrayLike<number>,
  from: number,
  out: { [i: number]: number },
  to: number,
): void {
  const { action } = meta.agents[0]!;
  const D = meta.actionSize;
  for (let d = 0; d < D; d++) {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k]! * rule[from + k * D + d]!;
    const [low, high] = action.kind === 'box' ? [action.low[d]!, action.high[d]!] : [sum, sum];
    out[to + d] = Math.min(high, Math.max(low, sum));
  }
}
