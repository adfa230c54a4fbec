/**
 * Where a run began and where it is, from its own scores alone. It praises nothing: a rise counts only where it is larger than the scatter of the
 * scores, and a fall from the best is said.
 */

export interface Scores {
  readonly steps: ArrayLike<number>;
  /** Each the mean of the last hundred episodes, where `episodes` counts them. */
  readonly values: ArrayLike<number>;
  /** Episodes finished at each step; left out: every value stands for itself. */
  readonly episodes?: ArrayLike<number>;
  /** Standard error of each value, where each was tested by itself: the first is then the start. Left out: found from the scatter of the values. */
  readonly errors?: ArrayLike<number>;
}

/** Shares of the budget that count as the start, and as now. */
const START = 0.02;
const NOW = 0.05;
/** The same where kept policies were tested, which lie farther apart: where a best is sought. */
const NOW_TESTED = 0.15;
/** Tries that are the start where they are over sooner. */
const FIRST_TRIES = 100;
/** A difference below this share of the scores' own size is none. */
export const LEAST = 0.05;
/** What is lost of the rise before it is called a fall. */
const FALL = 0.35;

/** Standard errors between two means that differ; more of them for the best of many windows, some of which are high by chance. */
const APART = 2;
const BEST_APART = 4;
/** Episodes behind a measured score, at most: a score shares most of them with the one before. */
const AVERAGED = 100;

interface Window {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

/** Steps that count as now: scores of the first steps change too fast for a share of the whole budget. */
const widthAt = (last: number, budget: number, now: number): number => Math.min(now * budget, 2 * now * last);

/** Rows of a seed whose step is in (from, to]. */
function within({ steps, values }: Scores, from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < steps.length; i++) if (steps[i]! > from && steps[i]! <= to && Number.isFinite(values[i]!)) found.push(i);
  return found;
}

/** The step at which the first tries had ended: what is learned in a few hundred of them is learned long before a share of a large budget is spent. */
function firstTries({ steps, episodes }: Scores): number {
  if (episodes === undefined) return Number.POSITIVE_INFINITY;
  for (let i = 0; i < steps.length; i++) if (episodes[i]! >= FIRST_TRIES) return steps[i]!;
  return Number.POSITIVE_INFINITY;
}

/**
 * Variance of a single episode's score around the course, from the differences of neighbouring rows: two means of `a` and `b` episodes that have
 * `shared` in common differ by a variance of 1/a + 1/b - 2 shared / (a b) times that of one.
 */
function varianceOf({ values, episodes }: Scores): number {
  let squares = 0;
  let parts = 0;
  for (let i = 1; i < values.length; i++) {
    const square = (values[i]! - values[i - 1]!) ** 2;
    const [before, after] = episodes === undefined ? [i, i + 1] : [episodes[i - 1]!, episodes[i]!];
    const [a, b] = episodes === undefined ? [1, 1] : [Math.min(AVERAGED, before), Math.min(AVERAGED, after)];
    const shared = episodes === undefined ? 0 : Math.max(0, Math.min(a, b - (after - before)));
    const part = 1 / a + 1 / b - (2 * shared) / (a * b);
    if (!Number.isFinite(square) || !(part > 0) || !Number.isFinite(part)) continue;
    squares += square;
    parts += part;
  }
  return parts === 0 ? 0 : squares / parts;
}

/** How many episodes are behind these rows. */
function behind({ episodes }: Scores, rows: readonly number[]): number {
  if (episodes === undefined) return rows.length;
  return Math.max(1, episodes[rows[rows.length - 1]!]! - Math.max(0, episodes[rows[0]!]! - AVERAGED));
}

/** Square of the standard error of the mean of these rows. */
function squareOf(scores: Scores, variance: number, rows: readonly number[]): number {
  const { errors } = scores;
  if (errors === undefined) return variance / behind(scores, rows);
  return rows.reduce((sum, i) => sum + errors[i]! ** 2, 0) / rows.length ** 2;
}

interface Seed {
  readonly scores: Scores;
  readonly variance: number;
}

