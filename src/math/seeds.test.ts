import { expect, test } from 'vitest';
import { Rng } from './rng.ts';
import { normal } from './sampling.ts';
import { COVERAGE, interval95, SEEDS_FOR_INTERVAL, summariseSeeds } from './seeds.ts';
import { bootstrapInterval, iqm, mean } from './stats.ts';

/** The same interval with every resample written out. */
function written(values: readonly number[]): [number, number] {
  const { low, high } = bootstrapInterval(
    values.map((value) => [value]),
    iqm,
    Rng.from(0),
  );
  return [low, high];
}

test('the interval is the bootstrap of the IQM, bit for bit, at every number of seeds, with ties and signed zeros', () => {
  const rng = Rng.from(7);
  for (let n = SEEDS_FOR_INTERVAL; n <= 24; n++) {
    const values = Array.from({ length: n }, () => (rng.uniform() - 0.5) * 1000);
    expect(interval95(values)).toEqual(written(values));
    const tied = values.map((value) => (value > 100 ? 500 : Math.round(value / 100) * 0.1));
    expect(interval95(tied)).toEqual(written(tied));
  }
  expect(interval95(Float64Array.of(2, 2, 2, 2, 2))).toEqual([2, 2]);
});

test('stated values for five seeds', () => {
  expect(interval95([475, 480, 492, 500, 468])).toEqual([472, 497.3333333333333]);
});

test('no interval below five seeds, no summary where a seed measured nothing', () => {
  expect(interval95([1, 2, 3, 4])).toBeNull();
  expect(interval95([1, 2, 3, 4, Number.NaN])).toBeNull();
  expect(summariseSeeds([1, 2, 3, 4])).toEqual({ iqm: 2.5, ci95: null });
  for (const values of [[], [1, 2, 3, 4, 5, null], [1, 2, 3, 4, 5, Number.POSITIVE_INFINITY]])
    expect(summariseSeeds(values)).toEqual({ iqm: null, ci95: null });
});

test('the stated coverage is what is measured: of normal scores, and where one seed in five fails', () => {
  const rng = Rng.from(5);
  const covered = (n: number, truth: number, draw: () => number): number => {
    let held = 0;
    for (let i = 0; i < 600; i++) {
      const found = interval95(Array.from({ length: n }, draw));
      if (found !== null && found[0] <= truth && truth <= found[1]) held++;
    }
    return (100 * held) / 600;
  };
  for (const { seeds, normal: stated } of COVERAGE) expect(Math.abs(covered(seeds, 0, () => normal(rng)) - stated)).toBeLessThan(4);
  // The mean of the interquartile mean over many draws is what an interval is about.
  const fails = (): number => (rng.uniform() < 0.2 ? 0 : 1) + 0.01 * normal(rng);
  const truth = mean(Array.from({ length: 20_000 }, () => iqm(Array.from({ length: 5 }, fails))));
  expect(Math.abs(covered(5, truth, fails) - COVERAGE[0].failing[0])).toBeLessThan(8);
});
