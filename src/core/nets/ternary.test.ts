/** Ternary layers: the weights they compute with, the gradient they learn by, and their bytes, by hand. */
import { expect, it, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { mul, sum } from '../engine/ops.ts';
import { hostGroup } from '../engine/params.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { layerBytes, ternaryTrunk, ternaryWeights } from './ternary.ts';

it('weights become -1, 0 or 1 times the mean of their sizes', () => {
  // the mean size is 1: what lies within half of it becomes 0
  expect([...ternaryWeights(Float32Array.of(2, -1.5, 0.4, -0.1))]).toEqual([1, -1, 0, -0].map((x) => (x === 0 ? 0 : x)));
  expect([...ternaryWeights(new Float32Array(3))]).toEqual([0, 0, 0]);
});

test('a layer computes with ternary weights and learns as if they were float', () => {
  const group = hostGroup('net');
  const trunk = ternaryTrunk(group, Rng.from(1), [2, 2], 'none');
  const g = createGraph();
  const x = g.input('x', [1, 2]);
  const y = trunk(x);
  const w = group.params.find(({ name }) => name === 'trunk.0.w')!;
  const params = new Map(group.initial);
  params.set(w, Float32Array.of(2, -1.5, 0.4, -0.1)); // ternary 1, -1 / 0, 0
  const [slope] = gradients(sum(mul(y, g.constant([1, 10], [1, 2]))), [g.read(w)]);
  const found = interpret([y, slope!], { inputs: { x: [3, 5] }, params });
  expect([...found.get(y)!].map((v) => Math.round(1e5 * v) / 1e5)).toEqual([3, -3]);
  // dy/dw as of x w: the inputs times what is asked of each output
  expect([...found.get(slope!)!]).toEqual([3, 30, 5, 50]);
});

it('bytes: biases and a scale stay float, four ternary weights share a byte', () => {
  expect(layerBytes([4, 8, 3], false)).toBe(4 * (32 + 8 + 24 + 3));
  expect(layerBytes([4, 8, 3], true)).toBe(8 + 32 + 4 + (6 + 12 + 4));
});
