import { expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { planeOf, turned } from './plane.ts';

const draw = (n: number, size: number, seed: number) => {
  const rng = Rng.from(seed);
  return Array.from({ length: n }, () => Array.from({ length: size }, () => 10 * rng.uniform()));
};
const apart = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, d) => x - b[d]!));

test('places of a plane are found again from their distances to a few of them', () => {
  const places = draw(40, 2, 3);
  const marks = [0, 7, 14, 21, 28, 35];
  const { at, held } = planeOf(Float64Array.from(places.flatMap((place) => marks.map((m) => apart(place, places[m]!)))), marks);
  expect(held).toBeCloseTo(1, 9);
  const found = turned(at, Float64Array.from(places.flat()));
  const middle = [0, 1].map((d) => places.reduce((sum, place) => sum + place[d]!, 0) / places.length);
  for (const [i, place] of places.entries()) for (const d of [0, 1]) expect(found[2 * i + d]).toBeCloseTo(place[d]! - middle[d]!, 6);
});

test('mirrored and turned places lie as they did', () => {
  const places = draw(12, 2, 5);
  const [c, s] = [Math.cos(2), Math.sin(2)];
  const moved = Float64Array.from(places.flatMap(([x, y]) => [c * -x! - s * y! + 4, s * -x! + c * y! - 9]));
  const found = turned(moved, Float64Array.from(places.flat()));
  const middle = [0, 1].map((d) => places.reduce((sum, place) => sum + place[d]!, 0) / places.length);
  for (const [i, place] of places.entries()) for (const d of [0, 1]) expect(found[2 * i + d]).toBeCloseTo(place[d]! - middle[d]!, 9);
});

test('of more dimensions two hold a part; places that are one hold none', () => {
  const places = draw(30, 6, 7);
  const marks = places.map((_, i) => i);
  const { held } = planeOf(Float64Array.from(places.flatMap((a) => places.map((b) => apart(a, b)))), marks);
  expect(held).toBeGreaterThan(0.3);
  expect(held).toBeLessThan(0.8);
  const one = planeOf(new Float64Array(9), [0, 1, 2]);
  expect([one.held, ...one.at]).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
