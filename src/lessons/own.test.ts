import { expect, test } from 'vitest';
import { encodeLesson, type OwnLesson } from '#contract/link/lesson.ts';
import { completeRun } from '#core/run/loaded.ts';
import { readOwnLesson } from './own.ts';
import { resultSteps } from './result.ts';

const own: OwnLesson = {
  title: 'Mine',
  goal: '',
  env: { id: 'cliff-walking' },
  algo: { id: 'q-learning' },
  run: { steps: 3000, seeds: 90, executor: 'tfjs-webgpu' },
  show: ['algo.alpha'],
  steps: [
    { title: 'Look', say: 'Look.' },
    { title: 'Run', say: 'Run.', run: true },
    { title: 'Again', say: 'Again.', run: true },
  ],
  check: { measure: 'evalReturn', of: 'each', min: -20, max: 0 },
};

test('controls show only where the pupil trains; the goal is that of the last run; it runs exactly and with few seeds', () => {
  const lesson = readOwnLesson(encodeLesson(own));
  expect(lesson.steps.map(({ show }) => show)).toEqual([[], ['algo.alpha'], ['algo.alpha']]);
  expect(resultSteps(lesson)).toEqual([1, 2]);
  expect(lesson.steps.map(({ check }) => check?.say)).toEqual([
    undefined,
    undefined,
    'a greedy return of at least -20 and at most 0 on every seed',
  ]);
  expect(completeRun({ v: 1, ...lesson.config }).run).toMatchObject({ executor: 'wasm', seeds: 20, steps: 3000 });
});

test('two lessons are told apart by their text, and one is the same wherever it is opened', () => {
  const packed = encodeLesson(own);
  expect(readOwnLesson(packed).id).toBe(readOwnLesson(packed).id);
  expect(readOwnLesson(encodeLesson({ ...own, goal: 'Another.' })).id).not.toBe(readOwnLesson(packed).id);
});
