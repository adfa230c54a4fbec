import { expect, test } from 'vitest';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { correlation, litIn, ordered } from './lit.ts';

const snapshot = {
  saved: { meta: {}, arrays: { 'kept/activity1': Float32Array.of(0.1, 0.9, 0.5, 0.2), 'inner/activity0': Float32Array.of(1, 0, 0, 1) } },
} as unknown as PolicySnapshot;

test('worlds are those that the policy has numbers of, the one that it was carried to last', () => {
  const worlds = litIn(snapshot, ['a', 'b'], 'here');
  expect(worlds.map(({ title }) => title)).toEqual(['a', 'here']);
  expect(worlds[0]!.units(1, 2)[0]).toBeCloseTo(0.5);
});

test('units are put in order by what one world lights most', () => {
  expect(ordered(litIn(snapshot, ['a'], 'here')[0]!, 0, 2)).toEqual([1, 0]);
});

test('correlation is that of Pearson', () => {
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1);
  expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1);
  expect(correlation([1, 1, 1], [3, 2, 1])).toBeNaN();
});
