/** Batch renormalisation against a plain float64 form, batch after batch, and its slopes against differences. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { createEngine } from '../engine/index.ts';
import { mul, sum } from '../engine/ops.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { batchRenorm } from './batch-renorm.ts';

const [M, C] = [6, 3];
const options = { rate: 0.1, eps: 1e-3, plain: 2 };

interface Running {
  readonly mean: readonly number[];
  readonly variance: readonly number[];
}

/** What a batch becomes, and the running statistics behind it. */
function plain(x: ArrayLike<number>, { mean, variance }: Running, correct: boolean) {
  const columns = [0, 1, 2].map((c) => Array.from({ length: M }, (_, row) => x[row * C + c]!));
  const m = columns.map((column) => column.reduce((a, b) => a + b) / M);
  const v = columns.map((column, c) => column.reduce((a, b) => a + (b - m[c]!) ** 2, 0) / M);
  const out = Array.from({ length: M * C }, (_, i) => {
    const c = i % C;
    const [std, running] = [Math.sqrt(v[c]! + options.eps), Math.sqrt(variance[c]! + options.eps)];
    const r = correct ? Math.min(3, Math.max(1 / 3, std / running)) : 1;
    const d = correct ? Math.min(5, Math.max(-5, (m[c]! - mean[c]!) / running)) : 0;
    return ((x[i]! - m[c]!) / std) * r + d;
  });
  const moved = (old: readonly number[], now: readonly number[]) => old.map((value, c) => value + options.rate * (now[c]! - value));
  return { out, after: { mean: moved(mean, m), variance: moved(variance, v) } };
}

it('plain batches first, then corrected ones; what is settled uses the running statistics', async () => {
  const engine = await createEngine('wasm');
  const layer = batchRenorm(engine.group('critic'), engine.group('statistics'), 'norm', C, options);
  const learn = engine.compile({ x: [M, C] }, ({ x }) => ({ y: layer.learn(x) }));
  const settled = engine.compile({ x: [M, C] }, ({ x }) => ({ y: layer.settled(x) }));
  const rng = Rng.from(2);
  let running: Running = { mean: [0, 0, 0], variance: [1, 1, 1] };
  for (let batch = 0; batch < 6; batch++) {
    const x = Float32Array.from({ length: M * C }, (_, i) => 2 + (i % C) + (1 + 3 * (i % C)) * normal(rng));
    learn.in.x.set(x);
    await learn.run();
    const { out, after } = plain(x, running, batch > options.plain);
    out.forEach((value, i) => {
      expect(learn.out.y[i], `batch ${batch}`).toBeCloseTo(value, 4);
    });
    running = after;
    settled.in.x.set(x);
    await settled.run();
    for (let i = 0; i < M * C; i++) {
      const c = i % C;
      expect(settled.out.y[i]).toBeCloseTo((x[i]! - running.mean[c]!) / Math.sqrt(running.variance[c]! + options.eps), 4);
    }
  }
  engine.dispose();
});

it.each([0, 5])('after %i batches the slope goes through mean and variance of the batch, not through the correction', async (seen) => {
  const engine = await createEngine('wasm');
  const [group, statistics] = [engine.group('critic'), engine.group('statistics')];
  const layer = batchRenorm(group, statistics, 'norm', C, options);
  const rng = Rng.from(4);
  const draw = (): Float64Array => Float64Array.from({ length: M * C }, () => normal(rng));
  const [x, weight] = [draw(), draw()];
  const running = { mean: [0.3, -0.2, 0.1], variance: [0.7, 1.4, 2] };
  const g = createGraph();
  const input = g.input('x', [M, C]);
  const loss = sum(mul(layer.learn(input), g.input('weight', [M, C])));
  const [slope] = gradients(loss, [input]) as [typeof loss];
  const [gain, shift] = group.params;
  const [mean, variance, batches] = statistics.params;
  const params = new Map([
    [gain!, [1, 1, 1]],
    [shift!, [0, 0, 0]],
    [mean!, running.mean],
    [variance!, running.variance],
    [batches!, [seen]],
  ]);
  const found = interpret([slope], { inputs: { x, weight }, params }).get(slope)!;
  const ratio = [0, 1, 2].map((c) => {
    const column = Array.from({ length: M }, (_, row) => x[row * C + c]!);
    const m = column.reduce((a, b) => a + b) / M;
    const v = column.reduce((a, b) => a + (b - m) ** 2, 0) / M;
    return seen > options.plain ? Math.min(3, Math.max(1 / 3, Math.sqrt((v + options.eps) / (running.variance[c]! + options.eps)))) : 1;
  });
  // r and d are held still: what is left is r times the slope of plain normalisation.
  const at = (of: Float64Array): number =>
    plain(of, running, false).out.reduce((total, value, i) => total + ratio[i % C]! * value * weight[i]!, 0);
  const h = 1e-6;
  for (let i = 0; i < M * C; i++) {
    const moved = (by: number): number => at(x.map((value, j) => (j === i ? value + by : value)));
    expect(found[i]).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 5);
  }
  engine.dispose();
});
