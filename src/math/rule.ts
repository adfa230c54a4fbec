/**
 * What runs of several arms say about a claim: the state of every contrast, and the word for all of them.
 *
 * The first contrast that is no control is the main one: "reproduced" and "partly" need it clear of no effect on the claimed side. Controls
 * stand outside the count; one that is not held voids. Intervals are shared out among the other contrasts (Bonferroni) and adjusted for the
 * looks (looks.ts), so that the probability of "reproduced" or "partly" stays below 0.05 where the main effect is absent or reversed.
 * `npm run bench -- verdicts` measures this on simulated scores. Looks go on while a contrast is open that can still change the word.
 */
import { contrastInterval, type Estimate } from './contrast-interval.ts';
import { armsOf, type Contrast, faultOf, hasNoSize, isBar, isOneArm, noneOf, type Scores, type UpTo } from './contrasts.ts';
import { log } from './functions.ts';
import { looksAt, SEEDS_OF_LOOKS } from './looks.ts';

/** Raised when the same scores may get another word: part of every rule's hash. 1: until November 2026. 3: rivals at the ceiling, still rising, or alike void. 4: correlations and slopes with runs that were cut short. */
export const JUDGE_VERSION = 4;

/** What an interval inside plus or minus the size says. */
export const NO_EFFECT = 'no effect of that size';

/**
 * held: clear of no effect on the claimed side, the estimate at least half of the size, the size not excluded.  smaller: clear on that side.
 * no effect of that size: the interval lies inside plus or minus the size.  refuted: it ends short of the size.  open: none of these.
 */
export const STATES = ['held', 'smaller', NO_EFFECT, 'refuted', 'open'] as const;
export type State = (typeof STATES)[number];

export type Verdict = 'reproduced' | 'partly' | 'not reproduced' | 'inconclusive';

/** Why "partly": smaller than claimed, a further contrast is not held, a part of the claim is not tested here. Or how "not reproduced". */
export const PARTS = ['smaller', 'not all', 'not all tested', NO_EFFECT] as const;
export type Part = (typeof PARTS)[number];

export interface Finding extends Estimate {
  readonly id: string;
  /** Confidence level of the interval on its own, after the adjustments. */
  readonly level: number;
  readonly state: State;
  /** Of `every` that is held: the share of seeds below which failures lie at 95 % (1 - 0.05^(1/n)). */
  readonly failsBelow?: number;
}

/** What voids a verdict that scores alone can show. */
export interface ScoreVoid {
  readonly check: 'control' | 'spread' | 'censored';
  readonly text: string;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly parts: readonly Part[];
  /** Seeds of every arm that the verdict stands on. */
  readonly seeds: number;
  readonly findings: readonly Finding[];
  readonly voids: readonly ScoreVoid[];
  /** Where more seeds could change the word: how many an arm should have in all. null: decided. */
  readonly wanted: number | null;
}

export interface JudgeOptions {
  /** Seeds of the looks, fixed before the first seed. Default: 5, 10, 20, 40. */
  readonly looks?: readonly number[];
  /** Runs that were cut short. */
  readonly upTo?: UpTo;
  /** Arms that a seed need not change: without chance, or an optimum that is reached exactly. */
  readonly steady?: readonly string[];
  /** A named part of the claim is not tested here. */
  readonly untested?: boolean;
}

/** "partly: smaller, not all". */
export const wordOf = ({ verdict, parts }: { readonly verdict: Verdict; readonly parts: readonly Part[] }): string =>
  parts.length === 0 ? verdict : `${verdict}: ${parts.join(', ')}`;

/** The most contrasts of a claim, and the most of its controls. */
const MOST = 3;
/** One arm against a bar, alike on fewer seeds than this, decides nothing. */
const SEEDS_WITHOUT_SPREAD = SEEDS_OF_LOOKS[1];
/** Share of runs of the claimed arm above which their being cut short voids. */
const MOST_CENSORED = 1 / 3;

/** A contrast's numbers as distances from its null towards the claim; of a ratio, of the logarithms. */
function fromClaim(contrast: Contrast, { estimate, low, high }: Estimate) {
  const sign = contrast.claim === 'above' ? 1 : -1;
  const scale = (value: number): number => (contrast.kind === 'ratio' ? log(value) : value);
  const none = scale(noneOf(contrast));
  const along = (value: number): number => sign * (scale(value) - none);
  const [near, far] = sign > 0 ? [along(low), along(high)] : [along(high), along(low)];
  return { value: along(estimate), near, far, size: along(contrast.size ?? noneOf(contrast)) };
}

/** What an interval says of its contrast's claim. */
export function stateOf(contrast: Contrast, found: Estimate): State {
  const { value, near, far, size } = fromClaim(contrast, found);
  const clear = near > 0 || (isBar(contrast) && near === 0);
  if (hasNoSize(contrast)) return clear ? 'held' : far < 0 ? 'refuted' : 'open';
  if (clear) return value >= size / 2 && far >= size ? 'held' : 'smaller';
  if (near > -size && far < size) return NO_EFFECT;
  return far < size ? 'refuted' : 'open';
}

const alike = (values: readonly number[]): boolean => values.every((value) => value === values[0]);

/** The state where runs were cut short: only the least that the claim may have got can hold it, only the most can refute it. */
function censoredState(contrast: Contrast, least: Estimate, most: Estimate): State {
  const [worst, best] = contrast.claim === 'above' ? [least, most] : [most, least];
  const held = stateOf(contrast, worst);
  if (held === 'held' || held === 'smaller') return held;
  const refuted = stateOf(contrast, best);
  if (refuted === NO_EFFECT) return held === NO_EFFECT ? NO_EFFECT : 'refuted';
  return refuted === 'refuted' ? 'refuted' : 'open';
}

