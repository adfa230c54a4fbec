import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabError } from '../kit/errors.ts';
import { decodeLesson, encodeLesson, LONGEST_LESSON, type OwnLesson } from './lesson.ts';

const lesson: OwnLesson = {
  title: 'How fast to learn',
  goal: '',
  env: { id: 'cliff-walking' },
  algo: { id: 'q-learning', config: { alpha: 0.5 } },
  run: { steps: 3000 },
  show: ['algo.alpha'],
  steps: [
    { title: 'Look', say: 'A <b>cliff</b>.\nTwo lines.' },
    { title: 'Run', say: 'Find a step size.', run: true, ask: { ask: 'Which is best?', options: ['0.1', '0.9'] } },
  ],
  check: { measure: 'finalReturn', of: 'mean', min: -60 },
};

const failureOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof LabError) return error.failure.id;
    throw error;
  }
  return 'none';
};

test('a lesson comes back from its link, text as text', () => {
  const packed = encodeLesson(lesson);
  expect(packed.length).toBeLessThan(500);
  expect(decodeLesson(packed)).toEqual(lesson);
});

test('one that was cut or changed, is of a later format or too long is refused', () => {
  const packed = encodeLesson(lesson);
  for (let cut = 0; cut < packed.length; cut += 7) expect(failureOf(() => decodeLesson(packed.slice(0, cut)))).toBe('link-damaged');
  expect(failureOf(() => decodeLesson(packed.replace('1.', '2.')))).toBe('link-damaged'); // its checksum holds the format
  expect(failureOf(() => decodeLesson('x'.repeat(LONGEST_LESSON + 1)))).toBe('link-too-long');
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(['link-damaged', 'link-future', 'link-too-long']).toContain(failureOf(() => decodeLesson(text)));
    }),
  );
});

test.each<readonly [string, object]>([
  ['unknown member', { html: '<p>' }],
  ['no steps', { steps: [] }],
  ['too many steps', { steps: Array.from({ length: 7 }, () => lesson.steps[0]) }],
  ['too long a text', { steps: [{ title: 'a', say: 'b'.repeat(601) }] }],
  ['a control that is no path', { show: ['window.alert'] }],
  ['a control of the prototype', { show: ['algo.__proto__.x'] }],
  ['a control that every object has', { show: ['algo.constructor'] }],
  ['too many controls', { show: Array.from({ length: 7 }, (_, i) => `algo.a${i}`) }],
  ['a goal without a bound', { check: { measure: 'finalReturn', of: 'mean' } }],
  ['a text that inflates to a bomb', { goal: 'a'.repeat(200_000) }],
])('%s is refused, with the place', (_, change) => {
  expect(failureOf(() => decodeLesson(encodeLesson({ ...lesson, ...change })))).toBe('link-damaged');
});
