import { describe, expect, it } from 'vitest';
import { aggregate, carry, commonGrid, type XY } from './aggregate.ts';

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
