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

test('a link of the first format opens, is written as it was, and holds nothing of the second', () => {
  const old =
    '1.TZBBT8MwDIX_SuTzGoIQSETTEBfEgdOExGHskHZJazVzSpNSQdX_jpOBxCmJ_d7z5yxgfBtAL9AEctjmm_FDZ0ArebtuAE-g4aPy1oyE1AKXms42fRaerYnTaFngkIzf2zSNBBs4I4Gu7tQGguMmyyj7LH1mV0lsPDpXzcb3v6FtMJ7r7B4ndi8Qkx0i6BulFLdjF2bQh0IrL4BHrl40B1abL3Y_im29K9Hbq3on3-l1DsIj2Sg5OGHyGfYlhJ5H8qKxrFEOeOuw6QRGUduYHlgehoSBcjwoec0FJe_hyCwFMI2TZYAy9gnpJIzINCLit_0_bM_ilVH_3s9hFs7EJBKT5U-F9Qc.2JhUmg';
  expect(decodeLesson(old)).toEqual(lesson);
  expect(encodeLesson(lesson)).toBe(old);
  const [first = lesson.steps[0]!] = lesson.steps;
  const newer: OwnLesson = { ...lesson, steps: [{ ...first, play: true }] };
  expect(encodeLesson(newer)).toMatch(/^2\./);
  expect(decodeLesson(encodeLesson(newer))).toEqual(newer);
});

test('a question, runs and a picture come back from the link', () => {
  const steps: OwnLesson['steps'] = [
    { title: 'a', say: 'b', ask: { kind: 'number', ask: 'q', unit: 'u', min: -2, max: 2, arm: 1 }, picture: { env: 'c', preset: 'd' } },
    {
      title: 'e',
      say: 'f',
      ask: { kind: 'sketch', ask: 'q', y: 'u', x: [0, 1, 2, 3, 4], min: 0, max: 2 },
      surprise: 'g',
      measure: 'evalReturn',
    },
    {
      title: 'h',
      say: 'i',
      ask: { ask: 'q', options: ['j', 'k'], came: [0.5] },
      arms: [{ label: 'l', config: { algo: { id: 'sarsa' } } }],
    },
  ];
  expect(decodeLesson(encodeLesson({ ...lesson, steps })).steps).toEqual(steps);
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
  ['too many steps', { steps: Array.from({ length: 8 }, () => lesson.steps[0]) }],
  ['too long a text', { steps: [{ title: 'a', say: 'b'.repeat(601) }] }],
  ['a control that is no path', { show: ['window.alert'] }],
  ['a control of the prototype', { show: ['algo.__proto__.x'] }],
  ['a control that every object has', { show: ['algo.constructor'] }],
  ['too many controls', { show: Array.from({ length: 7 }, (_, i) => `algo.a${i}`) }],
  ['a goal without a bound', { check: { measure: 'finalReturn', of: 'mean' } }],
  [
    'too many prepared runs',
    { steps: [{ title: 'a', say: 'b', arms: ['1', '2', '3', '4', '5'].map((label) => ({ label, config: {} })) }] },
  ],
  ['prepared runs of one name', { steps: [{ title: 'a', say: 'b', arms: ['1', '1'].map((label) => ({ label, config: {} })) }] }],
  ['a run with more than settings', { steps: [{ title: 'a', say: 'b', arms: [{ label: '1', config: { html: 1 } }] }] }],
  ['a number question without room', { steps: [{ title: 'a', say: 'b', ask: { kind: 'number', ask: 'q', unit: 'u', min: 2, max: 2 } }] }],
  ['a sketch of two places', { steps: [{ title: 'a', say: 'b', ask: { kind: 'sketch', ask: 'q', y: 'u', x: [0, 1], min: 0, max: 2 } }] }],
  ['a picture with an address', { steps: [{ title: 'a', say: 'b', picture: { env: 'a', preset: 'b', src: 'c' } }] }],
  ['a text that inflates to a bomb', { goal: 'a'.repeat(200_000) }],
])('%s is refused, with the place', (_, change) => {
  expect(failureOf(() => decodeLesson(encodeLesson({ ...lesson, ...change })))).toBe('link-damaged');
});
