/**
 * Several seeds as one line with an interval, after rliable (Agarwal et al. 2021): align by last value carried on a common grid,
 * interquartile mean, 95 % percentile bootstrap over seeds with 2,000 resamples from a fixed seed. Pure functions; the chart runs
 * them in its own worker. Order of work everywhere: align, aggregate, smooth, decimate.
 */

/** An interval is drawn from this many seeds on. */
export const ENOUGH_SEEDS = 5;
export const RESAMPLES = 2000;
/** Measured coverage of the nominal 95 % interval of the IQM, in percent, by number of seeds. */
export const COVERAGE: readonly { readonly seeds: number; readonly percent: number }[] = [
  { seeds: 5, percent: 91 },
  { seeds: 10, percent: 94 },
];
const BOOTSTRAP_SEED = 0x5eed;

export interface XY {
  readonly x: Float64Array; // increasing
  readonly y: Float64Array;
}

export interface Aggregate {
  readonly x: Float64Array;
  readonly line: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly n: number;
}

/** Interquartile mean: floor(n/4) values dropped at each end, mean of the rest. NaN of nothing. */
export function iqm(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let i = cut; i < sorted.length - cut; i++) sum += sorted[i]!;
  return sum / (sorted.length - 2 * cut);
}

/** Quantile p of ascending values, linear between order statistics. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const h = (sorted.length - 1) * p;
  const i = Math.floor(h);
  const low = sorted[i]!;
  return i + 1 < sorted.length ? low + (h - i) * (sorted[i + 1]! - low) : low;
}

/** Number `counter` of stream `seed` as an integer 0..n-1. Counter-based, so that resample r is the same in any order of work. */
export function randomIndex(seed: number, counter: number, n: number): number {
  let x = Math.imul(counter + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return Math.floor((((x ^ (x >>> 15)) >>> 0) / 4294967296) * n);
}

/** How often each of n seeds is drawn in a resample; equal draws kept once with their number. */
export interface Resamples {
  readonly counts: readonly Uint8Array[]; // each [n]
  readonly weights: readonly number[]; // sum = number of resamples
}

export function drawResamples(n: number, resamples = RESAMPLES, seed = BOOTSTRAP_SEED): Resamples {
  const kept = new Map<string, { counts: Uint8Array; weight: number }>();
  for (let r = 0; r < resamples; r++) {
    const counts = new Uint8Array(n);
    for (let i = 0; i < n; i++) counts[randomIndex(seed, r * n + i, n)]!++;
    const name = counts.join();
    const found = kept.get(name);
    if (found === undefined) kept.set(name, { counts, weight: 1 });
    else found.weight++;
  }
  const all = [...kept.values()];
  return { counts: all.map((k) => k.counts), weights: all.map((k) => k.weight) };
}

/** 95 % percentile interval of the IQM of `values` under these resamples. */
export function interval(values: Float64Array, resamples: Resamples): [low: number, high: number] {
  const n = values.length;
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const cut = Math.floor(n / 4);
  const keep = n - 2 * cut;
  const results = new Float64Array(resamples.counts.length);
  resamples.counts.forEach((counts, r) => {
    let skip = cut;
    let left = keep;
    let sum = 0;
    for (const seed of order) {
      let times = counts[seed]!;
      const skipped = Math.min(skip, times);
      skip -= skipped;
      times = Math.min(times - skipped, left);
      sum += times * values[seed]!;
      left -= times;
      if (left === 0) break;
    }
    results[r] = sum / keep;
  });
  const sorted = Array.from(results, (_, r) => r).sort((a, b) => results[a]! - results[b]!);
  let total = 0;
  for (const weight of resamples.weights) total += weight;
  return [
    weightedQuantile(results, sorted, resamples.weights, total, 0.025),
    weightedQuantile(results, sorted, resamples.weights, total, 0.975),
  ];
}

/** Quantile of values each standing `weight` times, as if they were written out. */
function weightedQuantile(values: Float64Array, order: readonly number[], weights: readonly number[], total: number, p: number): number {
  const h = (total - 1) * p;
  const i = Math.floor(h);
  const at = (rank: number): number => {
    let seen = 0;
    for (const r of order) {
      seen += weights[r]!;
      if (rank < seen) return values[r]!;
    }
    return values[order[order.length - 1]!]!;
  };
  const low = at(i);
  return h === i ? low : low + (h - i) * (at(i + 1) - low);
}

/** Index of the last element <= value in ascending x, -1 if there is none. */
export function lastAtOrBefore(x: ArrayLike<number>, value: number): number {
  let low = -1;
  let high = x.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** Steps at which every series has a value: the union of their own steps in the range they share, thinned evenly to at most `limit`. */
export function commonGrid(series: readonly XY[], limit: number): Float64Array {
  if (series.length === 0 || series.some((s) => s.x.length === 0)) return new Float64Array(0);
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const { x } of series) {
    from = Math.max(from, x[0]!);
    to = Math.min(to, x[x.length - 1]!);
  }
  if (from > to) return new Float64Array(0);
  let count = 0;
  for (const { x } of series) count += x.length;
  const all = new Float64Array(count);
  let used = 0;
  for (const { x } of series) for (let i = 0; i < x.length; i++) if (x[i]! >= from && x[i]! <= to) all[used++] = x[i]!;
  const sorted = all.subarray(0, used).sort();
  let distinct = 0;
  for (let i = 0; i < used; i++) if (i === 0 || sorted[i] !== sorted[distinct - 1]) sorted[distinct++] = sorted[i]!;
  if (distinct <= limit) return sorted.slice(0, distinct);
  const thin = new Float64Array(limit);
  for (let i = 0; i < limit; i++) thin[i] = sorted[Math.round((i * (distinct - 1)) / (limit - 1))]!;
  return thin;
}

/** The series' values on a grid, the last one carried. */
export function carry(series: XY, grid: Float64Array): Float64Array {
  const out = new Float64Array(grid.length);
  let i = -1;
  for (let k = 0; k < grid.length; k++) {
    while (i + 1 < series.x.length && series.x[i + 1]! <= grid[k]!) i++;
    out[k] = i < 0 ? Number.NaN : series.y[i]!;
  }
  return out;
}

/** All seeds of one group as IQM and interval on at most `limit` steps; null below five seeds or where they share no step. */
export function aggregate(series: readonly XY[], limit = 2000): Aggregate | null {
  const n = series.length;
  if (n < ENOUGH_SEEDS) return null;
  const x = commonGrid(series, limit);
  if (x.length === 0) return null;
  const rows = series.map((s) => carry(s, x));
  const resamples = drawResamples(n);
  const line = new Float64Array(x.length);
  const low = new Float64Array(x.length);
  const high = new Float64Array(x.length);
  const column = new Float64Array(n);
  for (let k = 0; k < x.length; k++) {
    for (let s = 0; s < n; s++) column[s] = rows[s]![k]!;
    line[k] = iqm(column);
    const [a, b] = interval(column, resamples);
    low[k] = a;
    high[k] = b;
  }
  return { x, line, low, high, n };
}
