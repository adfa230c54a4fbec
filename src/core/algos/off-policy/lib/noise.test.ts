import { expect, it } from 'vitest';
import { createEngine } from '#core/engine/index.ts';
import { Rng } from '#math/rng.ts';
import { fillUniform, gaussianNoise, gumbelNoise, uniformShape } from './actor-critic.ts';

it('normal and Gumbel noise have the right moments and are finite', async () => {
  const engine = await createEngine('wasm');
  const program = engine.compile({ u: uniformShape(4001, 5), v: [20_000] }, ({ u, v }) => ({
    normal: gaussianNoise(u, 4001, 5),
    gumbel: gumbelNoise(v),
  }));
  const rng = Rng.from(3);
  fillUniform(rng, program.in.u);
  fillUniform(rng, program.in.v);
  program.in.v[0] = 1 - 2 ** -24; // the largest uniform number there is
  program.in.v[1] = 2 ** -24; // the smallest
  await program.run();
  const moment = (x: Float32Array, k: number, centre = 0): number => x.reduce((sum, v) => sum + (v - centre) ** k, 0) / x.length;
  const { normal, gumbel } = program.out;
  expect(normal.length).toBe(4001 * 5);
  expect(Math.abs(moment(normal, 1))).toBeLessThan(0.03);
  expect(moment(normal, 2)).toBeCloseTo(1, 1);
  expect(moment(normal, 4)).toBeGreaterThan(2.7);
  expect(moment(normal, 4)).toBeLessThan(3.3);
  // Neighbours come from different pairs, halves from the same: neither may be correlated.
  const half = 10_003;
  expect(Math.abs(normal.subarray(0, 10_000).reduce((sum, v, i) => sum + v * normal[half + i]!, 0) / 10_000)).toBeLessThan(0.05);
  expect(gumbel.every(Number.isFinite)).toBe(true);
  expect(moment(gumbel, 1)).toBeCloseTo(0.5772, 1);
  expect(Math.abs(moment(gumbel, 2, 0.5772) - Math.PI ** 2 / 6)).toBeLessThan(0.1);
  engine.dispose();
});
