/**
 * Which setting to train on next, by rules that read nothing but what was trained before (Cho et al. 2024, `MBTL/utils.py` of the authors' code):
 *   model   a Gaussian process over training performance, less a generalisation gap that grows linearly with the distance; the first one is the middle
 *   gaps    the middle of the widest gap, at either end two thirds of the way to it (their `greedy_temporal_transfer_learning`)
 * Settings are numbered 0 .. n - 1 along the range; performance is a share of the best possible, 0 to 1.
 */
import { log, sqrt } from '#math/functions.ts';
import { type Kernel, likeliest, posterior } from '#math/gaussian-process.ts';

/** What is known: the settings trained so far, in their order, how each did where it was trained, and the best of all policies in each setting. */
export interface Known {
  readonly settings: number; // n
  readonly trained: readonly number[];
  readonly own: readonly number[];
  readonly best: ArrayLike<number>; // [n]
}

/** Gap over the whole range, and deviation of the noise: the authors' 0.005 for each of 100 settings, and 0.1. */
const [GAP, NOISE] = [0.5, 0.1];

/** The authors' bounds on a line of 100 settings: lengths from 0.01 to 100, variances from 0.001 to 1000; here the parts that a range of 1 can show. */
const KERNELS: readonly Kernel[] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1].flatMap((length) =>
  [0.03, 0.1, 0.3, 1, 3].map((variance): Kernel => ({ length, variance })),
);

const middle = (n: number): number => Math.floor((n - 1) / 2);

/** What training on each setting is expected to add to the mean over the range: equation 5 with the bound mu + sqrt(log(k + 1)) sigma. */
export function expectedGains({ settings: n, trained, own, best }: Known): readonly number[] {
  const at = (setting: number): number => setting / (n - 1);
  const x = trained.map(at);
  const all = Array.from({ length: n }, (_, i) => at(i));
  const known = posterior(x, own, all, likeliest(x, own, KERNELS, NOISE), NOISE);
  const wide = sqrt(log(trained.length + 1));
  return known.map(({ mean, deviation }, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += Math.max(0, mean + wide * deviation - GAP * Math.abs(at(i) - at(j)) - best[j]!);
    return sum / n;
  });
}

/** The first of the largest among those not trained; the first of these where none is larger. */
function largest(values: readonly number[], trained: readonly number[]): number {
  let [found, most] = [-1, Number.NEGATIVE_INFINITY];
  values.forEach((value, i) => {
    if (value > most && !trained.includes(i)) [found, most] = [i, value];
  });
  return found;
}

export const byModel = (known: Known): number =>
  known.trained.length === 0 ? middle(known.settings) : largest(expectedGains(known), known.trained);

export function byGaps({ settings: n, trained }: Known): number {
  if (trained.length === 0) return middle(n);
  const marks = [0, ...[...trained].sort((a, b) => a - b), n - 1];
  let widest = 0;
  for (let k = 1; k + 1 < marks.length; k++) if (marks[k + 1]! - marks[k]! > marks[widest + 1]! - marks[widest]!) widest = k;
  const [low, high] = [marks[widest]!, marks[widest + 1]!];
  const wanted = widest === 0 ? (2 * low + high) / 3 : widest === marks.length - 2 ? (low + 2 * high) / 3 : (low + high) / 2;
  // the nearest that is not trained
  const distances = Array.from({ length: n }, (_, i) => -Math.abs(i - wanted));
  return largest(distances, trained);
}
