import { expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import {
  actionInWords,
  actionLines,
  detailsOf,
  learnsIn,
  namesInWords,
  obsInWords,
  obsLines,
  presetInWords,
  settingsOf,
} from './env-words.ts';

test('observations in words and rows', () => {
  const pole = { kind: 'box', shape: [2], low: -1e6, high: 1e6, labels: ['x', 'angle'] } as const;
  expect(obsInWords(pole)).toBe('2 numbers');
  expect(obsLines(pole)).toEqual([
    { what: '0', meaning: 'x', range: 'unbounded' },
    { what: '1', meaning: 'angle', range: 'unbounded' },
  ]);
  expect(obsInWords({ kind: 'discrete', n: 16 })).toBe('one of 16 states');
  const room = { kind: 'grid', shape: [7, 7, 3], codes: [11, 6, 3], extra: 4 } as const;
  expect(obsInWords(room)).toBe('7 × 7 cells of 3 codes and 4 numbers');
  expect(obsLines(room).map(({ range }) => range)).toEqual(['0 … 10', '0 … 5', '0 … 2', '']);
  expect(obsLines({ kind: 'box', shape: [3, 5], low: 0, high: 1 })[0]).toMatchObject({ what: '0 … 2, 0 … 4', range: '0 … 1' });
});

test('actions with their keys, or their bounds', () => {
  const turn = { kind: 'discrete', n: 2, labels: ['left', 'right'] } as const;
  expect(actionInWords(turn)).toBe('one of 2');
  expect(actionLines(turn, [['ArrowLeft', 'a'], []]).map(({ keys }) => keys)).toEqual(['← A', '']);
  const push = { kind: 'box', size: 1, low: [-2], high: [2], labels: ['torque'] } as const;
  expect(actionLines(push, [])[0]).toMatchObject({ meaning: 'torque', range: '−2 … 2' });
});

test('how long it takes to learn, where it was measured and something was learned', () => {
  expect(learnsIn({ seconds: 0.2, fraction: 1, kept: null })).toBe('learns in less than 1 s');
  expect(learnsIn({ seconds: 4.4, fraction: 0.25, kept: true })).toBe('learns in about 4 s');
  expect(learnsIn({ seconds: 48, fraction: 0.9, kept: true })).toBe('learns in about 50 s');
  const little = [
    { seconds: 4, fraction: 0.2, kept: true },
    { seconds: 4, fraction: null, kept: null },
    { seconds: 4, fraction: 0.9, kept: false }, // its line did not rise when it was tried
  ];
  for (const none of [null, undefined, ...little]) expect(learnsIn(none)).toBe('');
  // What takes minutes says so before it is pressed, however much of it is learned: five learners, two at a time.
  expect(learnsIn({ seconds: 266, fraction: 0.17, kept: null }, 2)).toBe('takes about 13 minutes');
  expect(learnsIn({ seconds: 61, fraction: 0.9, kept: true }, 8)).toBe('takes about 2 minutes');
});

test('a header is told by what its sentences begin with', () => {
  const about = [
    'Cross the ice. Mind the holes. Obs: the cell. Reward 1 at the goal, e.g. here. Truncates at 9. Throws LabError. Source: X 1.2 `a.py`.',
    'Step: a/b.ts.',
  ];
  expect(detailsOf(about)).toEqual([
    { label: '', text: 'Cross the ice. Mind the holes.' },
    { label: 'observation', text: 'Obs: the cell.' },
    { label: 'reward', text: 'Reward 1 at the goal, e.g. here.' },
    { label: 'ends', text: 'Truncates at 9.' },
    { label: 'source', text: 'Source: X 1.2 `a.py`.' },
  ]);
});

test('names, settings and presets', () => {
  expect(namesInWords(['a', 'b'])).toBe('a, b');
  expect(namesInWords(['a 1', 'a 2', 'a 3', 'a 4'])).toBe('a 1 … a 4');
  const schema: FieldSchema = {
    properties: {
      size: { type: 'integer', minimum: 2, maximum: 9, title: 'size', unit: 'cells', description: 'Side.', source: 'X' },
      kind: { enum: ['a', 'b'], title: 'kind' },
      map: { anyOf: [{ type: 'array' }, { type: 'null' as 'array' }], title: 'map' },
    },
  };
  expect(settingsOf(schema, { size: 4, kind: 'a', map: null })).toEqual([
    { key: 'size', title: 'size', value: '4 cells', range: 'between 2 and 9', text: 'Side. Default after X.' },
    { key: 'kind', title: 'kind', value: 'a', range: 'a, b', text: '' },
    { key: 'map', title: 'map', value: 'auto', range: '', text: '' },
  ]);
  expect(presetInWords({}, schema)).toBe('the defaults');
  expect(presetInWords({ size: 9, map: Array.from({ length: 30 }, () => 'abc') }, schema)).toBe('size 9, map of its own');
});
