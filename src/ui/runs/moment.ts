/**
 * One sentence on how a run stands, from its own figures: where its scores began, where they are, and what the test at its end found. Pure. It
 * praises nothing: a rise counts only where it is larger than the scatter of the scores, and a fall from the best is said.
 */
import { msg, t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import type { Phase } from '#ui/kit/progress.ts';

export interface Scores {
  readonly steps: ArrayLike<number>;
  /** Each the mean of the last hundred episodes, where `episodes` counts them. */
  readonly values: ArrayLike<number>;
  /** Episodes finished at each step; left out: every value stands for itself. */
  readonly episodes?: ArrayLike<number>;
}

export interface Figures {
  readonly phase: Phase;
  /** Learners that ended with an error, of all; left out: all of them, where the phase says so. */
  readonly failed?: { readonly n: number; readonly all: number };
  /** Scores of each seed as they were measured, by step. */
  readonly scores: readonly Scores[];
  /** Steps that each seed is given. */
  readonly budget: number;
  /** Returns of the test at the end, always the best action, over all seeds; null: there is none yet. */
  readonly test: number | null;
  /** The mean return of the best policy there is, which a test of a few episodes can exceed; null: not known. */
  readonly optimal: number | null;
}

/** Shares of the budget that count as the start, and as now. */
const START = 0.02;
const NOW = 0.05;
/** A difference below this share of the scores' own size is none. */
const LEAST = 0.05;
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
const widthAt = (last: number, budget: number): number => Math.min(NOW * budget, 2 * NOW * last);

/** Rows of a seed whose step is in (from, to]. */
function within({ steps, values }: Scores, from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < steps.length; i++) if (steps[i]! > from && steps[i]! <= to && Number.isFinite(values[i]!)) found.push(i);
  return found;
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
    parts.push({ mean: rows.reduce((sum, i) => sum + scores.values[i]!, 0) / rows.length, square: variance / behind(scores, rows) });
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

/** Where a run began and where it is; null: too little is measured to say. */
export function standingOf(figures: Figures): Standing | null {
  const { budget } = figures;
  const seeds = figures.scores
    .filter(({ steps }) => steps.length > 0)
    .map((scores) => {
      // Each seed has a start and an end of its own: its first score stands where its first episode ended, and seeds run at their own pace.
      const begun = Math.max(scores.steps[0]!, START * budget);
      const last = scores.steps[scores.steps.length - 1]!;
      const now = within(scores, Math.max(begun, last - widthAt(last, budget)), last);
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
  const width = widthAt(end, budget);
  for (let to = end; to - width >= least && width > 0; to -= width) {
    const part = summed(seeds, (at) => within(seeds[at]!.scores, to - width, to));
    if (part !== null && part.mean > best.mean) best = part;
  }
  const size = Math.max(Math.abs(start.mean), Math.abs(now.mean), Math.abs(best.mean));
  const noise = (a: Window, b: Window, apart: number): number => Math.max(LEAST * size, apart * Math.hypot(a.error, b.error));
  const rise = best.mean - start.mean;
  const fell = rise > noise(best, start, BEST_APART) && best.mean - now.mean > Math.max(FALL * rise, noise(best, now, BEST_APART));
  const change = now.mean - start.mean;
  const course = fell ? 'fell' : Math.abs(change) <= noise(now, start, APART) ? 'same' : change > 0 ? 'up' : 'down';
  const steps = seeds.reduce((sum, { last }) => sum + last, 0) / seeds.length;
  const near = Math.abs(change) <= LEAST * size;
  return { course, near, start: start.mean, now: now.mean, best: best.mean, learners: seeds.length, steps };
}

/** Start and end differ, but not by more than their scatter. */
const GOES_ON_BY_CHANCE = msg(
  'After {steps} steps the score is about {now} a try; at the start it was {start}. So far the difference can be chance.',
);
const ENDED_BY_CHANCE = msg('Done. At the start the score was {start} a try, at the end {now}; the difference can be chance.');

const GOES_ON: { readonly [course in Course]: string } = {
  up: msg('After {steps} steps the score is about {now} a try; at the start it was {start}.'),
  same: msg('After {steps} steps the score is still about {now} a try, as at the start.'),
  down: msg('After {steps} steps the score is about {now} a try, lower than at the start: {start}.'),
  fell: msg('After {steps} steps the score is about {now} a try. It had reached {best} before.'),
};
const ENDED: { readonly [course in Course]: string } = {
  up: msg('Done. At the start the score was {start} a try, at the end {now}.'),
  same: msg('Done, and nothing was gained: the score is about {now} a try, as at the start.'),
  down: msg('Done, and it got worse: from {start} a try at the start to {now}.'),
  fell: msg('Done, after a fall: the score had reached {best} a try and ended at {now}.'),
};

/** Where the test found more than the scores while it explored, they alone say nothing of what was learned. */
const EXPLORED = msg('Done. While it explored, the score went from {start} a try to {now}.');
const EXPLORED_ALIKE = msg('Done. While it explored, the score stayed at about {now} a try.');

function sentenceOf({ course, near }: Standing, done: boolean, hidden: boolean): string {
  const chance = course === 'same' && !near;
  if (!done) return chance ? GOES_ON_BY_CHANCE : GOES_ON[course];
  if (hidden) return near ? EXPLORED_ALIKE : EXPLORED;
  return chance ? ENDED_BY_CHANCE : ENDED[course];
}

const round = (value: number): string => measure(value, 3);

/** The sentence; null: nothing is measured yet. */
export function momentOf(figures: Figures): string | null {
  const { phase, optimal, failed } = figures;
  const test = figures.test !== null && Number.isFinite(figures.test) ? figures.test : null;
  if (phase === 'failed' && failed !== undefined && failed.n < failed.all)
    return t('{n} of {all} learners stopped with an error; what was learned before that is kept.', { n: failed.n, all: failed.all });
  if (phase === 'failed') return t('Training stopped with an error; what was learned before it is kept.');
  const standing = standingOf(figures);
  const running = phase === 'running' || phase === 'paused';
  const tested =
    phase !== 'done' || test === null
      ? null
      : optimal === null || test > optimal
        ? t('Tested with its best action each time: {test}.', { test: round(test) })
        : t('Tested with its best action each time: {test}; the best possible is {optimal}.', {
            test: round(test),
            optimal: round(optimal),
          });
  if (standing === null) {
    if (running) return t('So far too few tries have ended to say more.');
    return tested === null ? null : `${t('Done, after too few tries to say whether it learned.')} ${tested}`;
  }
  const { course, start, now, best, learners, steps } = standing;
  const values = { steps: compact(steps), start: round(start), now: round(now), best: round(best) };
  const parts: string[] = [];
  const hidden = course !== 'up' && test !== null && test - start > LEAST * Math.max(Math.abs(test), Math.abs(start));
  parts.push(t(sentenceOf(standing, phase === 'done', hidden), values));
  if (learners > 1) parts.push(t('These are means of {n} learners.', { n: learners }));
  if (tested !== null) parts.push(tested);
  return parts.join(' ');
}
