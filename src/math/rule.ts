/**
 * What runs of several arms say about a claim: the state of every contrast, and one outcome for all of them.
 *
 * The first contrast that is neither a control nor a premise is the main one: "shown", "smaller" and "mixed" need it clear of no effect on the
 * claimed side. Controls and premises stand outside the count: a control that is not held voids, and without its premise the outcome is open.
 * Intervals are shared out among the other contrasts (Bonferroni) and adjusted for the looks and for earlier forms of the paper (looks.ts), so
 * that the probability of "shown", "smaller" or "mixed" stays below 0.05 where the main effect is absent or reversed.
 * `npm run bench -- verdicts` measures this on simulated scores. Looks go on while a contrast is open that can still change the outcome.
 */
import { contrastInterval, type Estimate, STILL } from './contrast-interval.ts';
import {
  armsOf,
  type Contrast,
  faultOf,
  groupsOf,
  hasNoSize,
  isBar,
  isCounted,
  isMargin,
  neutralOf,
  noneOf,
  type Scores,
  type UpTo,
} from './contrasts.ts';
import { log } from './functions.ts';
import { DEFAULT_LOOKS, looksAt, SEEDS_OF_LOOKS } from './looks.ts';
import { std } from './stats.ts';

/**
 * Raised when the same scores may get another outcome: part of every rule's hash. 1: until November 2026. 3: rivals at the ceiling, still rising, or
 * alike void. 4: correlations and slopes with runs that were cut short. 5: outcomes in place of verdicts, "reversed", premises, terms beside
 * one that hardly varies, means and margins wait for more seeds, forms share one budget. 6: both bounds of a rival are known, whichever way it
 * came out. 7: the share of seeds on a hump has its exact interval; an arm hardly varies from a third of the other's variance on.
 */
export const JUDGE_VERSION = 7;

/** What an interval inside plus or minus half of the size says. */
export const NO_EFFECT = 'no effect of that size';

/**
 * held: clear of no effect on the claimed side, the estimate at least half of the size, the size not excluded.  smaller: clear on that side.
 * reversed: clear of no effect on the other side.  no effect of that size: the interval holds no effect and lies inside plus or minus half of the
 * size.  refuted: it holds no effect and ends short of the size, or beyond the margin or the bar.  open: none of these.
 */
export const STATES = ['held', 'smaller', NO_EFFECT, 'refuted', 'reversed', 'open'] as const;
export type State = (typeof STATES)[number];

/**
 * shown: every contrast is held.  smaller: all are on the claimed side, one at least smaller than claimed.  mixed: the main one is on the claimed
 * side, a further one is not.  not shown: of the main one the size claimed is excluded.  reversed: the main one is clear on the other side.
 * open: a check failed, a premise is absent, or the runs do not tell.
 */
