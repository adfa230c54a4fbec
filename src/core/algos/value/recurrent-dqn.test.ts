import { expect, it } from 'vitest';
import { squeezed, unsqueezed } from './recurrent-dqn.ts';

it('values are squeezed and brought back', () => {
  for (const x of [-300, -1, -0.01, 0, 0.5, 7, 1e4]) expect(unsqueezed(squeezed(x))).toBeCloseTo(x, 6);
  expect(squeezed(3)).toBeCloseTo(1.003, 9);
});
