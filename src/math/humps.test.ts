import { expect, test } from 'vitest';
import { twoHumps } from './humps.ts';
import { Rng } from './rng.ts';
import { normal } from './sampling.ts';

test('two humps are seen from five numbers on, and seldom where there is one', () => {
  expect(twoHumps([0, 0, 1, 1])).toBeNull();
  expect(twoHumps([0.02, 0.95, 0.96, 0.97, 0.95])).toBe(true);
  expect(twoHumps([0.02, 0.05, 0.9, 0.95, 0.93])).toBe(true);
  expect(twoHumps([1, 2, 3, 4, 5])).toBe(false);
  expect(twoHumps([7, 7, 7, 7, 7])).toBe(false);
  const rng = Rng.from(1);
  const draws = Array.from({ length: 2000 }, () => twoHumps(Array.from({ length: 5 }, () => normal(rng))));
  expect(draws.filter(Boolean).length / draws.length).toBeLessThan(0.07);
});
