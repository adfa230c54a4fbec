/** What is left of samples without the largest, and the quantile loss towards it, against plain loops in float64. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { mean } from '../engine/ops.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { allButLargest, keptQuantileHuber, midpoints } from './distribution.ts';

const drawn = (rng: Rng, n: number): Float64Array => Float64Array.from({ length: n }, () => 2 * normal(rng));

it.each([0, 1, 3, 6])('the %i largest are marked, equal ones one by one', (count) => {
  const x = [5, 1, 5, -2, 0.5, 3, /**/ 7, 7, 7, 7, 7, 7, /**/ -1, -1e30, -3, -2, -2, 0];
  const g = createGraph();
  const kept = allButLargest(g.input('x', [3, 6]), count);
  const found = interpret([kept], { inputs: { x } }).get(kept)!;
  for (let row = 0; row < 3; row++) {
    const places = [0, 1, 2, 3, 4, 5].sort((a, b) => x[6 * row + b]! - x[6 * row + a]! || a - b); // stable: of equal ones the first
    for (const [rank, place] of places.entries()) expect(found[6 * row + place], `row ${row}, rank ${rank}`).toBe(rank < count ? 0 : 1);
  }
});

it('the loss towards kept samples is that of a loop over pairs, and its slope that of differences', () => {
  const [M, K, L, count] = [3, 4, 6, 4];
  const rng = Rng.from(5);
  const inputs = {
    quantiles: drawn(rng, M * K),
    target: drawn(rng, M * L),
    kept: Float64Array.from({ length: M * L }, (_, i) => +(i % 3 !== 1)),
  };
  /** Mean over rows, quantiles and kept samples of |tau - 1{u < 0}| Huber_1(u). */
  const plain = (quantiles: Float64Array): number => {
    let sum = 0;
    for (let m = 0; m < M; m++)
      for (let k = 0; k < K; k++)
        for (let l = 0; l < L; l++) {
          if (inputs.kept[m * L + l] === 0) continue;
          const u = inputs.target[m * L + l]! - quantiles[m * K + k]!;
          const huber = Math.abs(u) <= 1 ? 0.5 * u * u : Math.abs(u) - 0.5;
          sum += Math.abs((k + 0.5) / K - (u < 0 ? 1 : 0)) * huber;
        }
    return sum / (M * K * count);
  };
  const g = createGraph();
  const quantiles = g.input('quantiles', [M, K]);
  const loss = mean(keptQuantileHuber(quantiles, midpoints(g, K), g.input('target', [M, L]), g.input('kept', [M, L]), count));
  const [slope] = gradients(loss, [quantiles]) as [typeof loss];
  const found = interpret([loss, slope], { inputs });
  expect(found.get(loss)![0]).toBeCloseTo(plain(inputs.quantiles), 7);
  const h = 1e-5;
  for (let i = 0; i < M * K; i++) {
    const moved = (by: number): number => plain(inputs.quantiles.map((v, j) => (j === i ? v + by : v)));
    expect(found.get(slope)![i]).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 6);
  }
});
