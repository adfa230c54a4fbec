/** DroQ's critics against a plain float64 network with dropped units and layer normalisation, the zeros' distribution, REDQ. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { gradients } from '../../engine/autodiff.ts';
import { createGraph } from '../../engine/graph.ts';
import { createEngine } from '../../engine/index.ts';
import { mean, square } from '../../engine/ops.ts';
import { sizeOf } from '../../engine/shapes.ts';
import type { Param } from '../../engine/types.ts';
import { endlessBox } from '../../testing/box-probes.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { ask, play } from '../../testing/play.ts';
import { pointing } from '../../testing/probes.ts';
import { trained } from '../../testing/trained.ts';
import { droppedCritic, droq, fillDropout } from './droq.ts';

const [M, S, A] = [3, 2, 1];
const HIDDEN = [4, 5];

it.each([true, false])('a critic with dropped units, layer normalisation %s: value and slopes', async (layerNorm) => {
  const engine = await createEngine('wasm');
  const group = engine.group('critic');
  const rng = Rng.from(7);
  const critic = droppedCritic(group, 'q', rng, S + A, { hidden: HIDDEN, layerNorm });
  const params = new Map(group.params.map((param) => [param, Float64Array.from({ length: sizeOf(param.shape) }, () => normal(rng))]));
  const state = Float64Array.from({ length: M * S }, () => normal(rng));
  const action = Float64Array.from({ length: M * A }, () => normal(rng));
  const factors = Float32Array.from({ length: M * 9 }, () => (rng.uniform() < 0.3 ? 0 : 1 / 0.7));

  const plain = (of: ReadonlyMap<Param, Float64Array>, dropping: boolean): number[] => {
    const at = (name: string): Float64Array => [...of].find(([param]) => param.name === name)![1];
    return Array.from({ length: M }, (_, m) => {
      let h = [...state.subarray(m * S, (m + 1) * S), action[m]!];
      let from = 0;
      HIDDEN.forEach((units, layer) => {
        const [w, b] = [at(`q.${layer}.w`), at(`q.${layer}.b`)];
        let z = Array.from({ length: units }, (_, o) => h.reduce((sum, v, i) => sum + v * w[i * units + o]!, b[o]!));
        if (dropping) z = z.map((v, o) => v * factors[from + m * units + o]!);
        from += M * units;
        if (layerNorm) {
          const centre = z.reduce((a, v) => a + v, 0) / units;
          const variance = z.reduce((a, v) => a + (v - centre) ** 2, 0) / units;
          z = z.map(
            (v, o) => ((v - centre) / Math.sqrt(variance + 1e-5)) * at(`q.${layer}.norm.gain`)[o]! + at(`q.${layer}.norm.shift`)[o]!,
          );
        }
        h = z.map((v) => Math.max(v, 0));
      });
      return h.reduce((sum, v, i) => sum + v * at('q.2.w')[i]!, at('q.2.b')[0]!);
    });
  };

  const g = createGraph();
  const [s, a, f] = [g.input('s', [M, S]), g.input('a', [M, A]), g.input('f', [M * 9])];
  const [dropped, whole] = [critic(s, a, f), critic(s, a, undefined)];
  const loss = mean(square(dropped));
  const slopes = gradients(
    loss,
    [...params.keys()].map((param) => g.read(param)),
  );
  const found = interpret([dropped, whole, ...slopes], { inputs: { s: state, a: action, f: factors }, params });
  for (const [values, dropping] of [
    [dropped, true],
    [whole, false],
  ] as const)
    plain(params, dropping).forEach((v, m) => {
      expect(found.get(values)![m]).toBeCloseTo(v, 6);
    });
  const h = 1e-6;
  const lossOf = (of: ReadonlyMap<Param, Float64Array>): number => plain(of, true).reduce((sum, v) => sum + v * v, 0) / M;
  [...params].forEach(([param, data], k) => {
    const moved = (i: number, by: number): number => lossOf(new Map([...params, [param, data.map((v, j) => (j === i ? v + by : v))]]));
    for (let i = 0; i < data.length; i++) expect(found.get(slopes[k]!)![i]).toBeCloseTo((moved(i, h) - moved(i, -h)) / (2 * h), 4);
  });
  engine.dispose();
});

it.each([0.01, 0.3])('each unit is dropped with a chance of %f, whatever its neighbour does', (chance) => {
  const out = new Float32Array(200_000);
  fillDropout(Rng.from(3), chance, out);
  const zeros = out.reduce((n, v) => n + (v === 0 ? 1 : 0), 0) / out.length;
  expect(Math.abs(zeros - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / out.length));
  const pairs = out.reduce((n, v, i) => n + (v === 0 && out[i + 1] === 0 ? 1 : 0), 0) / out.length;
  expect(Math.abs(pairs - chance ** 2)).toBeLessThan(4 * chance * Math.sqrt(1 / out.length));
  expect(out.every((v) => v === 0 || v === Math.fround(1 / (1 - chance)))).toBe(true);
});

it('nothing is dropped with a chance of 0', () => {
  const out = new Float32Array(10);
  fillDropout(Rng.from(1), 0, out);
  expect([...out]).toEqual(Array<number>(10).fill(1));
});

const still = { ...droq.probeConfig, autoTemperature: 'off', temperature: 1e-3 };

it('bootstraps over time limits: 1 / (1 - gamma)', async () => {
  const run = await play(endlessBox, 'droq', 3000, still);
  expect((await ask(endlessBox, run, [1])).value![0]).toBeGreaterThan(9);
}, 60_000);

it('REDQ, four critics of which two are drawn, learns to point and resumes bit for bit', async () => {
  const config = { ...droq.probeConfig, critics: 4, dropout: 0, layerNorm: false };
  const task = { algo: droq, env: pointing, config, steps: 2500 };
  const whole = await trained(task);
  expect(whole.evalReturn).toBeGreaterThan(0.9);
  const half = await trained(task, { stopAt: 1200 });
  expect((await trained(task, { resume: half.saved })).hash).toBe(whole.hash);
}, 60_000);

it('refuses more critics in a target than there are', () => {
  expect(() => droq.fits(pointing.meta({}), { critics: 2, targetCritics: 3 })).toThrow(/more critics/);
});
