/**
 * Is one algorithm better than another? Tests on the final scores of seeds, how many seeds a difference needs, and intervals of a mean.
 * Tails come from the incomplete gamma and beta functions by their continued fractions (Lentz), accurate to about 1e-13.
 * Which test to take, and how far to trust it with few seeds: Colas et al. 2018; sizes and levels are two-sided throughout.
 */
import { exp, log } from './functions.ts';
import { mean, std, welch } from './stats.ts';

const TINY = 1e-300;
const CLOSE = 1e-15;
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012,
  9.984369578019572e-6, 1.5056327351493116e-7,
] as const;

function logGamma(x: number): number {
  let sum = 0.9999999999998099;
  for (const [i, c] of LANCZOS.entries()) sum += c / (x + i);
  const t = x + 6.5;
  return 0.9189385332046727 + (x - 0.5) * log(t) - t + log(sum);
}

const kept = (x: number): number => (Math.abs(x) < TINY ? TINY : x);

/** Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8). */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let f = d;
  for (let m = 1; m < 500; m++) {
    for (const n of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / kept(1 + n * d);
      c = kept(1 + n / c);
      f *= c * d;
    }
    if (Math.abs(c * d - 1) < CLOSE) break;
  }
  return f;
}

function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** P(|T| > |t|) of Student's t. */
export function studentTail(t: number, df: number): number {
  return incompleteBeta(df / 2, 0.5, df / (df + t * t));
}

