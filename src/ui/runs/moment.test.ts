import { expect, test } from 'vitest';
import { standingOf } from '#math/standing.ts';
import { type Figures, momentOf } from './moment.ts';

/** Scores every 100 of 10,000 steps; `noise` alternates around the course. */
const seed = (course: (share: number) => number, noise = 0, until = 1) => {
  const steps = Array.from({ length: Math.round(100 * until) }, (_, i) => 100 * (i + 1));
  return { steps, values: steps.map((step, i) => course(step / 10_000) + (i % 2 === 0 ? noise : -noise)) };
};
const figures = (more: Partial<Figures>): Figures => ({
  phase: 'running',
  scores: [],
  budget: 10_000,
  test: null,
  optimal: null,
  ...more,
});
const courseOf = (more: Partial<Figures>) => standingOf(figures(more).scores, figures(more).budget)?.course;

test('nothing is said before anything is measured, and little at first', () => {
  expect(momentOf(figures({ phase: 'done' }))).toBeNull();
  expect(momentOf(figures({}))).toBe('So far too few tries have ended to say more.');
  expect(momentOf(figures({ scores: [{ steps: [100], values: [20] }] }))).toMatch(/too few/);
  expect(momentOf(figures({ phase: 'done', test: 0.59, optimal: 1 }))).toBe(
    'Done, after too few tries to say whether it learned. Tested with its best action each time: 0.59; the best possible is 1.',
  );
});

test('a rise, with its figures; with several learners they are means, and say so', () => {
  const rising = [seed((x) => 20 + 400 * x), seed((x) => 24 + 400 * x)];
  expect(momentOf(figures({ scores: rising }))).toBe(
    'After 10\u202fk steps the score is about 414 a try, better than at the start: 28. These are means of 2 learners.',
  );
  expect(momentOf(figures({ phase: 'done', scores: [rising[0]!], test: 431.2, optimal: 500 }))).toBe(
    'Done, better than at the start: the score went from 26 a try to 412. Tested with its best action each time: 431; the best possible is 500.',
  );
});

test('what is within the scatter of the scores is no rise', () => {
  expect(courseOf({ scores: [seed((x) => 20 + 2 * x, 15)] })).toBe('same');
  expect(courseOf({ scores: [seed(() => -50, 0)] })).toBe('same');
  expect(momentOf(figures({ phase: 'done', scores: [seed(() => 22, 3)], test: 9.3 }))).toMatch(
    /^Done, and nothing was gained: the score is about 2[12].* Tested with its best action each time: 9\.3\.$/,
  );
});

test('a difference within the scatter is said with both figures; scores that stay while the test is better are said to stay', () => {
  const few = { scores: [{ steps: [100, 300], values: [0.7, 0.12], episodes: [3, 6] }] };
  expect(momentOf(figures(few))).toMatch(
    /^After 300 steps the score is about 0\.12 a try; at the start it was 0\.7\. So far the difference can be chance\.$/,
  );
  expect(momentOf(figures({ ...few, phase: 'done' }))).toBe(
    'Done. At the start the score was 0.7 a try, at the end 0.12; the difference can be chance.',
  );
  expect(momentOf(figures({ phase: 'done', scores: [seed(() => 0.95)], test: 1.1 }))).toMatch(
    /^Done\. While it explored, the score stayed at about 0\.95 a try\./,
  );
});

test('a fall from the best is said, while it trains and at its end; scores below zero have their own scale', () => {
  const fall = seed((x) => (x < 0.5 ? 20 + 760 * x : Math.max(20, 400 - 3000 * (x - 0.5))));
  expect(courseOf({ scores: [fall] })).toBe('fell');
  expect(momentOf(figures({ phase: 'done', scores: [fall] }))).toMatch(
    /^Done, after a fall: the score had reached 3\d\d a try and ended at 20/,
  );
  expect(courseOf({ scores: [seed((x) => -1400 + 1370 * Math.min(1, 8 * x))] })).toBe('up');
  expect(courseOf({ scores: [seed((x) => -20 - 100 * x)] })).toBe('down');
});

/** Numbers that scatter around 0, from a congruential generator, so that they are the same in every run. */
function scattered(): () => number {
  let state = 7;
  const random = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  return () => random() + random() - random() - random();
}

