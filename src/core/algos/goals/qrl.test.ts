/** The learned distance is one that may differ there and back; its losses by plain numbers; what it learns. */
import { describe, expect, it, test } from 'vitest';
import { gradients } from '#core/engine/autodiff.ts';
import { createGraph } from '#core/engine/graph.ts';
import { createEngine } from '#core/engine/index.ts';
import { sum } from '#core/engine/ops.ts';
import { getEnv } from '#core/envs/all.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import { play, resumed } from '#core/testing/play.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { drawnApart, quasi, tooLong } from './qrl.ts';

describe('the distance', () => {
  test('0 at the place itself, no way round is shorter, there and back differ', () => {
    const rng = Rng.from(2);
    const L = 6;
    const codes = Array.from({ length: 5 }, () => Array.from({ length: L }, () => normal(rng)));
    const pairs = codes.flatMap((a) => codes.map((b) => [a, b] as const));
    const g = createGraph();
    const far = quasi(g.input('a', [pairs.length, L]), g.input('b', [pairs.length, L]));
    const inputs = { a: pairs.flatMap(([a]) => a), b: pairs.flatMap(([, b]) => b) };
    const found = interpret([far], { inputs }).get(far)!;
    const of = (i: number, j: number): number => found[codes.length * i + j]!;
    for (const i of codes.keys()) {
      expect(of(i, i)).toBeCloseTo(0, 5);
      for (const j of codes.keys()) {
        const [a, b] = [codes[i]!, codes[j]!];
        const alike = Math.sqrt([0, 1, 2].reduce((all, d) => all + (a[d]! - b[d]!) ** 2, 0));
        expect(of(i, j)).toBeCloseTo(alike + Math.max(0, ...[3, 4, 5].map((d) => a[d]! - b[d]!)), 5);
        for (const k of codes.keys()) expect(of(i, k)).toBeLessThanOrEqual(of(i, j) + of(j, k) + 1e-9);
      }
    }
    expect(of(0, 1)).not.toBeCloseTo(of(1, 0), 3);
  });

  test('its slope and those of the losses equal finite differences', async () => {
    const engine = await createEngine('wasm');
    const program = engine.compile({ a: [2, 4], b: [2, 4] }, (x) => {
      const far = quasi(x.a, x.b);
      const [apart, excess] = [drawnApart(far), tooLong(far)];
      const slopes = [sum(far), apart, excess].map((loss) => gradients(loss, [x.a])[0]!);
      return { far, apart, excess, ofFar: slopes[0]!, ofApart: slopes[1]!, ofExcess: slopes[2]! };
    });
    const [a, b] = [
      [1, 2, 3, 0.5, -1, 0, 0.2, 0.4],
      [0, 4, 1, 0.1, -1.5, 0.3, 0.5, 0.1],
    ];
    const by = (x: readonly number[]) => {
      const far = [0, 1].map((row) => {
        const off = [0, 1, 2, 3].map((d) => x[4 * row + d]! - b![4 * row + d]!) as [number, number, number, number];
        return Math.hypot(off[0], off[1]) + Math.max(0, off[2], off[3]);
      });
      const mean = (f: (d: number) => number): number => far.reduce((all, d) => all + f(d), 0) / 2;
      return {
        ofFar: far[0]! + far[1]!,
        ofApart: mean((d) => 100 * Math.log1p(Math.exp(5 - d / 100))),
        ofExcess: mean((d) => Math.max(0, d - 1) ** 2),
      };
    };
    program.in.a.set(a!);
    program.in.b.set(b!);
    await program.run();
    expect(program.out.apart[0]).toBeCloseTo(by(a!).ofApart, 3);
    expect(program.out.excess[0]).toBeCloseTo(by(a!).ofExcess, 4);
    for (const name of ['ofFar', 'ofApart', 'ofExcess'] as const)
      for (let k = 0; k < 8; k++) {
        const moved = (e: number): number => by(a!.map((x, i) => (i === k ? x + e : x)))[name];
        expect(program.out[name][k], `${name} ${k}`).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 3);
      }
    engine.dispose();
  });
});

describe('learning', () => {
  const small = { recordSteps: 20_000, hidden: [64, 64], batchSize: 128, lr: 0.002, code: 32 };

  // random play reaches .03 of the goals
  test('the U-shaped maze from noisy recordings', async () => {
    const { evalReturn, rows, columns } = await play(getEnv('quick-point-maze'), 'qrl', 1000, { ...small, dataset: 'expert' });
    expect(evalReturn).toBeGreaterThan(0.7);
    const signs = rows.map((row) => row[1 + columns.indexOf('wrongSigns')]!).filter(Number.isFinite);
    expect(signs.at(-1)).toBeLessThan(0.25); // 0.5 is chance
  });

  it('goes on where it was', async () => {
    const bits = { hidden: [16], code: 8, batchSize: 32, recordSteps: 500, dataset: 'random' };
    const { whole, joined } = await resumed(getEnv('bit-flip'), 'qrl', 256, bits);
    expect(joined).toMatchObject({ hash: whole.hash, rows: whole.rows });
  });
});