/** P(|Z| > |z|) of the standard normal: the complementary error function of |z| / sqrt(2). */
export function normalTail(z: number): number {
  const x = (z * z) / 2;
  const front = exp(-x) / 1.772453850905516; // sqrt(pi)
  if (x < 1.5) {
    let term = 2 * Math.sqrt(x);
    let sum = term;
    for (let n = 1; Math.abs(term) > CLOSE * sum && n < 200; n++) {
      term *= x / (n + 0.5);
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = x + 0.5;
  let c = 1 / TINY;
  let d = 1 / b;
  let f = d;
  for (let n = 1; n < 500; n++) {
    const a = -n * (n - 0.5);
    b += 2;
    d = 1 / kept(a * d + b);
    c = kept(b + a / c);
    f *= c * d;
    if (Math.abs(c * d - 1) < CLOSE) break;
  }
  return front * Math.sqrt(x) * f;
}

/** The positive value that `tail`, falling, leaves this much beyond. By halving. */
function beyond(tail: (x: number) => number, level: number): number {
  let low = 0;
  let high = 1;
  while (tail(high) > level) high *= 2;
  while (high - low > 1e-14 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (tail(middle) > level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** z with P(|Z| > z) = level: 1.96 for 0.05. */
export function normalCritical(level: number): number {
  return beyond(normalTail, level);
}

const students = new Map<string, number>();

/** t with P(|T| > t) = level, at `df` degrees of freedom: 2.776 for 0.05 and 4. */
export function studentCritical(level: number, df: number): number {
  const key = `${level} ${df}`;
  let found = students.get(key);
  if (found === undefined) students.set(key, (found = beyond((x) => studentTail(x, df), level)));
  return found;
}

const shares = new Map<string, readonly [number, number]>();

/** p where f, rising over [0, 1], reaches `level`. By halving. */
function reaching(f: (p: number) => number, level: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The shares below which m of n or more, and above which m of n or fewer, come with less than probability `tail` (Clopper and Pearson 1934).
 * @param m whole, 0 to n
 * @param tail in (0, 0.5]
 */
export function exactShares(m: number, n: number, tail: number): readonly [low: number, high: number] {
  const key = `${m} ${n} ${tail}`;
  let found = shares.get(key);
  if (found === undefined) {
    const low = m === 0 ? 0 : reaching((p) => incompleteBeta(m, n - m + 1, p), tail);
    const high = m === n ? 1 : reaching((p) => incompleteBeta(m + 1, n - m, p), 1 - tail);
    shares.set(key, (found = [low, high]));
  }
  return found;
}

export interface Comparison {
  readonly p: number;
  readonly difference: number; // mean a - mean b
}

/** Welch's t-test of two independent groups of at least two. Groups without any spread: p is 1 for equal means and 0 otherwise. */
export function welchTest(a: ArrayLike<number>, b: ArrayLike<number>): Comparison & ReturnType<typeof welch> {
  const found = welch(a, b);
  return { ...found, p: studentTail(found.t, found.df), difference: mean(a) - mean(b) };
}

/** Up to this many values of both groups together every division into two groups is counted. */
const EXACT_MANN_WHITNEY = 40;

/**
 * Mann and Whitney's U of the first group and its two-sided p: the share of all divisions of these values into groups of these sizes
 * whose U is at least as far from its centre. `exact` counts them, ties included; otherwise the normal approximation, corrected for ties
 * and for continuity, which is wrong by up to a factor of two at five seeds.
 */
export function mannWhitney(
  a: readonly number[],
  b: readonly number[],
  exact = a.length + b.length <= EXACT_MANN_WHITNEY,
): { readonly u: number; readonly p: number } {
  const n = a.length + b.length;
  let u = 0;
  for (const x of a) for (const y of b) u += x > y ? 1 : x === y ? 0.5 : 0;
  const counts = new Map<number, number>();
  for (const x of [...a, ...b]) counts.set(x, (counts.get(x) ?? 0) + 1);
  const centre = (a.length * b.length) / 2;
  if (exact) return { u, p: mannWhitneyExact(counts, a.length, n, Math.abs(u - centre)) };
  let ties = 0;
  for (const t of counts.values()) ties += t * t * t - t;
  const spread = Math.sqrt(((a.length * b.length) / 12) * (n + 1 - ties / (n * (n - 1))));
  const z = Math.max(0, Math.abs(u - centre) - 0.5) / spread;
  return { u, p: spread === 0 ? 1 : normalTail(z) };
}

/**
 * Share of the subsets of `size` values whose U is at least `far` from its centre. `counts`: how often each value stands. Works on twice
 * the midranks, which are whole numbers: ways[k][s] is the number of subsets of k values with that sum.
 */
function mannWhitneyExact(counts: ReadonlyMap<number, number>, size: number, n: number, far: number): number {
  const most = n * (n + 1); // twice the sum of all ranks
  const ways = Array.from({ length: size + 1 }, () => new Float64Array(most + 1));
  ways[0]![0] = 1;
  let below = 0;
  for (const [, ties] of [...counts].sort(([x], [y]) => x - y)) {
    const doubled = 2 * below + ties + 1;
    below += ties;
    for (let t = 0; t < ties; t++)
      for (let k = size; k > 0; k--) {
        const [to, from] = [ways[k]!, ways[k - 1]!];
        for (let s = most; s >= doubled; s--) to[s] = to[s]! + from[s - doubled]!;
      }
  }
  const least = size * (size + 1); // twice the smallest rank sum; U = (sum - least) / 2
  const centre = (size * (n - size)) / 2;
  let total = 0;
  let extreme = 0;
  ways[size]!.forEach((count, s) => {
    total += count;
    if (Math.abs((s - least) / 2 - centre) >= far) extreme += count;
  });
  return extreme / total;
}

/** Mean and half the width of its interval by Student's t: right for normal scores at any number of seeds from two. */
export function meanInterval(values: ArrayLike<number>, level = 0.95): { readonly mean: number; readonly halfWidth: number } {
  const n = values.length;
  const t = studentCritical(1 - level, n - 1);
  return { mean: mean(values), halfWidth: (t * std(values, 1)) / Math.sqrt(n) };
}

/** Seeds per group to see a difference `delta` of scores with standard deviation `sigma`; normal approximation, so add one or two. */
export function seedsNeeded(sigma: number, delta: number, alpha = 0.05, power = 0.8): number {
  const z = normalCritical(alpha) + normalCritical(2 * (1 - power));
  return Math.ceil(2 * ((z * sigma) / delta) ** 2);
}
