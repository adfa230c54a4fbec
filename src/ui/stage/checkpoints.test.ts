import { expect, it } from 'vitest';
import { nearest, shift } from './checkpoints.ts';

const kept = [{ step: 100 }, { step: 400 }, { step: 1000 }];

it('finds the nearest kept policy', () => {
  expect(nearest(kept, 0)).toBe(100);
  expect(nearest(kept, 260)).toBe(400);
  expect(nearest(kept, 9999)).toBe(1000);
  expect(nearest([], 5)).toBeNull();
});

it('goes from one kept policy to another and stops at the ends', () => {
  expect(shift(kept, 400, 1)).toBe(1000);
  expect(shift(kept, 400, -1)).toBe(100);
  expect(shift(kept, 450, 1)).toBe(1000);
  expect(shift(kept, 100, -1)).toBe(100);
  expect(shift(kept, 0, 1)).toBe(100);
  expect(shift(kept, 400, 1e9)).toBe(1000);
});
