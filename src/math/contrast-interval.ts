/**
 * The value of a contrast and its interval.
 *
 * Differences, ratios, slopes and levels are sums of the arms' middles (of their logarithms, for a ratio). With few seeds percentile intervals
 * of the bootstrap are too narrow far out in the tails, so the two sides of the 95 % percentile interval are stretched by t / 1.96, where t is
 * Student's quantile of the wanted tail, with the degrees of freedom of Welch and Satterthwaite from the arms' variances over resamples.
 * One arm against a bar has no second arm whose humps would make the interval wide: its own is the hull of that and of the percentiles at the
 * wanted tail itself, stretched by Student's over the normal quantile, and both by 1 + 10 / n. A sum whose other arm hardly varies is the same
 * case: each of its terms beside which another has less than a third of its variance is widened like that, and the terms add up as independent
 * errors do; the interval is the hull of this and of the stretched one. So is a term whose ends have two humps: its middle is made of the share
 * of seeds on each hump, and of what the exact interval of that share leaves open (Clopper and Pearson 1934). Sums of several arms of n seeds are 1 + 2 / n times as wide.
 * A published mean has an error of its own, Student's t of its seeds; it and the stretched bootstrap add up as independent errors do.
 * Shares of seeds have the interval of Agresti and Caffo (2000): one pass and one failure are added to each arm.
 * An order and cells are made of the intervals of their differences: a smallest step is above a number where every step is (an
 * intersection-union test), `of` of M cells are where `of` intervals at tail / (M - of + 1) are (Benjamini and Heller 2008).
 * Correlations (rank, agree, pairs) have the hull of the stretched bootstrap and of Fisher's z with the variance of Bonett and Wright (2000):
 * the first sees how the scores vary, the second how few places or runs there are. What was cut short has no order of its own beyond its
 * bound: the least value of a correlation orders it against the other side, the most along it.
 * Where n runs or places come in m clusters, an interval has m - 1 degrees of freedom and is sqrt(n / m) times as wide.
 *
 * Scores are finite numbers, one per seed, in the order of the seeds. Where runs were cut short (`upTo`), an interval is asked for at the
 * least or at the most value of the contrast.
 */
import { armsOf, type Contrast, type Middle, type Scores, type UpTo } from './contrasts.ts';
import { exp, log, tanh } from './functions.ts';
import { type Humps, humpsOf } from './humps.ts';
import { counts, leaned, middles, spearman, spearmanOf } from './resamples.ts';
import { quantileInPlace, std } from './stats.ts';
import { exactShares, normalCritical, studentCritical } from './stats-compare.ts';

export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Which of its possible values a contrast takes where runs were cut short. */
export type End = 'least' | 'most';

const TAIL = 0.025;
const NORMAL = 1.959963984540054;
/** One arm of n seeds: wider by 1 + this / n, because few seeds may all stand on the same of two humps. Chosen by simulation. */
const ONE_ARM = 10;
/** Any sum of several arms of n seeds: wider by 1 + this / n, because a hump that few seeds have missed is in no resample of theirs. Chosen by simulation. */
const FEW = 2;
/** A term hardly varies beside another where its variance is less than this share of the other's. */
export const STILL = 1 / 3;
/** Places from which on a correlation over them has an interval. */
const FEWEST_PLACES = 4;

/** One arm in a sum of middles. */
interface Term {
  readonly values: readonly number[];
  readonly weight: number;
  readonly stream: number;
}

/** Scores of the contrast's arms. Throws RangeError for a missing arm, unequal numbers of seeds, fewer than two, or numbers that are not finite. */
function read(contrast: Contrast, scores: Scores): readonly (readonly number[])[] {
  const arms = armsOf(contrast).map((arm) => {
    const values = Object.hasOwn(scores, arm) ? scores[arm] : undefined;
    if (values === undefined) throw new RangeError(`There are no scores of the arm "${arm}".`);
    if (!values.every(Number.isFinite)) throw new RangeError(`A score of the arm "${arm}" is not a finite number.`);
    return values;
  });
  const n = arms[0]?.length ?? 0;
  if (n < 2 || n > 255 || arms.some((values) => values.length !== n)) throw new RangeError('Arms need equally many seeds, 2 to 255.');
  return arms;
}

