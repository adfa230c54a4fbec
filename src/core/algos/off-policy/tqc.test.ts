/** TQC's loss against sorting and a loop over pairs in float64, what truncation does to values, and settings that make no sense. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../../engine/autodiff.ts';
import { createGraph } from '../../engine/graph.ts';
import { mean } from '../../engine/ops.ts';
import { endlessBox } from '../../testing/box-probes.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { ask, play } from '../../testing/play.ts';
import { pointing } from '../../testing/probes.ts';
import { tqc, truncatedLoss } from './tqc.ts';

const [M, N, K] = [4, 3, 5];
const ALPHA = 0.3;

function numbers(seed: number) {
  const rng = Rng.from(seed);
  const draw = (n: number): Float64Array => Float64Array.from({ length: n }, () => 1.5 * normal(rng));
  const discount = Float64Array.of(0.99, 0, 0.99, 0.9);
  return { quantiles: draw(M * N * K), next: draw(M * N * K), reward: draw(M), discount, nextLogProb: draw(M), alpha: [ALPHA] };
}

/** Mean over critics, quantiles and what is left of the sorted target. */
function plain(x: ReturnType<typeof numbers>, drop: number): number {
  const kept = N * K - N * drop;
  let sum = 0;
  for (let m = 0; m < M; m++) {
    const sorted = [...x.next.subarray(m * N * K, (m + 1) * N * K)].sort((a, b) => a - b).slice(0, kept);
    const y = sorted.map((z) => x.reward[m]! + x.discount[m]! * (z - ALPHA * x.nextLogProb[m]!));
    for (let i = 0; i < N * K; i++)
      for (const sample of y) {
        const u = sample - x.quantiles[m * N * K + i]!;
        const tau = ((i % K) + 0.5) / K;
        sum += Math.abs(tau - (u < 0 ? 1 : 0)) * (Math.abs(u) <= 1 ? 0.5 * u * u : Math.abs(u) - 0.5);
      }
  }
  return sum / (M * N * K * kept);
}

it.each([0, 1, 4])('drop %i: the loss and its slope', (drop) => {
  const inputs = numbers(drop + 1);
  const g = createGraph();
  const quantiles = g.input('quantiles', [M, N * K]);
  const [reward, discount, nextLogProb] = ['reward', 'discount', 'nextLogProb'].map((name) => g.input(name, [M])) as [
    typeof quantiles,
    typeof quantiles,
    typeof quantiles,
  ];
  const next = g.input('next', [M, N * K]);
  const rest = { reward, discount, nextLogProb, alpha: g.input('alpha', [1]), critics: N, drop };
  const loss = mean(truncatedLoss(quantiles, next, rest));
  const [slope] = gradients(loss, [quantiles]) as [typeof loss];
  const found = interpret([loss, slope], { inputs });
  expect(found.get(loss)![0]).toBeCloseTo(plain(inputs, drop), 7);
  const h = 1e-5;
  for (let i = 0; i < M * N * K; i++) {
    const moved = (by: number): number => plain({ ...inputs, quantiles: inputs.quantiles.map((v, j) => (j === i ? v + by : v)) }, drop);
    expect(found.get(slope)![i]).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 6);
  }
});

const small = { ...tqc.probeConfig, trainEvery: 1, autoTemperature: false, temperature: 1e-3 };

it('bootstraps over time limits: 1 / (1 - gamma), and never above it for what is dropped', async () => {
  const value = async (drop: number) => {
    const run = await play(endlessBox, 'tqc', 3000, { ...small, drop });
    return (await ask(endlessBox, run, [1])).value![0]!;
  };
  expect(await value(2)).toBeGreaterThan(9);
  expect(await value(20)).toBeLessThan((await value(0)) + 0.1);
}, 60_000);

it('refuses to drop everything', () => {
  expect(() => tqc.fits(pointing.meta({}), { quantiles: 5, drop: 5 })).toThrow(/drops all/);
  expect(() => tqc.fits(pointing.meta({}), { quantiles: 5, drop: 4 })).not.toThrow();
});
