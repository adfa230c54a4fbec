/**
 * Statistics over seeds and tasks. Scores are [runs][tasks]. Definitions follow rliable (Agarwal et al. 2021): the IQM drops
 * floor(n / 4) of all n pooled values at each end; intervals are percentile intervals of a bootstrap stratified by task.
 */
import type { Rng } from './rng.ts';

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** Standard deviation; ddof 1 divides by n - 1. */
export function std(values: ArrayLike<number>, ddof: 0 | 1 = 0): number {
  const m = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! - m) * (values[i]! - m);
  return Math.sqrt(sum / (values.length - ddof));
}

/** Explained variance 1 - Var(target - value) / Var(target); NaN while all targets are equal. Arrays of equal length. */
export function explainedVariance(values: Float32Array, targets: Float32Array): number {
  const spread = std(targets);
  if (spread === 0) return Number.NaN;
  const left = std(targets.map((v, i) => v - values[i]!)) / spread;
  return 1 - left * left;
}

/** Linear interpolation between order statistics (numpy's default). q in 0..1. */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  return between(sorted, q, (k) => sorted[k]!);
}

/** `quantile` of finite values by selection instead of sorting, in expected linear time. Reorders `values`. */
export function quantileInPlace(values: Float64Array, q: number): number {
  return between(values, q, (k) => select(values, k));
}

function between(values: Float64Array, q: number, ranked: (k: number) => number): number {
  const at = q * (values.length - 1);
  const low = Math.floor(at);
  const a = ranked(low);
  const b = ranked(Math.min(low + 1, values.length - 1));
  return a + (b - a) * (at - low);
}

/** The k-th smallest, with nothing larger left of place k and nothing smaller right of it (Hoare 1961, algorithm 65). */
function select(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[k]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (pivot < values[j]!) j--;
      if (i > j) break;
      const t = values[i]!;
      values[i++] = values[j]!;
      values[j--] = t;
    }
    if (j < k) low = i;
    if (k < i) high = j;
  }
  return values[k]!;
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** Interquartile mean: scipy's trim_mean(0.25). */
export function iqm(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length * 0.25);
  return mean(sorted.subarray(cut, sorted.length - cut));
}

/** gamma - mean(min(score, gamma)); lower is better. */
export function optimalityGap(values: ArrayLike<number>, gamma = 1): number {
  return gamma - mean(Float64Array.from(values, (v) => Math.min(v, gamma)));
}

/** For every threshold the share of all scores strictly above it. */
export function performanceProfile(scores: readonly (readonly number[])[], thresholds: readonly number[]): number[] {
  const pooled = scores.flat();
  return thresholds.map((tau) => pooled.filter((v) => v > tau).length / pooled.length);
}

/** Scores of one resample: per task, the runs named by index [runs][tasks], pooled. */
export function resample(scores: readonly (readonly number[])[], index: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(index.flatMap((row) => row.map((run, task) => scores[run]![task]!)));
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Percentile interval of a statistic of the pooled scores; every task draws its runs anew. NaN below two runs. @internal Tests hold the faster form of seeds.ts against it. */
export function bootstrapInterval(
  scores: readonly (readonly number[])[],
  statistic: (pooled: Float64Array) => number,
  rng: Rng,
  options: { readonly resamples?: number; readonly level?: number } = {},
): Interval {
  const { resamples = 2000, level = 0.95 } = options;
  const runs = scores.length;
  if (runs < 2) return { low: Number.NaN, high: Number.NaN };
  const tasks = scores[0]!.length;
  const pooled = new Float64Array(runs * tasks);
  const found = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < pooled.length; i++) pooled[i] = scores[rng.int(runs)]![i % tasks]!;
    found[r] = statistic(pooled);
  }
  return { low: quantile(found, (1 - level) / 2), high: quantile(found, (1 + level) / 2) };
}

/**
 * Welch's t, its degrees of freedom (Satterthwaite) and Cohen's d with the pooled standard deviation; at least two values in each group.
 * Where neither group has any spread, the limits: t and d are 0 for equal means and infinite otherwise, with n - 2 degrees of freedom.
 */
export function welch(a: ArrayLike<number>, b: ArrayLike<number>): { readonly t: number; readonly df: number; readonly d: number } {
  const n = a.length + b.length;
  const [ma, mb] = [constant(a) ? a[0]! : mean(a), constant(b) ? b[0]! : mean(b)];
  const va = constant(a) ? 0 : std(a, 1) ** 2;
  const vb = constant(b) ? 0 : std(b, 1) ** 2;
  const ea = va / a.length;
  const eb = vb / b.length;
  const difference = ma - mb;
  if (difference === 0) return { t: 0, df: welchDf(ea, eb, a.length, b.length), d: 0 };
  const pooled = Math.sqrt((va * (a.length - 1) + vb * (b.length - 1)) / (n - 2));
  return { t: difference / Math.sqrt(ea + eb), df: welchDf(ea, eb, a.length, b.length), d: difference / pooled };
}

/** Satterthwaite's degrees of freedom of two squared standard errors; n - 2 where both are 0. */
function welchDf(ea: number, eb: number, na: number, nb: number): number {
  if (ea + eb === 0) return na + nb - 2;
  return ((ea + eb) * (ea + eb)) / ((ea * ea) / (na - 1) + (eb * eb) / (nb - 1));
}

/** Whether all values are the same number. Their computed variance need not be exactly 0. */
function constant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** Holm's step-down adjustment of p-values. */
export function holm(p: readonly number[]): number[] {
  const order = p.map((_, i) => i).sort((i, j) => p[i]! - p[j]!);
  const adjusted = new Array<number>(p.length);
  let running = 0;
  order.forEach((i, rank) => {
    running = Math.max(running, Math.min(1, (p.length - rank) * p[i]!));
    adjusted[i] = running;
  });
  return adjusted;
}

/** Trapezoid area under y(x), divided by the width of x. */
export function normalisedArea(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let area = 0;
  for (let i = 1; i < x.length; i++) area += ((x[i]! - x[i - 1]!) * (y[i]! + y[i - 1]!)) / 2;
  return area / (x[x.length - 1]! - x[0]!);
}

/** Exponential moving average divided by 1 - beta^t, so that the start is not pulled to 0. */
export function debiasedEma(values: ArrayLike<number>, beta: number): Float64Array {
  const out = new Float64Array(values.length);
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < values.length; i++) {
    sum = beta * sum + (1 - beta) * values[i]!;
    weight = beta * weight + (1 - beta);
    out[i] = sum / weight;
  }
  return out;
}
