/**
 * What runs of several arms say about a claim: contrasts between arms with their intervals, and a verdict after 5 or 10 seeds.
 *
 * A contrast is one number made of the arms' interquartile means (IQM) over seeds. Its interval comes from a bootstrap stratified by arm
 * (Agarwal et al. 2021): each arm's seeds are drawn anew and all arms are put together. With so few seeds percentile intervals are too
 * narrow far out in the tails, so the two sides of the 95 % percentile interval are stretched by t / 1.96, where t is Student's quantile
 * of the wanted tail with K (n - 1) degrees of freedom (K arms; n - 1 where arms are resampled by pairs). `verdict-simulated.test.ts` measures what
 * this gives on simulated returns.
 *
 * Looks: after 5 seeds, and after 10 where the main contrast's interval still holds its null. The tails are those of O'Brien and Fleming
 * (1979) for two looks at 0.025 in all, divided by the number of contrasts (Bonferroni): the probability that any contrast of a paper
 * whose arms are all alike lies clear of its null in the claimed direction stays below 0.05.
 *
 * Deterministic: resamples come from fixed streams of the project's own generator. Scores are finite numbers, one per seed, in the order
 * of the seeds; throws RangeError otherwise.
 */
import { exp, log } from './functions.ts';
import { Rng } from './rng.ts';
import { quantileInPlace } from './stats.ts';
import { studentCritical } from './stats-compare.ts';

/** How the seeds of an arm become one number. */
export type Middle = 'iqm' | 'median' | 'mean';

interface Claimed {
  /** Names the contrast within its paper. */
  readonly id: string;
  /** On which side of the null the claim says it lies. */
  readonly claim: 'above' | 'below';
  /** What it is where the claim's effect is absent. Default: 0; 1 for a ratio. */
  readonly none?: number;
  /** Least effect that counts as the claim, in the contrast's unit, beyond `none` on the claimed side. Default: `none`. */
  readonly size?: number;
  /** Whether this contrast alone, clear of its null, is a part of the claim worth "partly". Default: true. */
  readonly part?: boolean;
  /** Default: 'iqm'. */
  readonly middle?: Middle;
  /** Resample seeds of all arms together: where runs of one seed share what they start from (the same frozen team, say). Default: false. */
  readonly paired?: boolean;
}

/**
 * difference: middle(arm) - middle(over).  ratio: middle(arm) / middle(over); every score positive.
 * order: the smallest step down the list arms[0] > arms[1] > ..., so above 0 means that all of the order holds.
 * slope: least-squares slope of the arms' middles over the swept number x, per unit of x; with `over`, of what lies between them and those arms.
 * rank: Spearman's correlation of x and score over all runs, -1..1.
 * cells: in each cell, the first arm's middle less the best of the others' (claim below: less the smallest); of these the `of`-th largest
 *   (smallest). Above -m: in at least `of` cells the first arm is the best or at most m behind.
 *   `units` of both: what each place is divided by, the way from random play to the best in its world, say.
 * agree: Spearman's correlation of the arms' middles with those of `others`, place by place, -1..1. The interval covers the seeds only, not which
 *   worlds the places are.
 * level: middle(arm) against the fixed number `none`, which must be given; reaching it is enough.
 * every: the worst seed of an arm against the fixed number `none`; no interval, one seed below it refutes.
 */
export type Contrast = Claimed &
  (
    | { readonly kind: 'difference' | 'ratio'; readonly arm: string; readonly over: string }
    | { readonly kind: 'order'; readonly arms: readonly string[] }
    | { readonly kind: 'rank'; readonly arms: readonly string[]; readonly x: readonly number[] }
    | {
        readonly kind: 'slope';
        readonly arms: readonly string[];
        readonly x: readonly number[];
        readonly over?: readonly string[];
        readonly units?: readonly number[];
      }
    | { readonly kind: 'cells'; readonly cells: readonly (readonly string[])[]; readonly of: number; readonly units?: readonly number[] }
    | { readonly kind: 'agree'; readonly arms: readonly string[]; readonly others: readonly string[] }
    | { readonly kind: 'level' | 'every'; readonly arm: string; readonly none: number }
  );

/** Scores by arm, in the order of the seeds. */
export type Scores = { readonly [arm: string]: readonly number[] };

export interface Estimate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** `held`: clear of the null and at least the size. `smaller`: clear of the null only. `refuted`: the size is excluded. `open`: neither. */
export type State = 'held' | 'smaller' | 'refuted' | 'open';

export interface Finding extends Estimate {
  readonly id: string;
  /** Confidence level of the interval on its own, after the adjustments: 0.952 for one contrast at the second look. */
  readonly level: number;
  readonly state: State;
}

