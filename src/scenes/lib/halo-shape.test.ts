import { expect, test } from 'vitest';
import { alongArc, arcBetween, haloRadius, ringOf, ringPieces } from './halo-shape.ts';

test('the sign of a value is a shape, its size a width and a radius', () => {
  expect(ringOf(1)).toEqual({ kind: 'closed', level: 4 });
  expect(ringOf(0.1)).toEqual({ kind: 'closed', level: 1 });
  expect(ringOf(-0.6)).toEqual({ kind: 'broken', level: 3 });
  expect(ringOf(0).kind).toBe('dotted');
  expect(ringOf(Number.NaN).kind).toBe('dotted');
  expect(haloRadius(1, -1, 0.5)).toBe(haloRadius(1, 1, 0.5));
  expect(haloRadius(1, 0.5, 0.5)).toBeGreaterThan(haloRadius(1, 0.1, 0.5));
  expect(haloRadius(1, 0, 0.5)).toBeGreaterThan(1);
});

test('a closed ring goes all the way round, a broken one does not', () => {
  const length = (kind: 'closed' | 'broken' | 'dotted'): number => ringPieces(kind).reduce((sum, [from, to]) => sum + to - from, 0);
  expect(length('closed')).toBeCloseTo(2 * Math.PI);
  expect(length('broken')).toBeLessThan(0.7 * 2 * Math.PI);
  expect(length('dotted')).toBeLessThan(length('broken'));
});

test('arcs there and back keep apart, rise, and end before the things', () => {
  const there = arcBetween([0, 0, 0], 0.1, [2, 0, 0], 0.1, 0.2)!;
  const back = arcBetween([2, 0, 0], 0.1, [0, 0, 0], 0.1, 0.2)!;
  const [top, other] = [alongArc(there, 0.5), alongArc(back, 0.5)];
  expect(top[1]).toBeCloseTo(0.4);
  expect(top[2]).toBeCloseTo(-other[2]);
  expect(Math.abs(top[2])).toBeGreaterThan(0.1);
  expect(alongArc(there, 0)[0]).toBeGreaterThan(0);
  expect(alongArc(there, 1)[0]).toBeLessThan(1.9);
  // of things that touch it still rises above both
  expect(alongArc(arcBetween([0, 0, 0], 1, [1, 0, 0], 1, 0.2)!, 0.5)[1]).toBeCloseTo(0.8);
  expect(arcBetween([0, 0, 0], 1, [0, 0, 0], 1, 0.2)).toBeNull();
});
