import { expect, test } from 'vitest';
import { aggregates } from './aggregates.ts';
import rliable from './golden/eval-rliable.json' with { type: 'json' };
import { Rng } from './rng.ts';
import { bootstrapInterval, optimalityGap } from './stats.ts';

test('the four numbers are those of the reference', () => {
  const given = rliable.cases.find(({ name }) => name === 'aggregates');
  const scores = given?.input.scores as readonly (readonly number[])[];
  const tasks = (scores[0] ?? []).map((_, k) => scores.map((run) => run[k] ?? Number.NaN));
  const found = aggregates(tasks);
  const expected = given?.expected as { readonly [name: string]: number };
  expect(found.iqm.value).toBeCloseTo(expected.iqm ?? 0, 12);
  expect(found.mean.value).toBeCloseTo(expected.mean ?? 0, 12);
  expect(found.median.value).toBeCloseTo(expected.median ?? 0, 12);
  expect(found.gap.value).toBeCloseTo(expected.optimality_gap ?? 0, 12);
  for (const { value, interval } of Object.values(found)) {
    expect(interval?.[0]).toBeLessThan(value);
    expect(interval?.[1]).toBeGreaterThan(value);
  }
  // Another stream and another way to draw: the ends agree as far as 2,000 draws tell.
  const other = bootstrapInterval(scores, (pooled) => optimalityGap(pooled), Rng.from(77), { resamples: 20_000 });
  expect(found.gap.interval?.[0]).toBeCloseTo(other.low, 1);
  expect(found.gap.interval?.[1]).toBeCloseTo(other.high, 1);
});

test('worked by hand: a task that half of the runs fail, and one that all pass beyond 1', () => {
  const found = aggregates([
    [0, 0, 1, 1],
    [2, 2, 2, 2],
  ]);
  expect([found.mean.value, found.median.value, found.iqm.value, found.gap.value]).toEqual([1.25, 1.25, 1.5, 0.25]);
  expect(Object.values(found).map(({ interval }) => interval)).toEqual([null, null, null, null]); // four runs a task
});

test('alike runs have an interval without width', () => {
  const found = aggregates([[0.5, 0.5, 0.5, 0.5, 0.5]]);
  for (const { value, interval } of Object.values(found)) expect(interval).toEqual([value, value]);
});
