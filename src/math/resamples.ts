/**
 * Resamples of the seeds of arms (Agarwal et al. 2021: each arm's seeds are drawn anew and all arms are put together), and what is computed
 * from them. Deterministic: resamples come from fixed streams of the project's own generator. Index 0 of every list is the sample itself.
 */
import type { Middle } from './contrasts.ts';
import { Rng } from './rng.ts';

export const RESAMPLES = 1000;

const tables = new Map<string, Uint8Array>();

/** How often each of n things is drawn in n draws, [1 + RESAMPLES][n]. Row 0: each of them once. */
export function counts(n: number, stream: number): Uint8Array {
  const key = `${n} ${stream}`;
  let table = tables.get(key);
  if (!table) {
    table = new Uint8Array((1 + RESAMPLES) * n).fill(1, 0, n);
    const rng = Rng.from(n).split('verdict', stream);
    for (let row = n; row < table.length; row += n)
      for (let i = 0; i < n; i++) {
        const at = row + rng.int(n);
        table[at] = table[at]! + 1;
      }
    tables.set(key, table);
  }
  return table;
}

const cutOf = (middle: Middle, n: number): number => (middle === 'mean' ? 0 : Math.floor(middle === 'iqm' ? n / 4 : (n - 1) / 2));

const known = new WeakMap<readonly number[], Map<string, Float64Array>>();

/** An arm's middle in the sample and in every resample, [1 + RESAMPLES]; kept as long as the list of values is. Not to be changed. */
export function middles(values: readonly number[], middle: Middle, stream: number): Float64Array {
  const own = known.get(values) ?? new Map<string, Float64Array>();
  known.set(values, own);
  const key = `${middle} ${stream}`;
  const found = own.get(key) ?? drawMiddles(values, middle, stream);
  own.set(key, found);
  return found;
}

/** An arm's middle in the sample and in every resample, [1 + RESAMPLES]: the mean of what lies between the cuts. */
function drawMiddles(values: readonly number[], middle: Middle, stream: number): Float64Array {
  const n = values.length;
  const cut = cutOf(middle, n);
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const sorted = Float64Array.from(order, (i) => values[i]!);
  const drawn = counts(n, stream);
  const out = new Float64Array(1 + RESAMPLES);
  for (let r = 0; r <= RESAMPLES; r++) {
    let below = 0; // how many of this resample are smaller
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const from = below < cut ? cut : below;
      below += drawn[r * n + order[i]!]!;
      const to = below > n - cut ? n - cut : below;
      if (to > from) sum += (to - from) * sorted[i]!;
    }
    out[r] = sum / (n - 2 * cut);
  }
  return out;
}

/** Midranks of values with weights: a value's rank is the middle of the places that its ties take. `order` sorts the values. */
function midranks(values: Float64Array, order: readonly number[], weight: Float64Array, out: Float64Array): void {
  let below = 0;
  for (let i = 0; i < order.length; ) {
    let j = i;
    let ties = 0;
    while (j < order.length && values[order[j]!] === values[order[i]!]) ties += weight[order[j++]!]!;
    for (let k = i; k < j; k++) out[order[k]!] = below + (ties + 1) / 2;
    below += ties;
    i = j;
  }
}

/** Correlation of two weighted lists; 0 where either has no spread. */
function correlation(x: Float64Array, y: Float64Array, weight: Float64Array): number {
  let [n, mx, my] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    n += weight[i]!;
    mx += weight[i]! * x[i]!;
    my += weight[i]! * y[i]!;
  }
  mx /= n;
  my /= n;
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [x[i]! - mx, y[i]! - my];
    xy += weight[i]! * dx * dy;
    xx += weight[i]! * dx * dx;
    yy += weight[i]! * dy * dy;
  }
  return xx === 0 || yy === 0 ? 0 : xy / Math.sqrt(xx * yy);
}

const sortOf = (values: Float64Array): number[] => Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);

/** Spearman's correlation of pairs of numbers; 0 where either list has no spread. */
export function rankCorrelation(x: Float64Array, y: Float64Array): number {
  const alike = new Float64Array(x.length).fill(1);
  const [rankX, rankY] = [new Float64Array(x.length), new Float64Array(x.length)];
  midranks(x, sortOf(x), alike, rankX);
  midranks(y, sortOf(y), alike, rankY);
  return correlation(rankX, rankY, alike);
}

/**
 * Spearman's correlation of fixed pairs of numbers of which resample r holds the i-th weight(r, i) times, in the sample and in every
 * resample. Row 0 must weigh all alike.
 */
export function spearman(x: Float64Array, y: Float64Array, weight: (r: number, i: number) => number): Float64Array {
  const [byX, byY] = [sortOf(x), sortOf(y)];
  const [rankX, rankY, weights] = [new Float64Array(x.length), new Float64Array(x.length), new Float64Array(x.length)];
  return Float64Array.from({ length: 1 + RESAMPLES }, (_, r) => {
    for (let i = 0; i < x.length; i++) weights[i] = weight(r, i);
    midranks(x, byX, weights, rankX);
    midranks(y, byY, weights, rankY);
    return correlation(rankX, rankY, weights);
  });
}

/** Numbers of which some are bounds: the least and the most that each may be. */
export interface Span {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** Places each number between its bounds by the order of y, so that the two go together (`together` 1) or against each other (-1). */
function lean({ least, most }: Span, y: Float64Array, together: 1 | -1): Float64Array {
  const order = Array.from(y, (_, i) => i).sort((a, b) => together * (y[a]! - y[b]!) || a - b);
  const out = least.slice();
  const last = Math.max(1, order.length - 1);
  order.forEach((i, place) => {
    out[i] = least[i]! + ((most[i]! - least[i]!) * place) / last;
  });
  return out;
}

/**
 * Two lists in which what is only bounded is placed so that their rank correlation is as large as it may be (`together` 1), or as small (-1).
 * A number that is known stays as it is.
 */
export function leaned(x: Span, y: Span, together: 1 | -1): readonly [Float64Array, Float64Array] {
  const first = lean(x, y.least, together);
  return [first, lean(y, first, together)];
}

/**
 * Spearman's correlation of two lists whose values change from resample to resample, with the places drawn anew too. With `most`, the values
 * are the least that each place may have, and the correlation is the largest possible (`together` 1) or the smallest (-1).
 */
export function spearmanOf(
  these: readonly Float64Array[],
  those: readonly Float64Array[],
  places: Uint8Array,
  most?: { readonly these: readonly Float64Array[]; readonly those: readonly Float64Array[]; readonly together: 1 | -1 },
): Float64Array {
  const n = these.length;
  const weights = new Float64Array(n);
  const [rankX, rankY] = [new Float64Array(n), new Float64Array(n)];
  const row = (values: readonly Float64Array[], r: number): Float64Array => Float64Array.from(values, (one) => one[r]!);
  return Float64Array.from({ length: 1 + RESAMPLES }, (_, r) => {
    for (let k = 0; k < n; k++) weights[k] = places[r * n + k]!;
    const [left, right] = [row(these, r), row(those, r)];
    const [x, y] =
      most === undefined
        ? [left, right]
        : leaned({ least: left, most: row(most.these, r) }, { least: right, most: row(most.those, r) }, most.together);
    midranks(x, sortOf(x), weights, rankX);
    midranks(y, sortOf(y), weights, rankY);
    return correlation(rankX, rankY, weights);
  });
}
