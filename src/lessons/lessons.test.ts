import { expect, test } from 'vitest';
import { type JsonObject, mergeJson } from '#contract/kit/json.ts';
import { readPath } from '#contract/run/paths.ts';
import { getAlgo } from '#core/algos/all.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { trainSeeds } from '#core/testing/seeds.ts';
import { meets, type Outcome } from './define.ts';
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
const LONG = ['dilemma, Two learners: two learners', 'shapley, Four hunters, one prey: the team'];
const LONG_LESSONS = ['faults', 'forgets', 'prefer', 'reward', 'unseen'];

test('the long ones are runs of lessons', () => {
  expect(arms.map(({ name }) => name)).toEqual(expect.arrayContaining(LONG));
});

const titled = arms.map((arm) => {
  const night = LONG.includes(arm.name) || LONG_LESSONS.includes(arm.lesson.id);
  // In front, and one field: long values are cut in titles, and two side by side are read as one name.
  return { ...arm, title: `${night ? '@night ' : ''}${arm.name}` };
});
test.each(titled)('$title', { timeout: 120_000 }, async ({ lesson, arm, expected }) => {
  const outcome = await trainSeeds(completeRun(mergeJson({ v: 1, ...lesson.config }, arm.config)));
  for (const one of expected) expect(meets(one, outcome), JSON.stringify([one, outcome])).toMatchObject({ met: true });
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
