import { expect, test } from 'vitest';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import { readPath } from '#contract/run/paths.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { trainSeeds } from '#core/testing/seeds.ts';
import { type CameOut, meets, type Outcome, optionOf } from './define.ts';
import { lessons } from './index.ts';

test('ids are unique and every lesson has a task that a run decides', () => {
  expect(new Set(lessons.map(({ id }) => id)).size).toBe(lessons.length);
  for (const { id, steps } of lessons) {
    expect(steps.length, id).toBeGreaterThanOrEqual(4);
    expect(steps.length, id).toBeLessThanOrEqual(7);
    expect(
      steps.some(({ arms = [] }) => arms.some((arm) => arm.expect !== undefined)),
      id,
    ).toBe(true);
    for (const { say, title } of steps)
      expect(say.split(/[.?!](?:\s|$)/).length, `${id}, ${title}: two to four sentences`).toBeLessThanOrEqual(6);
  }
});

test.each(lessons)('$id: the controls that its steps show exist, and so do the arms', (lesson) => {
  for (const step of lesson.steps) {
    for (const arm of [{ label: 'own', config: {} }, ...(step.arms ?? []), ...(step.own ?? [])]) {
      const config = completeRun(mergeJson({ v: 1, ...lesson.config }, arm.config as JsonObject));
      expect(config.run.executor, arm.label).toBe('wasm');
      for (const path of step.show) {
        const room = path.startsWith('env.') ? getEnv(config.env.id).schema : getAlgo(config.algo.id).schema;
        const key = path.split('.')[1] ?? '';
        const known = readPath(config, path) !== undefined || key in ((room as { properties?: object }).properties ?? {});
        expect(known, `${lesson.id}, ${step.title}: ${path}`).toBe(true);
      }
    }
    const { predict, check, own = [], show } = step;
    expect(own.length > 0, `${step.title}: controls and runs of one's own belong together`).toBe(
      show.length > 0 && step.play === undefined,
    );
    if (check?.than !== undefined) expect(own.slice(1).map(({ label }) => label)).toContain(check.than);
    if (predict?.kind === 'sketch') expect(predict.min).toBeLessThan(predict.max);
    if (check !== undefined) expect(check.min ?? check.max).toBeDefined();
  }
});

const arms = lessons.flatMap((lesson) =>
  lesson.steps.flatMap((step) =>
    (step.arms ?? []).flatMap((arm) =>
      arm.expect === undefined ? [] : [{ name: `${lesson.id}, ${step.title}: ${arm.label}`, lesson, arm, expected: arm.expect }],
    ),
  ),
);

/** Too long for every push; of some lessons all. */
const LONG = [
  'cartpole, Break it: discount 0',
  'cartpole, Break it: learning rate x 100',
  'dilemma, Two learners: two learners',
  'shapley, Four hunters, one prey: the team',
];
const LONG_LESSONS = ['eight', 'faults', 'forgets', 'group', 'limits', 'prefer', 'reward', 'unseen'];

test('the long ones are runs of lessons', () => {
  expect(arms.map(({ name }) => name)).toEqual(expect.arrayContaining(LONG));
});

const titled = arms.map((arm) => {
  const night = LONG.includes(arm.name) || LONG_LESSONS.includes(arm.lesson.id);
  // In front, and one field: long values are cut in titles, and two side by side are read as one name.
  return { ...arm, title: `${night ? '@night ' : ''}${arm.name}` };
});
test.each(titled)('$title', { timeout: 600_000 }, async ({ lesson, arm, expected }) => {
  const outcome = await trainSeeds(completeRun(mergeJson({ v: 1, ...lesson.config }, arm.config)));
  for (const one of expected) expect(meets(one, outcome), JSON.stringify([one, outcome])).toMatchObject({ met: true });
});

test('which option of a choice came out follows from what was measured', () => {
  const of = (...values: number[]): Outcome => values.map((finalReturn) => ({ finalReturn, evalReturn: 10 * finalReturn }));
  const choice = (answer: CameOut) => ({ kind: 'choice' as const, ask: 'a', options: ['a', 'b', 'c'], answer });
  const place = (answer: CameOut, ...runs: (Outcome | null)[]) => optionOf(choice(answer), runs, 'finalReturn');
  const rising = { arm: 0, bounds: [2, 4] };
  expect([of(1), of(2), of(3, 4), of(4)].map((run) => place(rising, run))).toEqual([0, 1, 1, 2]);
  const falling = { arm: 0, bounds: [4, 2] };
  expect([of(5), of(4), of(3), of(1)].map((run) => place(falling, run))).toEqual([0, 0, 1, 2]);
  expect(place({ arm: 1, measure: 'evalReturn', bounds: [20, 40] }, of(9), of(3))).toBe(1);
  const share = { arm: 0, reach: 5, bounds: [1, 0.25] };
  expect([of(5, 6), of(5, 1), of(1, 1)].map((run) => place(share, run))).toEqual([0, 1, 2]);
  expect(place({ least: true }, of(3), of(1), of(2))).toBe(1);
  for (const answer of [rising, { least: true } as const]) expect(place(answer, null, of(1))).toBeNull();
  expect(optionOf({ kind: 'choice', ask: 'a', options: ['a', 'b'] }, [of(1)], 'finalReturn')).toBeNull();
});

test('a choice that runs answer has a bound between any two options, or an option for each run', () => {
  const asked = lessons.flatMap(({ id, steps }) => steps.map((step) => ({ name: `${id}, ${step.title}`, ...step })));
  const told = asked.flatMap(({ name, predict, arms: runs = [] }) =>
    predict?.kind === 'choice' && predict.answer !== undefined ? [{ name, options: predict.options, answer: predict.answer, runs }] : [],
  );
  expect(told.length).toBeGreaterThanOrEqual(7);
  for (const { name, options, answer, runs } of told) {
    expect('least' in answer || 'most' in answer ? runs.length : answer.bounds.length + 1, name).toBe(options.length);
    if ('arm' in answer) expect(runs[answer.arm], name).toBeDefined();
  }
});

test('a range is met by each seed, by a number of them, by their mean, or against a rival', () => {
  const of = (...values: number[]): Outcome => values.map((finalReturn) => ({ finalReturn, evalReturn: null }));
  const measure = 'finalReturn';
  expect(meets({ measure, of: 'each', min: 2 }, of(1, 3, 5))).toEqual({ met: false, value: 1 });
  expect(meets({ measure, of: 2, min: 2 }, of(1, 3, 5))).toEqual({ met: true, value: 3 });
  expect(meets({ measure, of: 3, max: 4 }, of(1, 3, 5))).toEqual({ met: false, value: 5 });
  expect(meets({ measure, of: 'mean', min: 2, max: 4 }, of(1, 3, 5))).toEqual({ met: true, value: 3 });
  expect(meets({ measure, of: 'mean', min: 5 }, of(1, 3, 5), of(-3, -4, -5))).toEqual({ met: true, value: 7 });
  expect(meets({ measure: 'evalReturn', of: 'each', min: 0 }, of(1))).toBeNull();
  expect(meets({ measure, of: 'each', min: 0 }, [])).toBeNull();
});
