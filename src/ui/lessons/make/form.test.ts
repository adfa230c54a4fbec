import { describe, expect, test } from 'vitest';
import { mergeJson, objectOf } from '#contract/kit/json.ts';
import { decodeLesson, encodeLesson, LONGEST_LESSON, type OwnLesson } from '#contract/link/lesson.ts';
import type { Arm, Lesson } from '#lessons/define.ts';
import { lessons } from '#lessons/index.ts';
import { lessonOf } from '#lessons/own.ts';
import { differentIn, EMPTY, type Form, filled, formOfLesson, lessonOfForm, partOf, STEP, type StepForm } from './form.ts';

const setup: Pick<OwnLesson, 'env' | 'algo'> = { env: { id: 'cliff-walking' }, algo: { id: 'q-learning' } };
const setupOf = ({ config: { env, algo, run } }: Lesson) => ({
  env: { id: String(env.id), ...(env.config !== undefined && { config: objectOf(env.config) }) },
  algo: { id: String(algo.id), ...(algo.config !== undefined && { config: objectOf(algo.config) }) },
  run,
});

describe.each(lessons)('$id as a start for a lesson of one’s own', (lesson) => {
  const { form, left } = formOfLesson(lesson);
  const { lesson: made, missing } = lessonOfForm(form, setupOf(lesson), Number(lesson.config.run.steps ?? 10_000));

  test('fits into a link, and comes back with its texts and prepared runs', () => {
    expect(missing).toBe('');
    const packed = encodeLesson(made!);
    expect(packed.length).toBeLessThanOrEqual(LONGEST_LESSON);
    const back = lessonOf(decodeLesson(packed), packed);
    expect(back.steps.map(({ title, say }) => [title, say])).toEqual(lesson.steps.map(({ title, say }) => [title, say]));
    const run = ({ label, config }: Arm) => ({ label, config: mergeJson(lesson.config, config) });
    for (const [i, { arms, own }] of lesson.steps.entries()) {
      if (arms !== undefined) expect(back.steps[i]?.arms?.map(run)).toEqual(arms.slice(0, 4).map(run));
      expect(back.steps[i]?.own?.[0]?.config).toEqual(own?.[0]?.config);
    }
  });

  test('keeps every question, or says that it is left out', () => {
    for (const [i, { predict }] of lesson.steps.entries()) {
      if (predict === undefined || left.some((what) => what.startsWith(`step ${i + 1}: its sketch`))) continue;
      expect(form.steps[i]).toMatchObject({ kind: predict.kind, ask: predict.ask });
    }
    for (const [i, { check, view }] of lesson.steps.entries()) {
      const kept = check !== undefined && form.bound !== '' && i === lesson.steps.findLastIndex(({ own }) => own !== undefined);
      if (check !== undefined && !kept) expect(left).toContain(`step ${i + 1}: its task`);
      if (view !== undefined) expect(left).toContain(`step ${i + 1}: its own view`);
    }
  });
});

test('settings of a prepared run are typed as text and stored as what they are, the method by its name', () => {
  const part = partOf([
    { path: 'algo.alpha', value: '0.3' },
    { path: 'algo.id', value: 'sarsa' },
    { path: 'env.map', value: '["S.G"]' },
    { path: 'run.steps', value: '500' },
    { path: '', value: '7' },
  ]);
  expect(part).toEqual({ algo: { id: 'sarsa', config: { alpha: 0.3 } }, env: { config: { map: ['S.G'] } }, run: { steps: 500 } });
  expect(partOf(differentIn(part))).toEqual(part);
});

const form = (step: Partial<StepForm>): Form => ({ ...EMPTY, title: 'T', steps: [{ ...STEP, title: 'A', say: 'B', ...step }] });
const arm = (label: string) => ({ label, different: [] });
const range = { min: '0', max: '10', unit: 'return' };

test.each<readonly [string, Partial<StepForm>, string]>([
  ['one answer', { ask: 'Q?', options: 'a' }, 'two to five answers to the question of step 1'],
  ['two like answers', { ask: 'Q?', options: 'a\na' }, 'answers that differ'],
  [
    'too few runs for the answers',
    { ask: 'Q?', options: 'a\nb', came: 'least', arms: [arm('x')] },
    'as many prepared runs as answers in step 1',
  ],
  ['a border that is no number', { ask: 'Q?', options: 'a\nb', came: 'x' }, 'one border less than answers in step 1'],
  ['a range upside down', { ask: 'Q?', kind: 'number', ...range, max: '-1' }, 'the lowest and the highest number'],
  ['a number without a unit', { ask: 'Q?', kind: 'number', ...range, unit: '' }, 'what is measured in the question of step 1'],
  ['a run without a name', { arms: [arm('x'), arm(' ')] }, 'a name for prepared run 2 of step 1'],
  ['two runs of one name', { arms: [arm('x'), arm('x')] }, 'names that differ for the prepared runs of step 1'],
])('%s: the message names the field, and the preview still shows the rest', (_, step, words) => {
  const { lesson, missing } = lessonOfForm(form(step), setup, 1000);
  expect(lesson).toBeNull();
  expect(missing).toContain(words);
  if (!words.startsWith('names')) expect(lessonOfForm(filled(form(step), 1000), setup, 1000).missing).toBe('');
});

test('what levers pay may be hidden, in the link of a format that older pages know they do not know', () => {
  for (const [hides, step] of [
    ['step', true],
    ['predicted', 'predicted'],
  ] as const) {
    const { lesson } = lessonOfForm(form({ hides }), setup, 1000);
    expect(encodeLesson(lesson!)).toMatch(/^3\./);
    const opened = lessonOf(decodeLesson(encodeLesson(lesson!)), '');
    expect(opened.steps[0]?.hidePayouts).toBe(step);
    expect(formOfLesson(opened).form.steps[0]?.hides).toBe(hides);
  }
  const { lesson } = lessonOfForm(form({ play: true }), setup, 1000);
  expect(encodeLesson(lesson!)).toMatch(/^2\./);
  expect(lessonOf(lesson!, '').steps[0]?.hidePayouts).toBeUndefined();
});

test('a sketch has six places over the training, a number is answered by the run that is named', () => {
  const sketch = lessonOfForm(form({ ask: 'Q?', kind: 'sketch', ...range }), setup, 1000).lesson?.steps[0]?.ask;
  expect(sketch).toEqual({ kind: 'sketch', ask: 'Q?', x: [0, 200, 400, 600, 800, 1000], y: 'return', min: 0, max: 10 });
  const number = lessonOfForm(form({ ask: 'Q?', kind: 'number', ...range, arm: '1' }), setup, 1000).lesson;
  expect(lessonOf(number!, '').steps[0]?.predict).toEqual({
    kind: 'number',
    ask: 'Q?',
    unit: 'return',
    min: 0,
    max: 10,
    answer: { arm: 1 },
  });
});
