import { describe, expect, it } from 'vitest';
import { columnGrid, decimate, extent } from './decimate.ts';
import { smooth } from './smooth.ts';

const x = Float64Array.from({ length: 2000 }, (_, i) => i * 50);
const y = Float64Array.from({ length: 2000 }, (_, i) => Math.sin(i / 40) + ((i * 7919) % 13) / 13);

describe('smooth', () => {
  it('is off at 0', () => {
    expect([...smooth(x, y, 0)]).toEqual([...y]);
  });

  it('is the debiased moving average on even steps', () => {
    const out = smooth([0, 1, 2], [1, 2, 4], 0.5);
    expect(out[0]).toBeCloseTo(1);
    expect(out[1]).toBeCloseTo((0.25 * 1 + 0.5 * 2) / 0.75);
    expect(out[2]).toBeCloseTo((0.125 * 1 + 0.25 * 2 + 0.5 * 4) / 0.875);
  });

  it('starts at the first value and reproduces a constant', () => {
    expect(smooth([0, 3, 10], [5, 5, 5], 0.99)[2]).toBeCloseTo(5, 10);
  });

  it('does not smooth more because a stretch was logged more densely', () => {
    const far = smooth([0, 10, 20, 30], [0, 0, 0, 1], 0.9)[3]!;
    const mixed = smooth([0, 10, 19, 19.5, 20, 30], [0, 0, 0, 0, 0, 1], 0.9)[5]!;
    expect(mixed).toBeGreaterThan(far * 1.1); // the last gap is 1.7 mean spacings there
  });

  it('gives the same value at the same x at two zoom levels', () => {
    const smoothed = { x, y: smooth(x, y, 0.95) };
    const at = x[1234]!;
    const wide = decimate(smoothed, { from: at - 1000, to: at + 1000, columns: 4000 });
    const near = decimate(smoothed, { from: at - 100, to: at + 100, columns: 400 });
    const read = (row: (number | null)[], from: number, to: number, columns: number): number | null =>
      row[2 * Math.floor(((at - from) / (to - from)) * columns) + 1] ?? null;
    const value = read(wide, at - 1000, at + 1000, 4000);
    expect(value).toBe(smoothed.y[1234]);
    expect(read(near, at - 100, at + 100, 400)).toBe(value);
  });
});

describe('decimate', () => {
  it('keeps every extreme and their order within a column', () => {
    const spiky = Float64Array.from({ length: 20_000 }, (_, i) => (i === 7777 ? 99 : i === 12_345 ? -99 : Math.sin(i)));
    const steps = Float64Array.from({ length: 20_000 }, (_, i) => i);
    const row = decimate({ x: steps, y: spiky }, { from: 0, to: 19_999, columns: 300 });
    expect(extent([row])).toEqual([-99, 99]);
    expect(row.length).toBe(columnGrid({ from: 0, to: 19_999, columns: 300 }).length);
    const two = decimate({ x: Float64Array.from([0, 1, 2, 3]), y: Float64Array.from([5, 1, 9, 4]) }, { from: 0, to: 3, columns: 1 });
    expect(two.slice(1, 3)).toEqual([1, 9]);
  });

  it('keeps the neighbours outside the view so that lines reach its edges', () => {
    const row = decimate({ x: Float64Array.from([0, 10, 20, 30]), y: Float64Array.from([1, 2, 3, 4]) }, { from: 12, to: 28, columns: 4 });
    expect(row[0]).toBe(2);
    expect(row[row.length - 1]).toBe(4);
    expect(row.filter((v) => v !== null)).toEqual([2, 3, 4]);
  });

  it('leaves empty columns empty', () => {
    const row = decimate({ x: Float64Array.from([0, 100]), y: Float64Array.from([1, 2]) }, { from: 0, to: 100, columns: 10 });
    expect(row.filter((v) => v === null)).toHaveLength(20);
  });
});
