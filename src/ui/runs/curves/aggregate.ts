/**
 * Several seeds as one line with a band: align by last value carried on a common grid, then the interquartile mean and its 95 % interval
 * at every step, as math/seeds.ts defines them for all rooms. Pure functions; the chart runs them in its own worker. Order of work
 * everywhere: align, aggregate, smooth, decimate.
 */
import { interval95, SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';

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
  if (n < SEEDS_FOR_INTERVAL) return null;
  const x = commonGrid(series, limit);
  if (x.length === 0) return null;
  const rows = series.map((s) => carry(s, x));
  const line = new Float64Array(x.length);
  const low = new Float64Array(x.length);
  const high = new Float64Array(x.length);
  const column = new Float64Array(n);
  for (let k = 0; k < x.length; k++) {
    for (let s = 0; s < n; s++) column[s] = rows[s]![k]!;
    line[k] = iqm(column);
    const [a, b] = interval95(column) ?? [Number.NaN, Number.NaN];
    low[k] = a;
    high[k] = b;
  }
  return { x, line, low, high, n };
}