/** What `tail` beyond each side of an interval leaves of a number and its resamples, [1 + RESAMPLES]. */
function stretched(found: Float64Array, tail: number, freedom: number): Estimate {
  const own = found[0]!;
  const all = found.slice(1);
  const stretch = studentCritical(2 * tail, freedom) / NORMAL;
  const low = own - stretch * Math.max(0, own - quantileInPlace(all, TAIL));
  const high = own + stretch * Math.max(0, quantileInPlace(all, 1 - TAIL) - own);
  return { estimate: own, low, high };
}

/** The interval of one arm of n seeds, see the head of the file. */
function ofOneArm(found: Float64Array, tail: number, n: number): Estimate {
  const { estimate, low, high } = stretched(found, tail, n - 1);
  const all = found.slice(1);
  const [student, normal] = [studentCritical(2 * tail, n - 1), normalCritical(2 * tail)];
  const down = Math.max(estimate - low, (student / normal) * (estimate - quantileInPlace(all, tail)));
  const up = Math.max(high - estimate, (student / normal) * (quantileInPlace(all, 1 - tail) - estimate));
  const wider = 1 + ONE_ARM / n;
  return { estimate, low: estimate - wider * down, high: estimate + wider * up };
}

/** Degrees of freedom of a sum whose parts have these variances, each from n values (Satterthwaite). */
function freedomOf(variances: readonly number[], n: number): number {
  const sum = variances.reduce((a, b) => a + b, 0);
  const squares = variances.reduce((a, b) => a + b * b, 0);
  return squares > 0 ? (n - 1) * ((sum * sum) / squares) : (n - 1) * variances.length;
}

/** Own middle less a published mean. */
function lessPublished(
  { theirs, middle = 'iqm' }: Contrast & { readonly kind: 'published' },
  values: readonly number[],
  tail: number,
): Estimate {
  const own = stretched(middles(values, middle, 0), tail, values.length - 1);
  const reach = (studentCritical(2 * tail, theirs.seeds - 1) * theirs.deviation) / Math.sqrt(theirs.seeds);
  const estimate = own.estimate - theirs.mean;
  return addedUp(estimate, [own, { estimate: 0, low: -reach, high: reach }]);
}

/** A sum of the arms' shares of seeds that pass. */
function sumOfShares(terms: readonly Term[], passes: (value: number) => boolean, tail: number): Estimate {
  const n = terms[0]!.values.length;
  let [estimate, centre, variance] = [0, 0, 0];
  for (const { values, weight } of terms) {
    const passed = values.filter(passes).length;
    const own = shareOf(passed, n);
    estimate += (weight * passed) / n;
    centre += weight * own.share;
    variance += weight * weight * own.variance;
  }
  const reach = studentCritical(2 * tail, terms.length * (n - 1)) * Math.sqrt(variance);
  return { estimate, low: Math.min(estimate, centre - reach), high: Math.max(estimate, centre + reach) };
}

/** A sum of the arms' middles, of their logarithms for a ratio. */
function sumOfMiddles(contrast: Contrast, terms: readonly Term[], tail: number): Estimate {
  const { kind, middle = 'iqm', share, paired = false } = contrast;
  const seeds = terms[0]!.values.length;
  if (share) return sumOfShares(terms, (value) => ('atLeast' in share ? value >= share.atLeast : value <= share.atMost), tail);
  const n = independent(contrast, seeds);
  const parts = terms.map(({ values, weight, stream }) => {
    const part = middles(values, middle, paired ? 0 : stream);
    return part.map((value) => weight * (kind === 'ratio' ? log(value) : value));
  });
  const found = parts[0]!.map((_, r) => parts.reduce((sum, part) => sum + part[r]!, 0));
  const humped = terms.map(({ values, weight }, k): Estimate | null => {
    // the middle arm of a slope has no weight: whatever its ends, it adds nothing
    const humps =
      paired || weight === 0 ? null : ofHumps(kind === 'ratio' ? values.map(log) : values, middle, parts[k]![0]! / weight, tail);
    if (humps === null) return null;
    const ends = [weight * humps.low, weight * humps.high];
    return { estimate: parts[k]![0]!, low: Math.min(...ends), high: Math.max(...ends) };
  });
  return wider(sumInterval({ found, parts, humped, terms, paired, n, tail }), Math.sqrt(seeds / n));
}