test('a high window among many is chance, and so are single scores', () => {
  const noise = scattered();
  for (let run = 0; run < 200; run++) {
    const steps = Array.from({ length: 40 }, (_, i) => 250 * (i + 1));
    const values = steps.map(() => -1200 + 300 * noise());
    expect(courseOf({ scores: [{ steps, values }] })).not.toBe('fell');
  }
});

test('means of the last hundred episodes wander: what they share is no evidence', () => {
  const noise = scattered();
  for (let run = 0; run < 100; run++) {
    const played: number[] = [];
    const rows = Array.from({ length: 100 }, (_, i) => {
      for (let n = 0; n < 7; n++) played.push(22 + 12 * noise());
      const last = played.slice(-100);
      return { step: 100 * (i + 1), value: last.reduce((sum, value) => sum + value, 0) / last.length, count: played.length };
    });
    const scores = [
      { steps: rows.map(({ step }) => step), values: rows.map(({ value }) => value), episodes: rows.map(({ count }) => count) },
    ];
    expect(courseOf({ scores })).not.toBe('fell');
  }
});

test('a rise that has just begun is no fall from its own newest scores', () => {
  const early = seed((x) => 20 + 4000 * x * x, 0, 0.08);
  expect(courseOf({ scores: [early] })).not.toBe('fell');
  expect(courseOf({ scores: [seed((x) => 20 + 4000 * x, 0, 0.33)] })).toBe('up');
});

test('learners at different steps: each counts with its own newest scores, and those that have just begun not at all', () => {
  const [slow, fast, fresh] = [seed((x) => 20 + 400 * x, 0, 0.3), seed((x) => 20 + 400 * x), seed(() => 20, 0, 0.02)];
  const standing = standingOf([slow, fast, fresh], 10_000);
  expect(standing).toMatchObject({ learners: 2, steps: 6500 });
  expect(standing?.now).toBeCloseTo(274, 0); // the mean of 136 and 412
});

test('what is learned in its first hundred tries began with the first of them, however large the budget', () => {
  const steps = Array.from({ length: 100 }, (_, i) => 100 * (i + 1));
  const values = steps.map((step) => (step === 100 ? 0.7 : 0.95));
  const quick = { steps, values, episodes: steps };
  expect(standingOf([quick], 1_000_000)).toMatchObject({ course: 'up', start: 0.7 });
});

test('a run that ended with an error is praised for nothing', () => {
  expect(momentOf(figures({ phase: 'failed', scores: [seed((x) => 500 * x)], test: 500 }))).toMatch(/^Training stopped with an error/);
  expect(momentOf(figures({ phase: 'failed', failed: { n: 3, all: 3 } }))).toMatch(/^Training stopped with an error/);
  expect(momentOf(figures({ phase: 'failed', failed: { n: 1, all: 3 }, test: 500 }))).toBe(
    '1 of 3 learners stopped with an error; what was learned before that is kept.',
  );
});

test('a score or a test that is no number is left out of the sentence', () => {
  const broken = seed((x) => (x > 0.5 ? Number.NaN : 20));
  expect(momentOf(figures({ phase: 'done', scores: [broken, seed(() => 20)], test: Number.NaN }))).toBe(
    'Done, and nothing was gained: the score is about 20 a try, as at the start.',
  );
  expect(momentOf(figures({ scores: [broken] }))).not.toMatch(/NaN/);
});

test('a test that was luckier than the best policy is on average names no best', () => {
  const words = momentOf(figures({ phase: 'done', scores: [seed((x) => x)], test: 0.78, optimal: 0.744 }));
  expect(words).toMatch(/Tested with its best action each time: 0\.78\.$/);
});

test('where exploring hides what was learned, the test speaks', () => {
  const words = momentOf(figures({ phase: 'done', scores: [seed(() => 0.02, 0.01)], test: 0.74, optimal: 0.74 }));
  expect(words).toMatch(/^Done\. While it explored, the score went from 0\.02 a try to 0\.0\d+\./);
  expect(words).not.toContain('nothing');
});

