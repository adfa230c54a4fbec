import { expect, test } from 'vitest';
import { type CodePoint, inPlane, withPoint } from './plane.ts';

const point = (code: readonly number[], episode = 0, t = 0): CodePoint => ({ code, episode, t, who: '' });

test('the plane holds the two directions in which codes differ most, on one scale', () => {
  const codes = [[2, 0, 0, 5], [-2, 0, 0, 5], [0, 1, 0, 5], [0, -1, 0, 5], [0, 0, 0.1, 5], [0, 0, -0.1, 5]]; // biome-ignore format: rows
  const placed = inPlane(codes.map((code, t) => point(code, 0, t)));
  expect(placed.map(({ x, y }) => [x, y].map((v) => Math.round(v * 100) / 100 || 0))).toEqual([[1, 0], [-1, 0], [0, 0.5], [0, -0.5], [0, 0], [0, 0]]); // biome-ignore format: rows
});

test('one number, or codes that are alike, need no plane', () => {
  expect(inPlane([])).toEqual([]);
  expect(inPlane([point([3]), point([1])]).map(({ x, y }) => [x, y])).toEqual([[1, 0], [-1, 0]]); // biome-ignore format: rows
  expect(inPlane([point([1, 2]), point([1, 2])]).map(({ x, y }) => [x, y])).toEqual([[0, 0], [0, 0]]); // biome-ignore format: rows
});

test('a frame that is shown again takes its own place; the oldest go first', () => {
  let points: readonly CodePoint[] = [];
  for (let t = 0; t < 700; t++) points = withPoint(points, point([t], 0, t));
  points = withPoint(points, point([-1], 0, 699));
  expect(points.length).toBe(600);
  expect([points[0]?.t, points.at(-1)?.code]).toEqual([100, [-1]]);
});