function finding(contrast: Contrast, scores: Scores, tail: number, { upTo = {}, steady = [] }: JudgeOptions): Finding {
  const arms = armsOf(contrast);
  const level = 1 - 2 * tail;
  const of = (state: State, found: Estimate): Finding => ({ id: contrast.id, ...found, level, state });
  const found = contrastInterval(contrast, scores, tail);
  if (arms.some((arm) => upTo[arm]?.some((value) => value !== null))) {
    const least = contrastInterval(contrast, scores, tail, upTo, 'least');
    const most = contrastInterval(contrast, scores, tail, upTo, 'most');
    return of(censoredState(contrast, least, most), { estimate: found.estimate, low: least.low, high: most.high });
  }
  const state = stateOf(contrast, found);
  if (!isOneArm(contrast)) return of(state, found);
  const values = scores[contrast.arm]!;
  const same = values.length < SEEDS_WITHOUT_SPREAD && alike(values) && !steady.includes(contrast.arm);
  // one seed that misses the bar refutes "every" all the same
  if (same && (contrast.kind !== 'every' || state === 'held')) return of('open', found);
  if (contrast.kind !== 'every' || state !== 'held') return of(state, found);
  return { ...of(state, found), failsBelow: 1 - 0.05 ** (1 / values.length) };
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
    if (arms.length > 1 && arms.every((arm) => alike(scores[arm]!) && !steady.includes(arm)))
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

/** The word for contrasts whose checks hold. */
function verdictOf(contrasts: readonly Contrast[], findings: readonly Finding[], untested: boolean): Pick<Judgement, 'verdict' | 'parts'> {
  const [main, ...more] = findings.filter((_, i) => !contrasts[i]!.control).map(({ state }) => state);
  if (main === 'open') return { verdict: 'inconclusive', parts: [] };
  if (main === 'refuted') return { verdict: 'not reproduced', parts: [] };
  if (main === NO_EFFECT) return { verdict: 'not reproduced', parts: [NO_EFFECT] };
  const parts: Part[] = [];
  if (main === 'smaller') parts.push('smaller');
  if (more.some((state) => state !== 'held')) parts.push('not all');
  if (untested) parts.push('not all tested');
  return { verdict: parts.length === 0 ? 'reproduced' : 'partly', parts };
}

/** Whether a contrast is open that can still change the word. */
function mayChange(contrasts: readonly Contrast[], findings: readonly Finding[]): boolean {
  const states = (control: boolean): readonly State[] =>
    findings.filter((_, i) => (contrasts[i]!.control ?? false) === control).map(({ state }) => state);
  const controls = states(true);
  const [main, ...more] = states(false);
  if (controls.some((state) => state !== 'held' && state !== 'open')) return false; // void whatever the others say
  if (main === 'open' || controls.includes('open')) return true;
  if (main === 'refuted' || main === NO_EFFECT) return false;
  return more.includes('open') && more.every((state) => state === 'open' || state === 'held');
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
  const counted = contrasts.filter(({ control }) => !control).length;
  if (counted < 1 || counted > MOST || contrasts.length - counted > MOST)
    throw new RangeError('A verdict stands on one to three contrasts, beside at most three controls.');
  for (const contrast of contrasts) {
    const fault = faultOf(contrast);
    if (fault) throw new RangeError(`The contrast "${contrast.id}": ${fault.text}`);
  }
}

/**
 * The verdict on one to three contrasts, the main one first, and up to three controls. Stops at the first look that decides; scores beyond
 * its seeds are not used. Fewer seeds of an arm than the first look: inconclusive, every contrast open. Throws RangeError for a contrast that
 * cannot be judged (contrasts.ts), looks that are none, and scores that cannot be compared (contrast-interval.ts).
 */
export function judge(contrasts: readonly Contrast[], scores: Scores, options: JudgeOptions = {}): Judgement {
  checkForm(contrasts);
  const looks = looksAt(options.looks ?? SEEDS_OF_LOOKS);
  const seeds = Math.min(...contrasts.flatMap(armsOf).map((arm) => scores[arm]?.length ?? 0));
  const counted = contrasts.filter(({ control }) => !control).length;
  const reached = looks.filter((look) => look.seeds <= seeds);
  if (reached.length === 0) {
    const wanted = looks[0]!.seeds;
    const early =
      seeds < 2 ? [] : contrasts.map((contrast) => finding(contrast, firstOf(scores, seeds), looks[0]!.tail / counted, options));
    return { verdict: 'inconclusive', parts: [], seeds, findings: early.map((one) => ({ ...one, state: 'open' })), voids: [], wanted };
  }
  for (const [k, look] of reached.entries()) {
    const first = firstOf(scores, look.seeds);
    const now = { ...options, upTo: firstOf(options.upTo ?? {}, look.seeds) };
    const findings = contrasts.map((contrast) => finding(contrast, first, look.tail / (contrast.control ? 1 : counted), now));
    const more = mayChange(contrasts, findings);
    if (more && k + 1 < reached.length) continue;
    const next = looks[k + 1]?.seeds;
    const undecided = contrasts.map((contrast, i) => (findings[i]!.state === 'open' ? seedsWanted(contrast, findings[i]!, look.seeds) : 0));
    const voids = voidsOf(contrasts, first, findings, now);
    const word =
      voids.length > 0 ? ({ verdict: 'inconclusive', parts: [] } as const) : verdictOf(contrasts, findings, options.untested ?? false);
    return { ...word, seeds: look.seeds, findings, voids, wanted: more ? (next ?? Math.max(...undecided)) : null };
  }
  throw new RangeError('There is no look to judge at.');
}
