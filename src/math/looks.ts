/**
 * When the runs of a paper may be judged, and how much of the error each of these looks may use (Lan and DeMets 1983: a spending function).
 *
 * One side of an interval may err in 0.025 of all repetitions, over all looks together. Up to a look at n of N seeds 0.025 (n / N)^1.5 of
 * it may be used, so that early looks can decide: over 5, 10, 20 and 40 seeds the tails are 0.0011, 0.0023, 0.0066 and 0.0194. Forms of one
 * paper that are judged one after another share one budget, 0.05 in all: the k-th may use 0.05 / 2^k.
 */
import { exp } from './functions.ts';
import { normalTail } from './stats-compare.ts';

/** Seeds of every arm at which a paper may be judged. A card uses the first so many of them, or the second alone. */
export const SEEDS_OF_LOOKS = [5, 10, 20, 40, 80, 160] as const;
/** Looks of scores for which none are named. */
export const DEFAULT_LOOKS: readonly number[] = SEEDS_OF_LOOKS.slice(0, 4);

/** Error of one side of an interval over all looks and over all forms of a paper that are judged one after another. */
const ALL_FORMS = 0.05;
const POWER = 1.5;
/** Points of the grid on which the density of undecided papers is kept; Simpson's rule needs an odd number. */
const GRID = 201;
/** Lower end of the grid, in standard deviations. */
const LOWEST = -9;

/** A look: its seeds, and the probability beyond one side of an interval there that has this error in all. */
export interface Look {
  readonly seeds: number;
  readonly tail: number;
}

/** P(Z > z) of the standard normal. */
const above = (z: number): number => (z >= 0 ? normalTail(z) / 2 : 1 - normalTail(-z) / 2);

interface Density {
  /** Of the sum of all scores so far, where no look has decided: [GRID] from `low` to `high`, in units of the last look's deviation. */
  readonly values: Float64Array;
  readonly low: number;
  readonly high: number;
}

/** Integral of the density times f, by Simpson's rule. */
function integral({ values, low, high }: Density, f: (x: number) => number): number {
  const step = (high - low) / (GRID - 1);
  let sum = 0;
  for (let i = 0; i < GRID; i++) sum += (i === 0 || i === GRID - 1 ? 1 : i % 2 === 1 ? 4 : 2) * values[i]! * f(low + i * step);
  return (sum * step) / 3;
}

const cache = new Map<string, readonly Look[]>();

/**
 * The looks at these numbers of seeds, each with its tail: with scores that are normal and independent over seeds, P(the sum of scores lies
 * beyond its bound at this look or an earlier one) is what may be spent by then (recursive integration, Armitage, McPherson and Rowe 1969).
 * Throws RangeError where they are not one to ten whole numbers from 2 to 255 that rise, or where the form is not the first or a later one.
 * @param forms which form of its paper this is, counted from 1: those before it have used their share of the error
 */
export function looksAt(seeds: readonly number[], forms = 1): readonly Look[] {
  const key = `${seeds.join(' ')} of form ${forms}`;
  const known = cache.get(key);
  if (known) return known;
  if (seeds.length < 1 || seeds.length > 10 || seeds.some((n, k) => !Number.isInteger(n) || n < 2 || n > 255 || n <= (seeds[k - 1] ?? 0)))
    throw new RangeError('Looks need one to ten rising whole numbers of seeds, each from 2 to 255.');
  if (!Number.isInteger(forms) || forms < 1) throw new RangeError('Forms of a paper are counted from 1.');
  const error = ALL_FORMS / 2 ** forms;
  const last = seeds[seeds.length - 1]!;
  const share = seeds.map((n) => n / last);
  let density: Density | null = null;
  const looks = seeds.map((n, k): Look => {
    const now = share[k]!;
    const before = share[k - 1] ?? 0;
    const spend = error * (now ** POWER - before ** POWER);
    const spread = Math.sqrt(now - before);
    const earlier = density;
    const crossing = (bound: number): number =>
      earlier === null ? above(bound / spread) : integral(earlier, (x) => above((bound - x) / spread));
    let [low, high] = [0, 10];
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (crossing(middle) > spend) low = middle;
      else high = middle;
    }
    const bound = (low + high) / 2;
    const bell = (x: number): number => exp(-(x * x) / (2 * spread * spread)) / (spread * 2.5066282746310002);
    const from = LOWEST * Math.sqrt(now);
    const values = Float64Array.from({ length: GRID }, (_, i) => {
      const at = from + (i * (bound - from)) / (GRID - 1);
      return earlier === null ? bell(at) : integral(earlier, (x) => bell(at - x));
    });
    density = { values, low: from, high: bound };
    return { seeds: n, tail: above(bound / Math.sqrt(now)) };
  });
  cache.set(key, looks);
  return looks;
}
