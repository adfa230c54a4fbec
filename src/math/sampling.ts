/** Draws from distributions, in float64 with own exp, log and cos: the same choice in every engine. */
import { cos, exp, log } from './functions.ts';
import type { Rng } from './rng.ts';

/** ln(2 pi) / 2: the constant of a normal log-density. */
export const HALF_LOG_TWO_PI = 0.9189385332046727;

let weights = new Float64Array(64);

/**
 * A category by inverse CDF from n log-probabilities (or logits) starting at `at`; masked entries (-1e8) weigh exactly 0.
 * `uniform` in [0, 1). The largest value is subtracted first, so nothing overflows.
 */
export function categorical(logits: Float32Array, at: number, n: number, uniform: number): number {
  if (weights.length < n) weights = new Float64Array(n);
  let top = logits[at]!;
  for (let i = 1; i < n; i++) {
    const v = logits[at + i]!;
    if (v > top) top = v;
  }
  let total = 0;
  for (let i = 0; i < n; i++) {
    const shifted = logits[at + i]! - top;
    const weight = shifted < -700 ? 0 : exp(shifted);
    weights[i] = weight;
    total += weight;
  }
  const target = uniform * total;
  let sum = 0;
  let chosen = 0;
  for (let i = 0; i < n; i++) {
    const weight = weights[i]!;
    if (weight === 0) continue;
    chosen = i; // the last possible one, should rounding leave target at the very end
    sum += weight;
    if (target < sum) break;
  }
  return chosen;
}

/** Index of the largest of n values from `at`; ties go to the lowest index. With a mask, only where it is 1. */
export function argmax(values: ArrayLike<number>, at: number, n: number, mask?: Uint8Array, maskAt = 0): number {
  let best = -1;
  for (let i = 0; i < n; i++) {
    if (mask !== undefined && mask[maskAt + i] === 0) continue;
    if (best < 0 || values[at + i]! > values[at + best]!) best = i;
  }
  return Math.max(best, 0);
}

/** A uniform choice among n actions, or among those the mask allows. */
export function randomAction(rng: Rng, n: number, mask?: Uint8Array, maskAt = 0): number {
  if (mask === undefined) return rng.int(n);
  const legal = countLegal(n, mask, maskAt);
  return legal === 0 ? 0 : nthLegal(rng.int(legal), n, mask, maskAt);
}

/** How many of n actions the mask allows. */
export function countLegal(n: number, mask: Uint8Array, maskAt: number): number {
  let legal = 0;
  for (let i = 0; i < n; i++) legal += mask[maskAt + i] === 0 ? 0 : 1;
  return legal;
}

/** The action that comes after `skip` other legal ones; 0 where there are not that many. */
export function nthLegal(skip: number, n: number, mask: Uint8Array, maskAt: number): number {
  for (let i = 0; i < n; i++) if (mask[maskAt + i] !== 0 && skip-- === 0) return i;
  return 0;
}

/** Standard normal by Box-Muller; two words per draw and no memory between draws. */
export function normal(rng: Rng): number {
  return normalOf(rng.next(), rng.uniform());
}

/** The same from a 32-bit word and a number in [0, 1) drawn by the caller. */
export function normalOf(word: number, uniform: number): number {
  const u = (word + 0.5) * 2.3283064365386963e-10; // never 0
  return Math.sqrt(-2 * log(u)) * cos(2 * Math.PI * uniform);
}

/**
 * Gamma with this shape (> 0) and scale 1: Marsaglia and Tsang 2000; below shape 1 by the draw of shape + 1 times u^(1 / shape). A tiny shape may
 * give 0.
 */
export function gamma(shape: number, rng: Rng): number {
  if (shape < 1) return gamma(shape + 1, rng) * exp(log(1 - rng.uniform()) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(rng);
    const root = 1 + c * x;
    const cube = root * root * root;
    if (cube <= 0) continue;
    if (log(1 - rng.uniform()) < 0.5 * x * x + d - d * cube + d * log(cube)) return d * cube;
  }
}

/** One category per row of `logProbs` [rows, n]: its index to actions[at + row] and its log-probability to chosen[at + row]. */
export function sampleCategories(
  logProbs: Float32Array,
  n: number,
  rows: number,
  rng: Rng,
  actions: Float32Array,
  chosen: Float32Array,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    const a = categorical(logProbs, row * n, n, rng.uniform());
    actions[at + row] = a;
    chosen[at + row] = logProbs[row * n + a]!;
  }
}

/** One draw per row of independent normals `mean`, `logStd` [rows, width]: to actions from row `at` on, its log-density to logProbs[at + row]. */
export function sampleGaussians(
  mean: Float32Array,
  logStd: Float32Array,
  width: number,
  rows: number,
  rng: Rng,
  actions: Float32Array,
  logProbs: Float32Array,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    let logProb = 0;
    for (let d = 0; d < width; d++) {
      const i = row * width + d;
      const noise = normal(rng);
      actions[at * width + i] = mean[i]! + exp(logStd[i]!) * noise;
      logProb -= 0.5 * noise * noise + logStd[i]! + HALF_LOG_TWO_PI;
    }
    logProbs[at + row] = logProb;
  }
}
