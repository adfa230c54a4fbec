/**
 * What is said about the scores of several seeds, the same in the page, the command line, claims and reports: the interquartile mean and,
 * from five seeds on, its 95 % percentile bootstrap interval (Agarwal et al. 2021) with 2,000 resamples of a fixed stream. The draws
 * depend on the number of seeds only, so one set serves every point of a curve.
 */
import { Rng } from './rng.ts';
import { iqm, quantileInPlace } from './stats.ts';

/** An interval is stated from this many seeds on. */
export const SEEDS_FOR_INTERVAL = 5;
export const RESAMPLES = 2000;
const LEVEL = 0.95;
const BOOTSTRAP_SEED = 0;

/**
 * How often the nominal 95 % interval of the IQM holds the true value, in percent, measured by number of seeds: of normal scores, and from the
 * least to the most of what lopsided scores and seeds that fail (one in five, one in three) leave.
 */
export const COVERAGE = [
  { seeds: 5, normal: 91, failing: [69, 87] },
  { seeds: 10, normal: 93, failing: [87, 93] },
] as const;

/** The distinct resamples of n seeds: how often each seed is in it, and how often the resample was drawn. */
interface Draws {
  readonly counts: Uint16Array; // [distinct, n]
  readonly weights: Uint16Array; // [distinct], sum RESAMPLES
}

const drawn = new Map<number, Draws>();

function drawsOf(n: number): Draws {
  const known = drawn.get(n);
  if (known !== undefined) return known;
  const rng = Rng.from(BOOTSTRAP_SEED);
  const distinct = new Map<string, { readonly counts: Uint16Array; weight: number }>();
  for (let r = 0; r < RESAMPLES; r++) {
    const counts = new Uint16Array(n);
    for (let i = 0; i < n; i++) {
      const seed = rng.int(n);
      counts[seed] = counts[seed]! + 1;
    }
    const key = counts.join();
    const found = distinct.get(key);
    if (found === undefined) distinct.set(key, { counts, weight: 1 });
    else found.weight++;
  }
  const all = [...distinct.values()];
  const draws = { counts: new Uint16Array(all.length * n), weights: Uint16Array.from(all, ({ weight }) => weight) };
  all.forEach(({ counts }, i) => {
    draws.counts.set(counts, i * n);
  });
  if (drawn.size >= 16) drawn.clear();
  drawn.set(n, draws);
  return draws;
}

/**
 * 95 % bootstrap interval of the IQM over seeds; null below five seeds and where a value is not finite. Equal bit for bit to
 * `bootstrapInterval` of stats.ts with `iqm` and the stream of seed 0, but resamples that were drawn twice are computed once.
 */
export function interval95(values: ArrayLike<number>): [low: number, high: number] | null {
  const n = values.length;
  if (n < SEEDS_FOR_INTERVAL) return null;
  for (let i = 0; i < n; i++) if (!Number.isFinite(values[i])) return null;
  const { counts, weights } = drawsOf(n);
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const sorted = Float64Array.from(order, (i) => values[i]!);
  const cut = Math.floor(n * 0.25);
  const keep = n - 2 * cut;
  const found = new Float64Array(RESAMPLES);
  let filled = 0;
  for (let r = 0; r < weights.length; r++) {
    let skip = cut;
    let left = keep;
    let sum = 0;
    for (let k = 0; left > 0; k++) {
      let times = counts[r * n + order[k]!]!;
      const skipped = Math.min(skip, times);
      skip -= skipped;
      times = Math.min(times - skipped, left);
      left -= times;
      // added one by one: a product would round otherwise than the sum over the written-out resample
      for (const value = sorted[k]!; times > 0; times--) sum += value;
    }
    const mean = sum / keep;
    for (let w = weights[r]!; w > 0; w--) found[filled++] = mean;
  }
  return [quantileInPlace(found, (1 - LEVEL) / 2), quantileInPlace(found, (1 + LEVEL) / 2)];
}

export interface SeedSummary {
  readonly iqm: number | null;
  readonly ci95: [low: number, high: number] | null;
}

/** IQM and interval of one score per seed. A missing or infinite score leaves both null: a summary of fewer seeds than were run is none. */
export function summariseSeeds(values: readonly (number | null)[]): SeedSummary {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (known.length === 0 || known.length < values.length) return { iqm: null, ci95: null };
  return { iqm: iqm(known), ci95: interval95(known) };
}
