import { expect, it } from 'vitest';
import { cellAt, weightsOf } from './heads.ts';

it('the weights of a head are its own block', () => {
  const weights = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
  const map = { frame: 1, row: [0, 1], layers: 2, heads: 3, weights };
  expect([...weightsOf(map, 0, 0)]).toEqual([0, 1, 2, 3]);
  expect([...weightsOf(map, 1, 2)]).toEqual([20, 21, 22, 23]);
});

it('a point of the picture is a token and one that it can look at', () => {
  expect(cellAt(0.1, 0.9, 4)).toEqual([3, 0]);
  expect(cellAt(0.6, 0.6, 4)).toEqual([2, 2]);
  expect(cellAt(0.9, 0.1, 4)).toBeNull(); // later tokens are hidden from earlier ones
  expect(cellAt(0.1, 1, 4)).toBeNull();
});