export type Verdict = 'reproduced' | 'partly' | 'not reproduced' | 'inconclusive';

export interface Judgement {
  readonly verdict: Verdict;
  /** Seeds of every arm that the verdict stands on. */
  readonly seeds: number;
  readonly findings: readonly Finding[];
  /** Where more seeds could decide: how many an arm should have in all, 10 before the second look. null: decided. */
  readonly wanted: number | null;
}

/** Seeds of a look and the tail beyond one side of an interval there, for one contrast: P(Z > 2.797), P(Z > 1.977). */
export const LOOKS = [
  { seeds: 5, tail: 0.00258 },
  { seeds: 10, tail: 0.02402 },
] as const;

const RESAMPLES = 1000;
const TAIL = 0.025;
const NORMAL = 1.959963984540054;

const tables = new Map<string, Uint8Array>();

/** How often each of n seeds is drawn, [1 + RESAMPLES][n]. Row 0 is the sample itself: each of them once. */
function counts(n: number, stream: number): Uint8Array {
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

/** An arm's middle in the sample and in every resample, [1 + RESAMPLES]: the mean of what lies between the cuts. */
function middles(values: readonly number[], middle: Middle, stream: number): Float64Array {
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

/** Midranks of rising values with weights: a value's rank is the middle of the places that its ties take. */
function midranks(sorted: Float64Array, weight: Float64Array, out: Float64Array): void {
  let below = 0;
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    let ties = 0;
    while (j < sorted.length && sorted[j] === sorted[i]) ties += weight[j++]!;
    for (let k = i; k < j; k++) out[k] = below + (ties + 1) / 2;
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

/** Spearman's correlation over all runs, in the sample and in every resample, [1 + RESAMPLES]. */
function rankCorrelations(x: readonly number[], arms: readonly (readonly number[])[], paired: boolean): Float64Array {
  const runs = arms.flatMap((values, k) => values.map((value, i) => ({ value, i, k })));
  runs.sort((a, b) => a.value - b.value);
  const sorted = Float64Array.from(runs, ({ value }) => value);
  // An arm has as many runs in every resample, so the order of x stays.
  const xRank = Float64Array.from(
    runs,
    ({ k }) => x.filter((other) => other < x[k]!).length + x.filter((other) => other === x[k]).length / 2,
  );
  const rank = new Float64Array(runs.length);
  const weight = new Float64Array(runs.length);
  const drawn = arms.map((values, k) => counts(values.length, paired ? 0 : k));
  return Float64Array.from({ length: 1 + RESAMPLES }, (_, r) => {
    runs.forEach(({ i, k }, at) => {
      weight[at] = drawn[k]![r * arms[k]!.length + i]!;
    });
    midranks(sorted, weight, rank);
    return correlation(xRank, rank, weight);
  });
}

/** Spearman's correlation of two lists of middles, place by place, in the sample and in every resample. */
function rankAgreements(these: readonly Float64Array[], those: readonly Float64Array[]): Float64Array {
  const ones = new Float64Array(these.length).fill(1);
  const ranks = (parts: readonly Float64Array[], r: number): Float64Array => {
    const order = parts.map((_, k) => k).sort((a, b) => parts[a]![r]! - parts[b]![r]!);
    const sorted = new Float64Array(parts.length);
    midranks(
      Float64Array.from(order, (k) => parts[k]![r]!),
      ones,
      sorted,
    );
    const out = new Float64Array(parts.length);
    order.forEach((k, place) => {
      out[k] = sorted[place]!;
    });
    return out;
  };
  return Float64Array.from({ length: 1 + RESAMPLES }, (_, r) => correlation(ranks(these, r), ranks(those, r), ones));
}

/** Weights by which the middles of the arms give their slope over x. Throws RangeError where x does not vary. */
function slopeWeights(x: readonly number[]): readonly number[] {
  const middle = x.reduce((sum, value) => sum + value, 0) / x.length;
  const spread = x.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  if (!(spread > 0)) throw new RangeError('A slope needs a swept number that varies.');
  return x.map((value) => (value - middle) / spread);
}

/** Names of the arms that a contrast reads, in its order. */
export function armsOf(contrast: Contrast): readonly string[] {
  switch (contrast.kind) {
    case 'difference':
    case 'ratio':
      return [contrast.arm, contrast.over];
    case 'level':
    case 'every':
      return [contrast.arm];
    case 'agree':
      return [...contrast.arms, ...contrast.others];
    case 'slope':
      return [...contrast.arms, ...(contrast.over ?? [])];
    case 'cells':
      return contrast.cells.flat();
    default:
      return contrast.arms;
  }
}

/** What the contrast is where the effect is absent. */
export const noneOf = (contrast: Contrast): number => contrast.none ?? (contrast.kind === 'ratio' ? 1 : 0);

/** Scores of the contrast's arms. Throws RangeError for a missing arm, unequal numbers of seeds, fewer than two, or numbers that are not finite. */
function read(contrast: Contrast, scores: Scores): readonly (readonly number[])[] {
  const arms = armsOf(contrast).map((arm) => {
    const values = scores[arm];
    if (values === undefined) throw new RangeError(`There are no scores of the arm "${arm}".`);
    if (!values.every(Number.isFinite)) throw new RangeError(`A score of the arm "${arm}" is not a finite number.`);
    return values;
  });
  const n = arms[0]?.length ?? 0;
  if (n < 2 || n > 255 || arms.some((values) => values.length !== n)) throw new RangeError('Arms need equally many seeds, 2 to 255.');
  return arms;
}

/** The `of`-th best step of a cell's first arm over the best of its others, in the sample and in every resample. */
function cellSteps({ cells, of, units = [], claim }: Contrast & { kind: 'cells' }, parts: readonly Float64Array[]): Float64Array {
  const sign = claim === 'above' ? 1 : -1;
  const starts = cells.map((_, k) => cells.slice(0, k).reduce((sum, cell) => sum + cell.length, 0));
  return Float64Array.from({ length: 1 + RESAMPLES }, (_, r) => {
    const steps = cells.map((cell, k) => {
      const [mine = 0, ...others] = cell.map((__, i) => sign * parts[starts[k]! + i]![r]!);
      return (mine - Math.max(...others)) / (units[k] ?? 1);
    });
    return sign * steps.sort((a, b) => b - a)[of - 1]!;
  });
}

/** A contrast in the sample and in every resample, [1 + RESAMPLES]. A ratio comes as its logarithm. */
function resampled(contrast: Contrast, arms: readonly (readonly number[])[]): Float64Array {
  const { paired = false, middle = 'iqm' } = contrast;
  if (contrast.kind === 'rank') return rankCorrelations(contrast.x, arms, paired);
  const parts = arms.map((values, k) => middles(values, middle, paired ? 0 : k));
  const [first, second] = [parts[0]!, parts[1] ?? parts[0]!];
  switch (contrast.kind) {
    case 'difference':
      return first.map((value, r) => value - second[r]!);
    case 'ratio':
      return first.map((value, r) => log(value) - log(second[r]!));
    case 'order':
      return first.map((_, r) => {
        let least = Number.POSITIVE_INFINITY;
        for (let k = 1; k < parts.length; k++) least = Math.min(least, parts[k - 1]![r]! - parts[k]![r]!);
        return least;
      });
    case 'slope': {
      const { x, over = [], units = [] } = contrast;
      const weights = slopeWeights(x);
      const others = parts.slice(x.length);
      const at = (k: number, r: number): number => (parts[k]![r]! - (over.length > 0 ? others[k]![r]! : 0)) / (units[k] ?? 1);
      return first.map((_, r) => weights.reduce((sum, weight, k) => sum + weight * at(k, r), 0));
    }
    case 'cells':
      return cellSteps(contrast, parts);
    case 'agree':
      return rankAgreements(parts.slice(0, contrast.arms.length), parts.slice(contrast.arms.length));
    default:
      return first;
  }
}

/**
 * A contrast's value and the interval that leaves `tail` beyond each side. Throws RangeError (see the head of the file); for a ratio also
 * where a score is not positive.
 */
export function contrastInterval(contrast: Contrast, scores: Scores, tail: number): Estimate {
  const arms = read(contrast, scores);
  if (contrast.kind === 'every') {
    const worst = contrast.claim === 'above' ? Math.min(...arms[0]!) : Math.max(...arms[0]!);
    return { estimate: worst, low: worst, high: worst };
  }
  if (contrast.kind === 'ratio' && arms.some((values) => values.some((value) => value <= 0)))
    throw new RangeError('A ratio needs positive scores.');
  const found = resampled(contrast, arms);
  const own = found[0]!;
  const all = found.subarray(1);
  const n = arms[0]!.length;
  const stretch = studentCritical(2 * tail, (contrast.paired ? 1 : arms.length) * (n - 1)) / NORMAL;
  const low = own - stretch * Math.max(0, own - quantileInPlace(all, TAIL));
  const high = own + stretch * Math.max(0, quantileInPlace(all, 1 - TAIL) - own);
  if (contrast.kind === 'ratio') return { estimate: exp(own), low: exp(low), high: exp(high) };
  if (contrast.kind === 'rank' || contrast.kind === 'agree') return { estimate: own, low: Math.max(-1, low), high: Math.min(1, high) };
  return { estimate: own, low, high };
}

/** An interval seen from the claimed side: larger is more of what is claimed. */
function fromClaim(contrast: Contrast, { estimate, low, high }: Estimate) {
  const sign = contrast.claim === 'above' ? 1 : -1;
  const none = sign * noneOf(contrast);
  const size = sign * (contrast.size ?? noneOf(contrast));
  const [value, near, far] = sign > 0 ? [estimate, low, high] : [-estimate, -high, -low];
  const reaching = contrast.kind === 'level' || contrast.kind === 'every';
  return { none, size, value, far, clear: near > none || (reaching && near === none) };
}

/** What an interval says of its contrast's claim. */
export function stateOf(contrast: Contrast, found: Estimate): State {
  const { size, value, far, clear } = fromClaim(contrast, found);
  if (clear) return value >= size ? 'held' : 'smaller';
  return far < size ? 'refuted' : 'open';
}

function look(contrasts: readonly Contrast[], scores: Scores, { seeds, tail }: (typeof LOOKS)[number]): readonly Finding[] {
  const first = Object.fromEntries(Object.entries(scores).map(([arm, values]) => [arm, values.slice(0, seeds)]));
  const each = tail / contrasts.length;
  return contrasts.map((contrast) => {
    const found = contrastInterval(contrast, first, each);
    return { id: contrast.id, ...found, level: 1 - 2 * each, state: stateOf(contrast, found) };
  });
}

function verdictOf(contrasts: readonly Contrast[], findings: readonly Finding[]): Verdict {
  if (findings.every(({ state }) => state === 'held')) return 'reproduced';
  if (findings.some(({ state }, i) => (state === 'held' || state === 'smaller') && contrasts[i]!.part !== false)) return 'partly';
  return findings.some(({ state }) => state === 'refuted') ? 'not reproduced' : 'inconclusive';
}

/** Seeds an arm by which the interval of an open contrast would be about half as wide as from its null to its size, or to its value. */
function seedsWanted(contrast: Contrast, { estimate, low, high }: Finding, seeds: number): number {
  const effect = Math.abs((contrast.size ?? noneOf(contrast)) - noneOf(contrast)) || Math.abs(estimate - noneOf(contrast));
  const needed = effect === 0 ? Number.POSITIVE_INFINITY : Math.ceil(seeds * ((high - low) / 2 / effect) ** 2);
  return Math.min(1000, Math.max(2 * seeds, needed));
}

/** Whether the interval of the first contrast, the main one, holds its null: what a second look is for. */
function holdsNull(contrast: Contrast, found: Finding): boolean {
  const { none, far, clear } = fromClaim(contrast, found);
  return !clear && far >= none;
}

/**
 * The verdict on one to three contrasts, the main one first. Scores beyond the seeds of the look that decides are not used. Fewer than 5
 * seeds of any arm: inconclusive, without findings. `tenSeeds`: there is no first look. Throws RangeError (see the head of the file).
 */
export function judge(contrasts: readonly Contrast[], scores: Scores, tenSeeds = false): Judgement {
  if (contrasts.length < 1 || contrasts.length > 3) throw new RangeError('A verdict stands on one to three contrasts.');
  const seeds = Math.min(...contrasts.flatMap(armsOf).map((arm) => scores[arm]?.length ?? 0));
  const [first, second] = LOOKS;
  const least = tenSeeds ? second.seeds : first.seeds;
  if (seeds < least) return { verdict: 'inconclusive', seeds, findings: [], wanted: least };
  if (!tenSeeds) {
    const early = look(contrasts, scores, first);
    const open = holdsNull(contrasts[0]!, early[0]!);
    if (!open) return { verdict: verdictOf(contrasts, early), seeds: first.seeds, findings: early, wanted: null };
    if (seeds < second.seeds) return { verdict: 'inconclusive', seeds: first.seeds, findings: early, wanted: second.seeds };
  }
  const findings = look(contrasts, scores, second);
  const verdict = verdictOf(contrasts, findings);
  const undecided = contrasts.flatMap((contrast, i) =>
    findings[i]!.state === 'open' ? [seedsWanted(contrast, findings[i]!, second.seeds)] : [],
  );
  return { verdict, seeds: second.seeds, findings, wanted: verdict === 'inconclusive' ? Math.max(...undecided) : null };
}