/** How many of n runs or places are independent, where they come in clusters. */
const independent = ({ clusters = Number.POSITIVE_INFINITY }: Contrast, n: number): number => Math.min(n, clusters);

const wider = ({ estimate, low, high }: Estimate, by: number): Estimate =>
  by === 1 ? { estimate, low, high } : { estimate, low: estimate - by * (estimate - low), high: estimate + by * (high - estimate) };

interface Sum {
  readonly found: Float64Array;
  readonly parts: readonly Float64Array[];
  /** What two humps of a term leave open, each null where there are none. */
  readonly humped: readonly (Estimate | null)[];
  readonly terms: readonly Term[];
  readonly paired: boolean;
  /** Independent seeds. */
  readonly n: number;
  readonly tail: number;
}

const hull = (a: Estimate, b: Estimate | null): Estimate =>
  b === null ? a : { ...a, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };

function sumInterval({ found, parts, humped, terms, paired, n, tail }: Sum): Estimate {
  if (terms.length === 1) return hull(ofOneArm(found, tail, n), humped[0]!);
  const variances = parts.map((part) => std(part.subarray(1)) ** 2);
  const alone = variances.map((own, k) => terms.some(({ weight }, j) => j !== k && weight !== 0 && variances[j]! < STILL * own));
  const plain = wider(stretched(found, tail, freedomOf(paired ? [1] : variances, n)), 1 + FEW / n);
  if (paired) return alone.includes(true) ? hull(plain, ofOneArm(found, tail, n)) : plain;
  if (!alone.includes(true) && humped.every((one) => one === null)) return plain;
  const each = parts.map((part, k) => hull(alone[k] ? ofOneArm(part, tail, n) : stretched(part, tail, n - 1), humped[k]!));
  return hull(plain, addedUp(found[0]!, each));
}

/** A sum of terms with intervals of their own, which add up as independent errors do. */
function addedUp(estimate: number, each: readonly Estimate[]): Estimate {
  const down = Math.sqrt(each.reduce((sum, term) => sum + (term.estimate - term.low) ** 2, 0));
  const up = Math.sqrt(each.reduce((sum, term) => sum + (term.high - term.estimate) ** 2, 0));
  return { estimate, low: estimate - down, high: estimate + up };
}

/** The share of n that m of n stand for, and how far it may lie from there (Agresti and Caffo, see the head of the file). */
function shareOf(m: number, n: number): { readonly share: number; readonly variance: number } {
  const share = (m + 1) / (n + 2);
  return { share, variance: (share * (1 - share)) / (n + 2) };
}

/** Middle of ends of which `lower` lie on the low hump and the others on the high one. */
function middleOfHumps({ low, high }: Humps, lower: number, middle: Middle): number {
  const inside = middle === 'mean' ? lower : middle === 'iqm' ? 2 * lower - 0.5 : lower < 0.5 ? 0 : 1;
  const share = Math.max(0, Math.min(1, inside));
  return share * low + (1 - share) * high;
}

/**
 * Where an arm's ends have two humps, its middle is made of the share of seeds on each: what that share leaves open is how far the middle may
 * lie from the sample's. Few seeds of a hump move no interquartile mean, and a bootstrap of them sees next to nothing.
 */
function ofHumps(values: readonly number[], middle: Middle, own: number, tail: number): Estimate | null {
  const humps = humpsOf(values);
  if (humps === null) return null;
  const n = values.length;
  const [least, most] = exactShares(Math.round(humps.lower * n), n, tail);
  return {
    estimate: own,
    low: Math.min(own, middleOfHumps(humps, most, middle)),
    high: Math.max(own, middleOfHumps(humps, least, middle)),
  };
}

/** Weights by which the middles of the arms give their slope over x. Throws RangeError where x does not vary. */
function slopeWeights(x: readonly number[]): readonly number[] {
  const middle = x.reduce((sum, value) => sum + value, 0) / x.length;
  const spread = x.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  if (!(spread > 0)) throw new RangeError('A slope needs a swept number that varies.');
  return x.map((value) => (value - middle) / spread);
}