test('the start is that of every learner, also of one whose first try ends late', () => {
  const late = seed((x) => -1000 + 900 * x);
  const scores = [seed(() => -80), { steps: late.steps.slice(9), values: late.values.slice(9) }];
  const standing = standingOf(scores, 10_000);
  expect(standing?.start).toBeLessThan(-400); // the mean of −80 and about −900
  expect(standing?.course).toBe('up');
});

test('tests beside the run: one quantity, named, from the first kept policy to the newest ones', () => {
  const tests = (values: readonly number[], error = 0.02) => ({
    steps: values.map((_, i) => 100 + 9900 * (i / (values.length - 1))),
    values,
    errors: values.map(() => error),
  });
  const tested = 'share of wins against random' as const;
  expect(momentOf(figures({ tested }))).toBe('What it has learned is tested beside the training.');
  expect(momentOf(figures({ tested, scores: [tests([0.5, 0.7, 0.9])] }))).toBe(
    'Wins against random play: 90\u00a0% after 10\u202fk steps, better than at the start (50\u00a0%).',
  );
  // the return of a policy that plays itself is not said beside it
  expect(momentOf(figures({ tested, phase: 'done', test: -178, scores: [tests([0.5, 0.7, 0.9]), tests([0.5, 0.7, 0.9])] }))).toBe(
    'Done, better than at the start. Wins against random play: 50\u00a0% at the start, 90\u00a0% at the end. These are means of 2 learners.',
  );
  // few episodes of each: the same figures can be chance
  expect(momentOf(figures({ tested, scores: [tests([0.5, 0.7, 0.7], 0.2)] }))).toMatch(/So far the difference can be chance\.$/);
  expect(momentOf(figures({ tested: 'return against random', phase: 'done', scores: [tests([14, 12, 8], 0.4)] }))).toBe(
    'Done, and it got worse. Return against random play: 14 at the start, 8 at the end.',
  );
  expect(momentOf(figures({ tested: 'return', phase: 'done', scores: [tests([-102, 600, 669], 5)] }))).toBe(
    'Done, better than at the start. Greedy test return: −102 at the start, 669 at the end.',
  );
});

/** Ten kinds of finished runs, each with what its sentence claims; nothing else of the page decides that. */
const rise = seed((x) => 20 + 400 * x);
const fall = seed((x) => (x < 0.5 ? 20 + 760 * x : Math.max(20, 400 - 3000 * (x - 0.5))));
const wins = (...values: readonly number[]) => ({ steps: values.map((_, i) => 100 + 4950 * i), values, errors: values.map(() => 0.02) });
const CLAIMS = [
  'better than at the start',
  'nothing was gained',
  'it got worse',
  'after a fall',
  'can be chance',
  'While it explored',
  'too few tries',
  'error',
];
const FINISHED: readonly (readonly [kind: string, run: Partial<Figures>, claim: string])[] = [
  ['learned', { scores: [rise] }, 'better than at the start'],
  ['did not learn', { scores: [seed(() => -50)] }, 'nothing was gained'],
  ['unlearned', { scores: [seed((x) => -20 - 100 * x)] }, 'it got worse'],
  ['learned and forgot', { scores: [fall] }, 'after a fall'],
  ['moved within its scatter', { scores: [{ steps: [100, 300], values: [0.7, 0.12], episodes: [3, 6] }] }, 'can be chance'],
  ['learned behind its exploration', { scores: [seed(() => 0.02, 0.01)], test: 0.74 }, 'While it explored'],
  ['ended after few tries', { scores: [{ steps: [100], values: [20] }], test: 0.59 }, 'too few tries'],
  [
    'won against random play',
    { tested: 'share of wins against random', scores: [wins(0.5, 0.7, 0.9)], test: -178 },
    'better than at the start',
  ],
  ['lost to random play', { tested: 'return against random', scores: [wins(14, 12, 8)], test: 30 }, 'it got worse'],
  ['ended with an error', { phase: 'failed', scores: [rise] }, 'error'],
];
test.each(FINISHED)('a finished run that %s: its sentence claims that and nothing else', (_, run, claim) => {
  const words = momentOf(figures({ phase: 'done', ...run })) ?? '';
  expect(CLAIMS.filter((one) => words.includes(one))).toEqual([claim]);
  expect(words).toMatch(/\.$/);
  expect(words).not.toMatch(/NaN|undefined|\.\.|\{/);
});
