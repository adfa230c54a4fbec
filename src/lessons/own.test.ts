import { expect, test } from 'vitest';
import { encodeLesson, type OwnLesson } from '#contract/link/lesson.ts';
import { completeRun } from '#core/run/loaded.ts';
import { optionOf } from './define.ts';
import { readOwnLesson } from './own.ts';
import { measureOf, resultSteps } from './result.ts';

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

test('prepared runs go over the settings of the lesson; a step shows the controls that it names; a run may have settings of its own', () => {
  const { steps } = readOwnLesson(
    encodeLesson({
      ...own,
      show: ['algo.alpha', 'algo.gamma'],
      steps: [
        { title: 'A', say: 'A.', arms: [{ label: 'slow', config: { algo: { config: { alpha: 0.1 } } } }], measure: 'evalReturn' },
        { title: 'B', say: 'B.', run: true, show: ['algo.gamma', 'algo.lambda'], set: { algo: { id: 'sarsa' } } },
      ],
    }),
  );
  expect(steps[0]?.arms).toEqual([{ label: 'slow', config: { algo: { config: { alpha: 0.1 } } } }]);
  expect(measureOf(steps[0]!)).toBe('evalReturn');
  expect(steps[1]?.show).toEqual(['algo.gamma']); // only controls of the lesson
  expect(steps[1]?.own).toEqual([{ label: 'my settings', config: { algo: { id: 'sarsa' } } }]);
});

test.each([
  ['least', { least: true }],
  ['most', { most: true }],
  [[0.5], { arm: 0, bounds: [0.5] }],
] as const)('which answer came out (%j) follows from the runs, and is asked of no step without any', (came, answer) => {
  const ask = { ask: 'Q?', options: ['a', 'b'], came: typeof came === 'string' ? came : [...came] };
  const arms = ['x', 'y'].map((label) => ({ label, config: {} }));
  const steps = [
    { title: 'A', say: 'A.', ask, arms },
    { title: 'B', say: 'B.', ask },
  ];
  const lesson = readOwnLesson(encodeLesson({ ...own, show: [], check: undefined, steps }));
  expect(lesson.steps.map(({ predict }) => predict)).toEqual([
    { kind: 'choice', ask: 'Q?', options: ['a', 'b'], answer },
    { kind: 'choice', ask: 'Q?', options: ['a', 'b'] },
  ]);
  const runs = [[{ finalReturn: 1, evalReturn: null }], [{ finalReturn: 0, evalReturn: null }]];
  expect(optionOf(lesson.steps[0]!.predict!, runs, 'finalReturn')).toBe(came === 'least' ? 1 : came === 'most' ? 0 : 1);
});
