import { expect, test } from 'vitest';
import type { FeatureAttribution } from '#contract/explain/explain.ts';
import { because, leading, measured, ranks, waterfall } from './feature-words.ts';

const of = (value: number[], base = 0): FeatureAttribution =>
  ({
    question: { about: 'behaviour' },
    action: 1,
    features: value.map((_, i) => ({ name: `f${i}`, columns: [i], cell: null })),
    value,
    halfWidth: value.map(() => 0.1),
    base,
    output: base + value.reduce((a, b) => a + b, 0),
  }) as unknown as FeatureAttribution;

test('the waterfall leads from the mean to the number here, the largest share first', () => {
  const steps = waterfall(of([1, -3, 0.5, 0.25], 2), 2);
  expect(steps.map(({ name }) => name)).toEqual(['f1', 'f0', '2 more']);
  expect(steps[0]).toMatchObject({ from: 2, to: -1 });
  expect(steps.at(-1)!.to).toBeCloseTo(0.75);
});

test('the answer in a sentence names what is surely not zero, largest first', () => {
  expect(because(of([0.3, -0.5, 0.05, 1]))).toBe('For it speaks most: f3 (+1); f0 (+0.3). Against it: f1 (−0.5).');
  expect(because(of([0.3]))).toBe('For it speaks most: f0 (+0.3).');
  expect(because(of([0.05, -0.01]))).toMatch(/^Nothing it sees stands out/);
  expect(because(of([0.3], 100))).toMatch(/^Nothing it sees stands out/); // sure, and next to nothing of what it is a share of
  expect(because({ ...of([-2]), question: { ...of([]).question, about: 'prediction' } })).toBe('What lowers it most: f0 (−2).');
});

test('what leads over many frames, and ranks', () => {
  expect(leading([of([1, 5, 0]), of([-4, 1, 0])], 2)).toEqual([1, 0]);
  expect(ranks([3, 1, 3, 2])).toEqual([1, 0, 1, 0.5]);
  expect(ranks([7, 7])).toEqual([0.5, 0.5]);
});

test('the three questions have words of their own', () => {
  const space = { kind: 'discrete', n: 2, labels: ['left', 'right'] } as const;
  const words = (['behaviour', 'prediction', 'outcome'] as const).map((about) =>
    measured({ question: { ...of([]).question, about }, action: 1 }, space),
  );
  expect(words).toEqual(['how likely it finds "right"', 'the return it expects', 'the return that follows']);
});