/** The hull of an interval of a correlation and of what Fisher's z leaves of n pairs. */
function correlationInterval(contrast: Contrast, found: Float64Array, sample: number, freedom: number, tail: number): Estimate {
  const own = found[0]!;
  const n = independent(contrast, sample);
  if (n < FEWEST_PLACES) return { estimate: own, low: -1, high: 1 };
  const { low, high } = wider(stretched(found, tail, n < sample ? n - 1 : freedom), Math.sqrt(sample / n));
  const most = 1 - 6 / (n * n * n - n); // half of the smallest step of Spearman's correlation below 1
  const r = Math.max(-most, Math.min(most, own));
  const z = (log(1 + r) - log(1 - r)) / 2;
  const reach = studentCritical(2 * tail, n - 2) * Math.sqrt((1 + (r * r) / 2) / (n - 3));
  return {
    estimate: own,
    low: Math.max(-1, Math.min(low, tanh(z - reach))),
    high: Math.min(1, Math.max(high, tanh(z + reach))),
  };
}

/** Scores of all arms, by place. */
type Arms = readonly (readonly number[])[];

/** The least and the most that the scores of a correlation's arms may be, and which of its own possible values is asked for. */
interface Bounded {
  readonly least: Arms;
  readonly most: Arms;
  readonly together: 1 | -1;
}

const flat = (arms: Arms): Float64Array => Float64Array.from(arms.flat());

function rankInterval(contrast: Contrast & { readonly kind: 'rank' }, arms: Bounded, tail: number): Estimate {
  const { x, paired = false } = contrast;
  const n = arms.least[0]!.length;
  const swept = flat(arms.least.map((values, k) => values.map(() => x[k]!)));
  const scores = { least: flat(arms.least), most: flat(arms.most) };
  const drawn = arms.least.map((_, k) => counts(n, paired ? 0 : k));
  const [, placed] = leaned({ least: swept, most: swept }, scores, arms.together);
  const found = spearman(swept, placed, (r, at) => drawn[Math.floor(at / n)]![r * n + (at % n)]!);
  return correlationInterval(contrast, found, swept.length, arms.least.length * (n - 1), tail);
}

function pairsInterval(contrast: Contrast & { readonly kind: 'agree' | 'pairs' }, arms: Bounded, tail: number): Estimate {
  const places = contrast.arms.length;
  const n = arms.least[0]!.length;
  const of = (from: number, to: number) => ({ least: flat(arms.least.slice(from, to)), most: flat(arms.most.slice(from, to)) });
  const [these, those] = leaned(of(0, places), of(places, 2 * places), arms.together);
  const drawn = Array.from({ length: places }, (_, k) => counts(n, k));
  const worlds = places === 1 ? null : counts(places, places);
  const found = spearman(these, those, (r, at) => {
    const k = Math.floor(at / n);
    return drawn[k]![r * n + (at % n)]! * (worlds === null ? 1 : worlds[r * places + k]!);
  });
  const sample = places === 1 ? n : places;
  return correlationInterval(contrast, found, sample, sample - 1, tail);
}

function agreeInterval(
  contrast: Contrast & { readonly kind: 'agree' | 'pairs' },
  { least, most, together }: Bounded,
  tail: number,
): Estimate {
  const { middle = 'iqm' } = contrast;
  const places = contrast.arms.length;
  const of = (arms: Arms) => arms.map((values, k) => middles(values, middle, k));
  const [low, high] = [of(least), of(most)];
  const found = spearmanOf(low.slice(0, places), low.slice(places), counts(places, least.length), {
    these: high.slice(0, places),
    those: high.slice(places),
    together,
  });
  return correlationInterval(contrast, found, places, places - 1, tail);
}

/** The smallest of several differences. */
function smallest(all: readonly { readonly atTail: Estimate; readonly shared: Estimate }[]): Estimate {
  return {
    estimate: Math.min(...all.map(({ atTail }) => atTail.estimate)),
    low: Math.min(...all.map(({ atTail }) => atTail.low)),
    high: Math.min(...all.map(({ shared }) => shared.high)),
  };
}

/** Scores of the k-th arm where it adds to the contrast, and where it takes from it. */
interface Sides {
  readonly plus: Arms;
  readonly minus: Arms;
}

function orderInterval(contrast: Contrast, { plus, minus }: Sides, tail: number): Estimate {
  const steps = plus.length - 1;
  return smallest(
    Array.from({ length: steps }, (_, k) => {
      const terms = [
        { values: plus[k]!, weight: 1, stream: k },
        { values: minus[k + 1]!, weight: -1, stream: k + 1 },
      ];
      return { atTail: sumOfMiddles(contrast, terms, tail), shared: sumOfMiddles(contrast, terms, tail / steps) };
    }),
  );
}