/**
 * The mean over seeds of their means: seeds differ, and each is compared with itself, so only the scatter within seeds counts as error. null: a
 * seed has no score in it.
 */
function summed(seeds: readonly Seed[], rowsOf: (at: number) => readonly number[]): Window | null {
  const parts: { readonly mean: number; readonly square: number }[] = [];
  for (const [at, { scores, variance }] of seeds.entries()) {
    const rows = rowsOf(at);
    if (rows.length === 0) return null;
    parts.push({ mean: rows.reduce((sum, i) => sum + scores.values[i]!, 0) / rows.length, square: squareOf(scores, variance, rows) });
  }
  if (parts.length === 0) return null;
  return {
    mean: parts.reduce((sum, { mean }) => sum + mean, 0) / parts.length,
    error: Math.sqrt(parts.reduce((sum, { square }) => sum + square, 0)) / parts.length,
  };
}

export type Course = 'up' | 'same' | 'down' | 'fell';

export interface Standing {
  readonly course: Course;
  /** What is now is what was at the start, to a few per cent; false in the course 'same': they differ, by no more than such scores scatter. */
  readonly near: boolean;
  readonly start: number;
  readonly now: number;
  readonly best: number;
  /** Learners that have come beyond their start; all figures are means over these. */
  readonly learners: number;
  /** How far they have come. */
  readonly steps: number;
}

/** Where a run began and where it is; null: too little is measured to say. `scores`: of each seed, as they were measured, by step. `budget`: steps that each seed is given. */
export function standingOf(scores: readonly Scores[], budget: number): Standing | null {
  const share = scores.some(({ errors }) => errors !== undefined) ? NOW_TESTED : NOW;
  const seeds = scores
    .filter(({ steps }) => steps.length > 0)
    .map((scores) => {
      // Each seed has a start and an end of its own: its first score stands where its first episode ended, and seeds run at their own pace.
      const begun = Math.max(scores.steps[0]!, scores.errors === undefined ? Math.min(START * budget, firstTries(scores)) : 0);
      const last = scores.steps[scores.steps.length - 1]!;
      // Of tests the newest alone: the figure that the line and the table show at its end.
      const from = scores.errors === undefined ? last - widthAt(last, budget, NOW) : (scores.steps[scores.steps.length - 2] ?? begun);
      const now = within(scores, Math.max(begun, from), last);
      return { scores, begun, last, start: within(scores, Number.NEGATIVE_INFINITY, begun), now, variance: varianceOf(scores) };
    })
    .filter((seed) => seed.start.length > 0 && seed.now.length > 0);
  const start = summed(seeds, (at) => seeds[at]!.start);
  const now = summed(seeds, (at) => seeds[at]!.now);
  if (start === null || now === null) return null;
  let best: Window = now;
  // Backwards from the end, each as long as the newest: while scores rise, a shorter one at the end would stand above that.
  const end = Math.min(...seeds.map(({ last }) => last));
  const least = Math.max(...seeds.map(({ begun }) => begun));
  const width = widthAt(end, budget, share);
  for (let to = end; to - width >= least && width > 0; to -= width) {
    const part = summed(seeds, (at) => within(seeds[at]!.scores, to - width, to));
    if (part !== null && part.mean > best.mean) best = part;
  }
  const size = Math.max(Math.abs(start.mean), Math.abs(now.mean), Math.abs(best.mean));
  const noise = (a: Window, b: Window, apart: number): number => Math.max(LEAST * size, apart * Math.sqrt(a.error ** 2 + b.error ** 2));
  const rise = best.mean - start.mean;
  const fell = rise > noise(best, start, BEST_APART) && best.mean - now.mean > Math.max(FALL * rise, noise(best, now, BEST_APART));
  const change = now.mean - start.mean;
  const course = fell ? 'fell' : Math.abs(change) <= noise(now, start, APART) ? 'same' : change > 0 ? 'up' : 'down';
  const steps = seeds.reduce((sum, { last }) => sum + last, 0) / seeds.length;
  const near = Math.abs(change) <= LEAST * size;
  return { course, near, start: start.mean, now: now.mean, best: best.mean, learners: seeds.length, steps };
}
