import { expect, it } from 'vitest';
import { attentionOf, layerOf, settledAfter } from './inside.ts';

const inside = { row: [0, 1], layers: 2, heads: 2, attention: Float32Array.of(1, 0, 0.5, 0.5, 0.25, 0.75, 0, 1) };

it('one head is read as it is, all together on average; a choice that is not there gives the last layer and the mean', () => {
  expect([...attentionOf(inside, 0, 1)]).toEqual([0.5, 0.5]);
  expect([...attentionOf(inside, 1, -1)]).toEqual([0.125, 0.875]);
  expect([...attentionOf(inside, layerOf(inside, Number.POSITIVE_INFINITY), 7)]).toEqual([0.125, 0.875]);
  expect(layerOf(inside, 0)).toBe(0);
});

it('a token is settled from the layer on after which it is always the likeliest', () => {
  const lens = (...best: number[]) => best.map((id) => ({ id: 4, logProb: -1, entropy: 1, likely: [{ id, probability: 0.5 }] }));
  expect(settledAfter(lens(4, 4, 4))).toBe(0);
  expect(settledAfter(lens(4, 3, 4))).toBe(2);
  expect(settledAfter(lens(4, 4, 3))).toBeNull();
});