const turned = ({ estimate, low, high }: Estimate): Estimate => ({ estimate: -estimate, low: -high, high: -low });

/** The `of`-th best step of a cell's first arm over the best of its others, where less is better over the smallest. */
function cellsInterval(contrast: Contrast & { readonly kind: 'cells' }, { plus, minus }: Sides, tail: number): Estimate {
  const { cells, of, units = [], claim } = contrast;
  const sign = claim === 'above' ? 1 : -1;
  const cellAt = (k: number, each: number): Estimate => {
    const start = cells.slice(0, k).reduce((sum, cell) => sum + cell.length, 0);
    const rivals = cells[k]!.length - 1;
    const found = smallest(
      Array.from({ length: rivals }, (_, i) => {
        const other = start + 1 + i;
        const terms = [
          { values: plus[start]!, weight: sign, stream: start },
          { values: minus[other]!, weight: -sign, stream: other },
        ];
        return { atTail: sumOfMiddles(contrast, terms, each), shared: sumOfMiddles(contrast, terms, each / rivals) };
      }),
    );
    const unit = units[k] ?? 1;
    return { estimate: found.estimate / unit, low: found.low / unit, high: found.high / unit };
  };
  const ranked = (each: number, side: keyof Estimate): number => cells.map((_, k) => cellAt(k, each)[side]).sort((a, b) => b - a)[of - 1]!;
  const found = {
    estimate: ranked(tail, 'estimate'),
    low: ranked(tail / (cells.length - of + 1), 'low'),
    high: ranked(tail / of, 'high'),
  };
  return sign > 0 ? found : turned(found);
}

/**
 * A contrast's value and the interval that leaves `tail` beyond each side. Throws RangeError (see the head of the file); for a ratio also
 * where a score is not positive, for a slope where x does not vary.
 */
export function contrastInterval(contrast: Contrast, scores: Scores, tail: number, upTo: UpTo = {}, end: End = 'least'): Estimate {
  const arms = read(contrast, scores);
  if (contrast.kind === 'ratio' && arms.some((values) => values.some((value) => value <= 0)))
    throw new RangeError('A ratio needs positive scores.');
  const names = armsOf(contrast);
  const most = arms.map((values, k) => values.map((value, i) => upTo[names[k]!]?.[i] ?? value));
  const [plus, minus] = end === 'least' ? [arms, most] : [most, arms];
  const bounded: Bounded = { least: arms, most, together: end === 'least' ? -1 : 1 };
  const term = (k: number, weight: number): Term => ({ values: (weight > 0 ? plus : minus)[k]!, weight, stream: k });
  switch (contrast.kind) {
    case 'every': {
      const worst = contrast.claim === 'above' ? Math.min(...plus[0]!) : Math.max(...plus[0]!);
      return { estimate: worst, low: worst, high: worst };
    }
    case 'level':
      return sumOfMiddles(contrast, [term(0, 1)], tail);
    case 'difference':
      return sumOfMiddles(contrast, [term(0, 1), term(1, -1)], tail);
    case 'ratio': {
      const { estimate, low, high } = sumOfMiddles(contrast, [term(0, 1), term(1, -1)], tail);
      return { estimate: exp(estimate), low: exp(low), high: exp(high) };
    }
    case 'slope': {
      const { x, over = [], units = [] } = contrast;
      const weights = slopeWeights(x).map((weight, k) => weight / (units[k] ?? 1));
      const others = over.length > 0 ? weights.map((weight, k) => term(x.length + k, -weight)) : [];
      return sumOfMiddles(contrast, [...weights.map((weight, k) => term(k, weight)), ...others], tail);
    }
    case 'published':
      return lessPublished(contrast, (end === 'least' ? arms : most)[0]!, tail);
    case 'order':
      return orderInterval(contrast, { plus, minus }, tail);
    case 'cells':
      return cellsInterval(contrast, { plus, minus }, tail);
    case 'rank':
      return rankInterval(contrast, bounded, tail);
    case 'agree':
      return agreeInterval(contrast, bounded, tail);
    default:
      return pairsInterval(contrast, bounded, tail);
  }
}