export const OUTCOMES = ['shown', 'smaller', 'mixed', 'not shown', 'reversed', 'open'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Finding extends Estimate {
  readonly id: string;
  /** Confidence level of the interval on its own, after the adjustments. */
  readonly level: number;
  readonly state: State;
  /** Of `every` that is held: the share of seeds below which failures lie at 95 % (1 - 0.05^(1/n)). */
  readonly failsBelow?: number;
}

/** What leaves an outcome open that scores alone can show. */
export interface ScoreVoid {
  readonly check: 'control' | 'spread' | 'censored';
  readonly text: string;
}

export interface Judgement {
  readonly outcome: Outcome;
  /** Premises that are not held, by their ids: without them nothing is said of the method. */
  readonly absent: readonly string[];
  /** Seeds of every arm that the outcome stands on. */
  readonly seeds: number;
  readonly findings: readonly Finding[];
  readonly voids: readonly ScoreVoid[];
  /** Where more seeds could change the outcome: how many an arm should have in all. null: decided. */
  readonly wanted: number | null;
}

export interface JudgeOptions {
  /** Seeds of the looks, fixed before the first seed. Default: 5, 10, 20, 40. */
  readonly looks?: readonly number[];
  /** Runs that were cut short. */
  readonly upTo?: UpTo;
  /** Arms that a seed need not change: without chance, or an optimum that is reached exactly. */
  readonly steady?: readonly string[];
  /** Which form of its paper this is, counted from 1: those judged before it have used a part of the error. */
  readonly forms?: number;
}

/** The most contrasts of a claim, and the most of its controls. */
const MOST = 3;
/**
 * On fewer seeds than this nothing is decided where one arm makes all of the error: against a bar, beside an arm that is alike or hardly
 * varies, and for margins, where a rare failure is all that is asked for. Its second hump may not have appeared.
 */
const SEEDS_OF_ONE_ARM = SEEDS_OF_LOOKS[1];
/** Means need more: one in ten runs that fail moves a mean, and ten seeds may hold none of them. */
const SEEDS_OF_MEANS = SEEDS_OF_LOOKS[3];
/** Scores of an arm that lie within this share of the scale are alike. */
const ALIKE = 1e-3;
/** Share of runs of the claimed arm above which their being cut short voids. */
const MOST_CENSORED = 1 / 3;

/** A contrast's numbers as distances from its null towards the claim; of a ratio, of the logarithms. */
function fromClaim(contrast: Contrast, { estimate, low, high }: Estimate) {
  const sign = contrast.claim === 'above' ? 1 : -1;
  const scale = (value: number): number => (contrast.kind === 'ratio' ? log(value) : value);
  const none = scale(noneOf(contrast));
  const along = (value: number): number => sign * (scale(value) - none);
  const [near, far] = sign > 0 ? [along(low), along(high)] : [along(high), along(low)];
  /** Where its arms are alike, which may lie short of the null: "more than twice" has its null at 2. */
  const neutral = isBar(contrast) || isMargin(contrast) ? 0 : along(neutralOf(contrast));
  return { value: along(estimate), near, far, size: along(contrast.size ?? noneOf(contrast)), neutral };
}

/** What an interval says of its contrast's claim. */
export function stateOf(contrast: Contrast, found: Estimate): State {
  const { value, near, far, size, neutral } = fromClaim(contrast, found);
  const clear = near > 0 || (isBar(contrast) && near === 0);
  const otherSide = far < neutral && !isBar(contrast) && !isMargin(contrast);
  if (otherSide) return 'reversed';
  if (hasNoSize(contrast)) return clear ? 'held' : far < 0 ? 'refuted' : 'open';
  if (clear) return value >= size / 2 && far >= size ? 'held' : 'smaller';
  if (near > neutral && far < size) return 'smaller';
  if (far >= size) return 'open';
  const half = (size - neutral) / 2;
  return near > neutral - half && far < neutral + half ? NO_EFFECT : 'refuted';
}

/** All scores that a contrast reads lie on one scale: from the smallest to the largest, and to its bar or its published mean. */
function scaleOf(contrast: Contrast, scores: Scores): number {
  const bar = isBar(contrast) ? [contrast.none] : contrast.kind === 'published' ? [contrast.theirs.mean] : [];
  const all = [...armsOf(contrast).flatMap((arm) => scores[arm]!), ...bar];
  return Math.max(...all) - Math.min(...all);
}

const isAlike = (values: readonly number[], scale: number): boolean => Math.max(...values) - Math.min(...values) <= ALIKE * scale;

/** Kinds whose interval is made of how the scores of single arms vary; of correlations places or runs are the sample. */
const CORRELATIONS: readonly Contrast['kind'][] = ['rank', 'agree', 'pairs'];

/** Whether, of arms that are compared, one hardly varies beside another: all the error is that of one arm, whose second hump may not have appeared. */
function hasStill(arms: readonly string[], scores: Scores): boolean {
  const variances = arms.map((arm) => std(scores[arm]!) ** 2);
  return arms.length > 1 && Math.min(...variances) < STILL * Math.max(...variances);
}

/** Seeds below which the contrast decides nothing, with these scores. */
function fewestSeeds(contrast: Contrast, scores: Scores, steady: readonly string[]): number {
  const arms = armsOf(contrast);
  if (!isCounted(contrast)) return 0; // controls and premises claim nothing
  if (CORRELATIONS.includes(contrast.kind) || arms.every((arm) => steady.includes(arm))) return 0;
  const scale = scaleOf(contrast, scores);
  const alike = arms.some((arm) => isAlike(scores[arm]!, scale)) ? SEEDS_OF_ONE_ARM : 0;
  if (contrast.kind === 'every' || contrast.share) return alike;
  if (contrast.kind === 'published') return alike; // its interval holds their spread, too, and it may have no more seeds than they had
  const one = isBar(contrast) || isMargin(contrast) || groupsOf(contrast).some((group) => hasStill(group, scores)) ? SEEDS_OF_ONE_ARM : 0;
  return Math.max(alike, one, contrast.middle === 'mean' ? SEEDS_OF_MEANS : 0);
}

/** The state where runs were cut short: only the least that the claim may have got can hold it, only the most can refute it. */
function censoredState(contrast: Contrast, least: Estimate, most: Estimate): State {
  const [worst, best] = contrast.claim === 'above' ? [least, most] : [most, least];
  const held = stateOf(contrast, worst);
  if (held === 'held' || held === 'smaller') return held;
  const refuted = stateOf(contrast, best);
  if (refuted === NO_EFFECT) return held === NO_EFFECT ? NO_EFFECT : 'refuted';
  return refuted === 'refuted' || refuted === 'reversed' ? refuted : 'open';
}

function finding(contrast: Contrast, scores: Scores, tail: number, { upTo = {}, steady = [] }: JudgeOptions): Finding {
  const arms = armsOf(contrast);
  const level = 1 - 2 * tail;
  const of = (state: State, found: Estimate): Finding => ({ id: contrast.id, ...found, level, state });
  const found = contrastInterval(contrast, scores, tail);
  const overflown = [found.estimate, found.low, found.high].some((value) => !Number.isFinite(value));
  if (overflown)
    throw new RangeError(
      `The interval of "${contrast.id}" overflows: its scores are too large, or too far apart. Divide all scores by one number, or take their logarithms.`,
    );
  const seeds = scores[arms[0]!]!.length;
  const few = seeds < fewestSeeds(contrast, scores, steady);
  if (arms.some((arm) => upTo[arm]?.some((value) => value !== null))) {
    const least = contrastInterval(contrast, scores, tail, upTo, 'least');
    const most = contrastInterval(contrast, scores, tail, upTo, 'most');
    return of(few ? 'open' : censoredState(contrast, least, most), { estimate: found.estimate, low: least.low, high: most.high });
  }
  const state = stateOf(contrast, found);
  // one seed that misses the bar refutes "every" all the same
  if (few && (contrast.kind !== 'every' || state === 'held')) return of('open', found);
  if (contrast.kind !== 'every' || state !== 'held') return of(state, found);
  return { ...of(state, found), failsBelow: 1 - 0.05 ** (1 / seeds) };
}

/** The arms of a slope that lie above the middle of what is swept, or below it, and of those that it is taken over the others. */
function endsOf({ x, arms, over = [] }: Contrast & { readonly kind: 'slope' }, above: boolean): readonly string[] {
  const middle = x.reduce((sum, value) => sum + value, 0) / x.length;
  const sideOf = (names: readonly string[], upper: boolean) => names.filter((_, k) => (upper ? x[k]! > middle : x[k]! < middle));
  return [...sideOf(arms, above), ...sideOf(over, !above)];
}

/**
 * Arms whose runs, cut short, are counted against the claim: those with which it says that less is needed. Each list is counted together: of a
 * correlation all runs of a side are the sample, and one place that never arrives has its rank all the same.
 */
function claimedArms(contrast: Contrast): readonly (readonly string[])[] {
  const above = contrast.claim === 'above';
  switch (contrast.kind) {
    case 'difference':
    case 'ratio':
      return [[above ? contrast.over : contrast.arm]];
    case 'level':
    case 'every':
    case 'published':
      return above ? [] : [[contrast.arm]];
    case 'order':
      return [[above ? contrast.arms[contrast.arms.length - 1]! : contrast.arms[0]!]];
    case 'cells':
      return above ? [] : contrast.cells.map((cell) => [cell[0]!]);
    case 'slope':
      return endsOf(contrast, !above).map((arm) => [arm]);
    case 'rank':
      return [contrast.arms];
    case 'agree':
    case 'pairs':
      return [contrast.arms, contrast.others];
  }
}

function voidsOf(
  contrasts: readonly Contrast[],
  scores: Scores,
  findings: readonly Finding[],
  options: JudgeOptions,
): readonly ScoreVoid[] {
  const { upTo = {}, steady = [] } = options;
  const out: ScoreVoid[] = [];
  contrasts.forEach((contrast, i) => {
    const arms = armsOf(contrast);
    if (contrast.control && findings[i]!.state !== 'held')
      out.push({ check: 'control', text: `The control "${contrast.id}" is not held: ${findings[i]!.state}.` });
    const scale = scaleOf(contrast, scores);
    if (arms.length > 1 && arms.every((arm) => isAlike(scores[arm]!, scale) && !steady.includes(arm)))
      out.push({ check: 'spread', text: `No seed changes ${arms.join(', ')}: that is one run of each, not several.` });
    for (const together of claimedArms(contrast)) {
      const n = together.reduce((sum, arm) => sum + scores[arm]!.length, 0);
      const cut = together.flatMap((arm) => (upTo[arm] ?? []).slice(0, scores[arm]!.length)).filter((value) => value !== null).length;
      if (cut > MOST_CENSORED * n)
        out.push({ check: 'censored', text: `${cut} of ${n} runs of ${together.join(', ')} never arrive: more than a third.` });
    }
  });
  return out.filter(({ text }, i) => out.findIndex((other) => other.text === text) === i);
}

/** Premises that are not held, by their ids. */
const absentIn = (contrasts: readonly Contrast[], findings: readonly Pick<Finding, 'state'>[]): readonly string[] =>
  contrasts.flatMap(({ id, premise = false }, i) => (premise && findings[i]!.state !== 'held' ? [id] : []));

/** The outcome of contrasts whose checks hold. */
export function outcomeOf(contrasts: readonly Contrast[], findings: readonly Pick<Finding, 'state'>[]): Outcome {
  const [main, ...more] = findings.filter((_, i) => isCounted(contrasts[i]!)).map(({ state }) => state);
  if (main === undefined || main === 'open' || absentIn(contrasts, findings).length > 0) return 'open';
  if (main === 'refuted' || main === NO_EFFECT) return 'not shown';
  if (main === 'reversed') return 'reversed';
  if (more.some((state) => state !== 'held' && state !== 'smaller')) return 'mixed';
  return main === 'smaller' || more.includes('smaller') ? 'smaller' : 'shown';
}

/** Whether a contrast is undecided that can still change the outcome. */
function mayChange(contrasts: readonly Contrast[], findings: readonly Finding[]): boolean {
  const states = (counted: boolean): readonly State[] =>
    findings.filter((_, i) => isCounted(contrasts[i]!) === counted).map(({ state }) => state);
  const beside = states(false);
  const [main, ...more] = states(true);
  if (beside.some((state) => state !== 'held' && state !== 'open')) return false; // open whatever the others say
  if (main === 'open' || beside.includes('open')) return true;
  if (main === NO_EFFECT || main === 'reversed') return false;
  // the size is excluded: whether a smaller effect is there, more seeds may tell
  if (main === 'refuted')
    return contrasts.some((contrast, i) => isCounted(contrast) && findings[i]?.state === main && !hasNoSize(contrast));
  return more.includes('open') && more.every((state) => state === 'open' || state === 'held' || state === 'smaller');
}

/** Seeds an arm by which the interval of an open contrast would be about half as wide as from its null to its size, or to its value. */
function seedsWanted(contrast: Contrast, found: Finding, seeds: number): number {
  const { value, near, far, size } = fromClaim(contrast, found);
  const effect = Math.abs(size) || Math.abs(value);
  const needed = effect === 0 ? Number.POSITIVE_INFINITY : Math.ceil(seeds * ((far - near) / 2 / effect) ** 2);
  return Math.min(1000, Math.max(2 * seeds, needed));
}

const firstOf = <T>(all: { readonly [arm: string]: readonly T[] }, seeds: number): { readonly [arm: string]: readonly T[] } =>
  Object.fromEntries(Object.entries(all).map(([arm, values]) => [arm, values.slice(0, seeds)]));

function checkForm(contrasts: readonly Contrast[]): void {
  const counted = contrasts.filter(isCounted).length;
  if (counted < 1 || counted > MOST || contrasts.length - counted > MOST)
    throw new RangeError('An outcome stands on one to three contrasts, beside at most three controls and premises.');
  for (const contrast of contrasts) {
    const fault = faultOf(contrast);
    if (fault) throw new RangeError(`The contrast "${contrast.id}": ${fault.text}`);
  }
}

/**
 * The outcome of one to three contrasts, the main one first, and up to three controls and premises. Stops at the first look that decides; scores
 * beyond its seeds are not used. Fewer seeds of an arm than the first look: every contrast open. Throws RangeError for a contrast that cannot be
 * judged (contrasts.ts), looks that are none, and scores that cannot be compared (contrast-interval.ts) or are too large to be added.
 */
export function judge(contrasts: readonly Contrast[], scores: Scores, options: JudgeOptions = {}): Judgement {
  checkForm(contrasts);
  const looks = looksAt(options.looks ?? DEFAULT_LOOKS, options.forms);
  const seeds = Math.min(...contrasts.flatMap(armsOf).map((arm) => scores[arm]?.length ?? 0));
  const counted = contrasts.filter(isCounted).length;
  const reached = looks.filter((look) => look.seeds <= seeds);
  if (reached.length === 0) {
    const wanted = looks[0]!.seeds;
    const early =
      seeds < 2 ? [] : contrasts.map((contrast) => finding(contrast, firstOf(scores, seeds), looks[0]!.tail / counted, options));
    return { outcome: 'open', absent: [], seeds, findings: early.map((one) => ({ ...one, state: 'open' })), voids: [], wanted };
  }
  for (const [k, look] of reached.entries()) {
    const first = firstOf(scores, look.seeds);
    const now = { ...options, upTo: firstOf(options.upTo ?? {}, look.seeds) };
    const findings = contrasts.map((contrast) => finding(contrast, first, look.tail / (isCounted(contrast) ? counted : 1), now));
    const more = mayChange(contrasts, findings);
    if (more && k + 1 < reached.length) continue;
    // A look at which none of what is open can be decided yet is no help.
    const open = contrasts.filter((_, i) => findings[i]!.state === 'open');
    const least = Math.min(...open.map((contrast) => fewestSeeds(contrast, first, options.steady ?? [])));
    const next = looks.slice(k + 1).find((later) => open.length === 0 || later.seeds >= least)?.seeds;
    const undecided = contrasts.map((contrast, i) => (findings[i]!.state === 'open' ? seedsWanted(contrast, findings[i]!, look.seeds) : 0));
    const voids = voidsOf(contrasts, first, findings, now);
    const outcome = voids.length > 0 ? 'open' : outcomeOf(contrasts, findings);
    const wanted = more ? (next ?? (Math.max(...undecided) || null)) : null;
    return { outcome, absent: absentIn(contrasts, findings), seeds: look.seeds, findings, voids, wanted };
  }
  throw new RangeError('There is no look to judge at.');
}
