/** TQC's critic loss and its slope against torch in float64 (golden/tqc-loss.json), which atoms are kept, what it refuses. */
import { expect, it } from 'vitest';
import { gradients } from '../../engine/autodiff.ts';
import { createGraph } from '../../engine/graph.ts';
import { mul, reshape, sliceAxis, sub } from '../../engine/ops.ts';
import { endlessBox } from '../../testing/box-probes.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { ask, play } from '../../testing/play.ts';
import { pointing } from '../../testing/probes.ts';
import golden from './golden/tqc-loss.json' with { type: 'json' };
import { bootstrapped } from './lib/actor-critic.ts';
import { smallestOf, tqc, truncatedLoss } from './tqc.ts';

it.each(golden.cases)('$critics critics of $quantiles quantiles, $drop left out of each: loss and slope', (given) => {
  const { rows: M, critics: N, quantiles: K, drop, alpha } = given;
  const g = createGraph();
  const current = g.input('current', [M, N, K]);
  const next = g.input('next', [M, N * K]);
  const column = (name: string) => reshape(g.input(name, [M]), [M, 1]);
  const [reward, discount, logProb] = [column('reward'), column('discount'), column('logProb')];
  const kept = N * (K - drop);
  const y = bootstrapped(reward, discount, sub(next, mul(logProb, alpha)));
  const quantiles = Array.from({ length: N }, (_, n) => reshape(sliceAxis(current, 1, n, 1), [M, K]));
  const loss = truncatedLoss(quantiles, y, smallestOf(next, kept), kept);
  const [slope] = gradients(loss, [current]);
  const { current: now, next: then, reward: r, discount: d, logProb: p } = given;
  const found = interpret([loss, slope!], { inputs: { current: now, next: then, reward: r, discount: d, logProb: p } });
  expect(found.get(loss)![0]).toBeCloseTo(given.loss, 6);
  given.slope.forEach((want, i) => {
    expect(found.get(slope!)![i]).toBeCloseTo(want, 6);
  });
});

it('keeps the smallest atoms of each row, of equal ones the first', () => {
  const g = createGraph();
  const counts = smallestOf(g.input('atoms', [3, 4]), 2);
  const atoms = [4, 1, 3, 2, 5, 5, 5, 5, -1, 7, -1, -1];
  expect([...interpret([counts], { inputs: { atoms } }).get(counts)!]).toEqual([0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0]);
});

it('bootstraps over time limits: 1 / (1 - gamma)', async () => {
  const run = await play(endlessBox, 'tqc', 3000, {
    ...tqc.probeConfig,
    autoTemperature: 'off',
    temperature: 1e-3,
    drop: 0,
    trainEvery: 1,
  });
  expect((await ask(endlessBox, run, [1])).value![0]).toBeGreaterThan(9);
}, 60_000);

it('refuses to leave out all atoms', () => {
  expect(() => tqc.fits(pointing.meta({}), tqc.parse({ quantiles: 3, drop: 3 }))).toThrow(/All atoms/);
  expect(() => tqc.fits(pointing.meta({}), tqc.parse({ quantiles: 3, drop: 2 }))).not.toThrow();
});
