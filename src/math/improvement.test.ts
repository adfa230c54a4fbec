import { describe, expect, test } from 'vitest';
import { improvement, profile, stratifiedInterval } from './improvement.ts';
import { Rng } from './rng.ts';
import { interval95 } from './seeds.ts';
import { bootstrapInterval, iqm, performanceProfile } from './stats.ts';

const draw = (n: number, shift: number, seed: number): number[] => {
  const rng = Rng.from(seed);
  return Array.from({ length: n }, () => Math.round(8 * (rng.uniform() + shift)) / 8); // eighths: there are ties
};

/** Mean over tasks of P(x > y) + P(x = y) / 2, every pair of runs compared; [runs][tasks]. */
function pairByPair(x: readonly (readonly number[])[], y: readonly (readonly number[])[]): number {
  const tasks = x[0]!.length;
  let total = 0;
  for (let task = 0; task < tasks; task++) {
    let wins = 0;
    for (const a of x) for (const b of y) wins += a[task]! > b[task]! ? 1 : a[task] === b[task] ? 0.5 : 0;
    total += wins / (x.length * y.length);
  }
  return total / tasks;
}

describe('probability of improvement', () => {
  test('is that of every pair compared, ties included, over one task and several', () => {
    const [a, b, c, d] = [draw(7, 0.2, 1), draw(7, 0, 2), draw(7, 0.4, 3), draw(7, 0.1, 4)];
    expect(improvement([a], [b]).p).toBeCloseTo(
      pairByPair(
        a.map((v) => [v]),
        b.map((v) => [v]),
      ),
      12,
    );
    const rows = (x: number[], y: number[]): number[][] => x.map((v, i) => [v, y[i]!]);
    expect(improvement([a, c], [b, d]).p).toBeCloseTo(pairByPair(rows(a, c), rows(b, d)), 12);
  });

  test('has an interval from five runs on, the same every time, and mirrors', () => {
    const [a, b] = [draw(10, 0.3, 1), draw(10, 0, 2)];
    const found = improvement([a], [b]);
    expect(found).toEqual(improvement([a], [b]));
    expect(found.interval![0]).toBeLessThanOrEqual(found.p);
    expect(found.interval![1]).toBeGreaterThanOrEqual(found.p);
    expect(improvement([b], [a]).p).toBeCloseTo(1 - found.p, 12);
    expect(improvement([a.slice(0, 4)], [b]).interval).toBeNull();
    expect(improvement([a, a.slice(0, 3)], [b, b])).toMatchObject({ interval: null, runs: 3 });
    expect(improvement([[2, 2, 2, 2, 2]], [[1, 1, 1, 1, 1]])).toEqual({ p: 1, interval: [1, 1], runs: 5 });
  });

  test('its interval holds one half where both are alike, in about 95 of 100 cases', () => {
    const held = Array.from(
      { length: 100 },
      (_, seed) => improvement([draw(15, 0, 2 * seed)], [draw(15, 0, 2 * seed + 1)]).interval!,
    ).filter(([low, high]) => low <= 0.5 && high >= 0.5);
    expect(held.length).toBeGreaterThan(86);
  });
});

test('the interval of several tasks is that of seeds.ts where there is one', () => {
  const scores = draw(9, 0, 5);
  expect(stratifiedInterval([scores])).toEqual(interval95(scores));
  expect(stratifiedInterval([scores, scores.slice(0, 4)])).toBeNull();
  // Of two tasks, that of stats.ts over the same runs of each.
  const other = draw(9, 0.5, 8);
  const { low, high } = bootstrapInterval(
    scores.map((score, i) => [score, other[i]!]),
    iqm,
    Rng.from(3),
  );
  const found = stratifiedInterval([scores, other])!;
  expect(Math.abs(found[0] - low) + Math.abs(found[1] - high)).toBeLessThan(0.1); // other draws, the same distribution
});

test('a profile is the share above each threshold, inside its band', () => {
  const tasks = [draw(8, 0, 6), draw(6, 0.5, 7)];
  const thresholds = [-1, 0.25, 0.5, 1, 3];
  const { share, band } = profile(tasks, thresholds);
  expect(share).toEqual(
    performanceProfile(
      tasks.flat().map((v) => [v]),
      thresholds,
    ),
  );
  expect([share[0], share[4]]).toEqual([1, 0]);
  share.forEach((value, k) => {
    expect(band!.low[k]).toBeLessThanOrEqual(value);
    expect(band!.high[k]).toBeGreaterThanOrEqual(value);
  });
  expect(profile([draw(3, 0, 1)], thresholds).band).toBeNull();
});
