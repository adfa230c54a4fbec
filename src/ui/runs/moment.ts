/**
 * One sentence on how a run stands, from its own figures: where its scores began, where they are, and what the test at its end found. Pure. It
 * praises nothing: a rise counts only where it is larger than the scatter of the scores, and a fall from the best is said.
 */
import { msg, t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import type { Phase } from '#ui/kit/progress.ts';

export interface Figures {
  readonly phase: Phase;
  /** Scores of each seed as they were measured, by step. */
  readonly scores: readonly { readonly steps: ArrayLike<number>; readonly values: ArrayLike<number> }[];
  /** Steps that each seed is given. */
  readonly budget: number;
  /** Steps of a seed so far, the mean over those that have begun. */
  readonly steps: number;
  /** Returns of the test at the end, always the best action, over all seeds; null: there is none yet. */
  readonly test: number | null;
  /** The return of the best policy there is; null: not known. */
  readonly optimal: number | null;
}

/** Shares of the budget that count as the start, and as now. */
const START = 0.02;
const NOW = 0.05;
/** A difference below this share of the scores' own size is none. */
const LEAST = 0.05;
/** What is lost of the rise before it is called a fall. */
const FALL = 0.35;

interface Window {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

type Scores = Figures['scores'][number];

/** Scores whose step is in (from, to]. */
function within({ steps, values }: Scores, from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < steps.length; i++) if (steps[i]! > from && steps[i]! <= to && Number.isFinite(values[i]!)) found.push(values[i]!);
  return found;
}

/** The mean over seeds of their means: seeds differ, and each is compared with itself, so only the scatter within seeds counts as error. */
function summed(seeds: readonly (readonly number[])[]): Window | null {
  const parts = seeds
    .filter(({ length }) => length > 0)
    .map((found) => {
      const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
      const variance = found.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, found.length - 1);
      return { mean, square: variance / found.length };
    });
  if (parts.length === 0) return null;
  return {
    mean: parts.reduce((sum, { mean }) => sum + mean, 0) / parts.length,
    error: Math.sqrt(parts.reduce((sum, { square }) => sum + square, 0)) / parts.length,
  };
}

export type Course = 'up' | 'same' | 'down' | 'fell';

export interface Standing {
  readonly course: Course;
  readonly start: number;
  readonly now: number;
  readonly best: number;
}

/** Where a run began and where it is; null: too little is measured to say. */
export function standingOf(figures: Figures): Standing | null {
  const all = figures.scores.filter(({ steps }) => steps.length > 0);
  if (all.length === 0) return null;
  // Each seed has a start of its own: the first score stands where its first episode ended.
  const starts = all.map(({ steps }) => Math.max(steps[0]!, START * figures.budget));
  const begun = Math.max(...starts);
  const last = Math.max(...all.map(({ steps }) => steps[steps.length - 1]!));
  const start = summed(all.map((one, i) => within(one, Number.NEGATIVE_INFINITY, starts[i]!)));
  const between = (from: number, to: number): Window | null => summed(all.map((one) => within(one, from, to)));
  const now = between(Math.max(begun, last - NOW * figures.budget), last);
  if (start === null || now === null) return null;
  let best: Window = now;
  for (let from = begun; from < last; from += NOW * figures.budget) {
    const part = between(from, from + NOW * figures.budget);
    if (part !== null && part.mean > best.mean) best = part;
  }
  const size = Math.max(Math.abs(start.mean), Math.abs(now.mean), Math.abs(best.mean));
  const least = (a: Window, b: Window): number => Math.max(LEAST * size, 2 * Math.hypot(a.error, b.error));
  const rise = best.mean - start.mean;
  const fell = rise > least(best, start) && best.mean - now.mean > Math.max(FALL * rise, least(best, now));
  const change = now.mean - start.mean;
  const course = fell ? 'fell' : Math.abs(change) <= least(now, start) ? 'same' : change > 0 ? 'up' : 'down';
  return { course, start: start.mean, now: now.mean, best: best.mean };
}

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

/** The sentence; null: nothing is measured yet. */
export function momentOf(figures: Figures): string | null {
  const { phase, scores, steps, test, optimal } = figures;
  if (phase === 'failed') return t('Training stopped with an error; what was learned before it is kept.');
  const standing = standingOf(figures);
  const running = phase === 'running' || phase === 'paused';
  if (standing === null) return running ? t('It has just begun: there are too few tries to say more.') : null;
  const { course, start, now, best } = standing;
  const round = (value: number): string => measure(value, 3);
  const values = { steps: compact(steps), start: round(start), now: round(now), best: round(best) };
  const parts: string[] = [];
  const hidden = course !== 'up' && test !== null && test - start > LEAST * Math.max(Math.abs(test), Math.abs(start));
  parts.push(t(phase !== 'done' ? GOES_ON[course] : hidden ? EXPLORED : ENDED[course], values));
  if (scores.length > 1) parts.push(t('These are means of {n} learners.', { n: scores.length }));
  if (phase === 'done' && test !== null) {
    parts.push(
      optimal === null
        ? t('Tested with its best action each time: {test}.', { test: round(test) })
        : t('Tested with its best action each time: {test}; the best possible is {optimal}.', {
            test: round(test),
            optimal: round(optimal),
          }),
    );
  }
  return parts.join(' ');
}
