import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aggregate, carry, commonGrid, drawResamples, interval, iqm, quantile, randomIndex, type XY } from './aggregate.ts';

interface Case {
  readonly name: string;
  readonly input: { readonly scores: number[] | number[][]; readonly index?: number[][][] };
  readonly expected: { readonly iqm?: number | number[]; readonly ci95?: readonly [number, number] };
}
const golden = JSON.parse(readFileSync(new URL('./golden/eval-rliable.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};
const named = (name: string): Case => golden.cases.find((c) => c.name === name)!;

describe('iqm', () => {
  for (const name of ['aggregates', 'iqm_n_not_multiple_of_4', 'fractional_iqm_differs']) {
    it(`equals the reference: ${name}`, () => {
      const { input, expected } = named(name);
      expect(iqm(input.scores.flat())).toBeCloseTo(expected.iqm as number, 9);
    });
  }

  it('equals the reference for scripted stratified resamples, and so do their percentiles', () => {
    for (const name of ['bootstrap_three_fixed_resamples', 'bootstrap_200_fixed_resamples']) {
      const { input, expected } = named(name);
      const scores = input.scores as number[][];
      const results = input.index!.map((draw) => iqm(draw.flatMap((row) => row.map((run, task) => scores[run]![task]!))));
      if (Array.isArray(expected.iqm)) {
        for (const [i, value] of expected.iqm.entries()) expect(results[i]).toBeCloseTo(value, 9);
      } else {
        results.sort((a, b) => a - b);
        expect(quantile(results, 0.025)).toBeCloseTo(expected.ci95![0], 9);
        expect(quantile(results, 0.975)).toBeCloseTo(expected.ci95![1], 9);
      }
    }
  });
});

describe('bootstrap', () => {
  it('draws indices evenly and the same every time', () => {
    const seen = new Array(7).fill(0);
    for (let i = 0; i < 70_000; i++) seen[randomIndex(1, i, 7)]++;
    for (const count of seen) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    expect(randomIndex(1, 12345, 1000)).toBe(randomIndex(1, 12345, 1000));
  });

  it('gives what writing every resample out would give', () => {
    const values = Float64Array.from([3, 1, 4, 1.5, 9, 2.6]);
    const n = values.length;
    const written: number[] = [];
    const { counts, weights } = drawResamples(n, 500, 7);
    counts.forEach((row, r) => {
      const drawn = [...row].flatMap((times, seed) => new Array<number>(times).fill(values[seed]!));
      expect(drawn).toHaveLength(n);
      for (let k = 0; k < weights[r]!; k++) written.push(iqm(drawn));
    });
    expect(written).toHaveLength(500);
    written.sort((a, b) => a - b);
    const [low, high] = interval(values, { counts, weights });
    expect(low).toBeCloseTo(quantile(written, 0.025), 12);
    expect(high).toBeCloseTo(quantile(written, 0.975), 12);
  });

  it('is a point where all seeds agree', () => {
    expect(interval(new Float64Array(5).fill(2), drawResamples(5))).toEqual([2, 2]);
  });
});

const line = (x: number[], y: number[]): XY => ({ x: Float64Array.from(x), y: Float64Array.from(y) });

describe('aggregate', () => {
  it('aligns by carrying the last value, only where every seed has one', () => {
    const a = line([10, 20, 40], [1, 2, 3]);
    const b = line([15, 30], [5, 6]);
    const grid = commonGrid([a, b], 100);
    expect([...grid]).toEqual([15, 20, 30]);
    expect([...carry(a, grid)]).toEqual([1, 2, 2]);
    expect([...carry(b, grid)]).toEqual([5, 5, 6]);
  });

  it('thins long grids evenly and keeps both ends', () => {
    const x = Array.from({ length: 1001 }, (_, i) => i);
    const grid = commonGrid([line(x, x)], 101);
    expect(grid).toHaveLength(101);
    expect([grid[0], grid[1], grid[100]]).toEqual([0, 10, 1000]);
  });

  it('has no interval below five seeds', () => {
    const seeds = [1, 2, 3, 4].map((v) => line([0, 1], [v, v]));
    expect(aggregate(seeds)).toBeNull();
  });

  it('with five seeds is the mean of the middle three, inside its interval', () => {
    const seeds = [1, 2, 30, 4, -50].map((v) => line([0, 1], [v, v + 1]));
    const result = aggregate(seeds)!;
    expect(result.n).toBe(5);
    expect(result.line[0]).toBeCloseTo((1 + 2 + 4) / 3, 12);
    expect(result.line[1]).toBeCloseTo((2 + 3 + 5) / 3, 12);
    expect(result.low[0]).toBeLessThan(result.line[0]!);
    expect(result.high[0]).toBeGreaterThan(result.line[0]!);
  });
});
