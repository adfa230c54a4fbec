/**
 * One sentence on how a run stands, from its own figures: where its scores began, where they are, and what the test at its end found, by the
 * rule of src/math/standing.ts. Pure.
 */
import type { Strength } from '#contract/catalog/catalog.ts';
import { capital } from '#contract/kit/capital.ts';
import { type Course, LEAST, type Scores, type Standing, standingOf } from '#math/standing.ts';
import { msg, t } from '#text/text.ts';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { STRENGTHS } from '#ui/kit/format/returns.ts';
import type { Phase } from '#ui/kit/progress.ts';

export interface Figures {
  readonly phase: Phase;
  /** Learners that ended with an error, of all; left out: all of them, where the phase says so. */
  readonly failed?: { readonly n: number; readonly all: number };
  /** Scores of each seed as they were measured, by step. */
  readonly scores: readonly Scores[];
  /** What the scores are where kept policies were tested; left out: what was scored while exploring. */
  readonly tested?: Strength;
  /** Steps that each seed is given. */
  readonly budget: number;
  /** Returns of the test at the end, always the best action, over all seeds; null: there is none yet. */
  readonly test: number | null;
  /** The mean return of the best policy there is, which a test of a few episodes can exceed; null: not known. */
  readonly optimal: number | null;
}

/** Start and end differ, but not by more than their scatter. */
const GOES_ON_BY_CHANCE = msg(
  'After {steps} steps the score is about {now} a try; at the start it was {start}. So far the difference can be chance.',
);
const ENDED_BY_CHANCE = msg('Done. At the start the score was {start} a try, at the end {now}; the difference can be chance.');

const GOES_ON: { readonly [course in Course]: string } = {
  up: msg('After {steps} steps the score is about {now} a try, better than at the start: {start}.'),
  same: msg('After {steps} steps the score is still about {now} a try, as at the start.'),
  down: msg('After {steps} steps the score is about {now} a try, lower than at the start: {start}.'),
  fell: msg('After {steps} steps the score is about {now} a try. It had reached {best} before.'),
};
const ENDED: { readonly [course in Course]: string } = {
  up: msg('Done, better than at the start: the score went from {start} a try to {now}.'),
  same: msg('Done, and nothing was gained: the score is about {now} a try, as at the start.'),
  down: msg('Done, and it got worse: from {start} a try at the start to {now}.'),
  fell: msg('Done, after a fall: the score had reached {best} a try and ended at {now}.'),
};

/** The same of tests: `what` names what was tested. */
const TESTS_GO_ON: { readonly [course in Course | 'chance']: string } = {
  up: msg('{what}: {now} after {steps} steps, better than at the start ({start}).'),
  same: msg('{what}: {now} after {steps} steps, as at the start.'),
  chance: msg('{what}: {now} after {steps} steps, {start} at the start. So far the difference can be chance.'),
  down: msg('{what}: {now} after {steps} steps, worse than at the start ({start}).'),
  fell: msg('{what}: {now} after {steps} steps. It had reached {best} before.'),
};
const TESTS_ENDED: { readonly [course in Course | 'chance']: string } = {
  up: msg('Done, better than at the start. {what}: {start} at the start, {now} at the end.'),
  same: msg('Done, and nothing was gained. {what}: {now}, as at the start.'),
  chance: msg('Done. {what}: {start} at the start, {now} at the end; the difference can be chance.'),
  down: msg('Done, and it got worse. {what}: {start} at the start, {now} at the end.'),
  fell: msg('Done, after a fall. {what}: it had reached {best} and ended at {now}.'),
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

/** Of tests beside the run; null: too few were made. */
function testsInWords({ scores, budget, phase }: Figures, kind: Strength): string | null {
  const standing = standingOf(scores, budget);
  if (standing === null) return phase === 'running' || phase === 'paused' ? t('What it has learned is tested beside the training.') : null;
  const { course, near, start, now, best, steps, learners } = standing;
  const figure = kind === 'share of wins against random' ? (value: number) => percent(Math.round(100 * value)) : round;
  const words = (phase === 'done' ? TESTS_ENDED : TESTS_GO_ON)[course === 'same' && !near ? 'chance' : course];
  const said = t(words, {
    what: capital(t(STRENGTHS[kind].title)),
    steps: compact(steps),
    start: figure(start),
    now: figure(now),
    best: figure(best),
  });
  return learners > 1 ? `${said} ${t('These are means of {n} learners.', { n: learners })}` : said;
}

/** The sentence; null: nothing is measured yet. */
export function momentOf(figures: Figures): string | null {
  const { phase, optimal, failed } = figures;
  const test = figures.test !== null && Number.isFinite(figures.test) ? figures.test : null;
  if (phase === 'failed' && failed !== undefined && failed.n < failed.all)
    return t('{n} of {all} learners stopped with an error; what was learned before that is kept.', { n: failed.n, all: failed.all });
  if (phase === 'failed') return t('Training stopped with an error; what was learned before it is kept.');
  if (figures.tested !== undefined) return testsInWords(figures, figures.tested);
  const standing = standingOf(figures.scores, figures.budget);
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
