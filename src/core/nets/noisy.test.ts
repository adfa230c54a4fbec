import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../engine/index.ts';
import { drawNoise, NoisyLayers } from './noisy.ts';

it('a noisy layer adds sigma f(e) f(e)^T to its weights, and nothing without noise', async () => {
  const engine = await createEngine('wasm');
  const group = engine.group('noisy');
  const layers = new NoisyLayers(group, Rng.from(1), 0.5);
  layers.dense('first', 4, 2);
  const from = layers.size;
  const net = layers.dense('second', 4, 3);
  expect([from, layers.size]).toEqual([6, 13]);
  const program = engine.compile({ x: [1, 4], noise: [13] }, ({ x, noise }) => ({ drawn: net(x, noise), still: net(x, null) }));
  program.in.x.set([1, -2, 0.5, 3]);
  drawNoise(Rng.from(2), program.in.noise);
  await program.run();
  const value = async (name: string) => engine.read(group.params.find((p) => p.name === `second.${name}`)!);
  const [w, b] = [await value('w'), await value('b')];
  const sigma = 0.5 / Math.sqrt(4);
  const noise = program.in.noise.subarray(from);
  for (let o = 0; o < 3; o++) {
    const sum = (extra: (i: number) => number): number =>
      [0, 1, 2, 3].reduce((total, i) => total + program.in.x[i]! * (w[3 * i + o]! + extra(i)), 0);
    expect(program.out.still[o]).toBeCloseTo(sum(() => 0) + b[o]!, 5);
    expect(program.out.drawn[o]).toBeCloseTo(sum((i) => sigma * noise[i]! * noise[4 + o]!) + b[o]! + sigma * noise[4 + o]!, 5);
  }
});

it('noise is the signed root of a normal draw', () => {
  const out = new Float32Array(40_000);
  drawNoise(Rng.from(3), out);
  const mean = (f: (v: number) => number): number => out.reduce((total, v) => total + f(v), 0) / out.length;
  expect(Math.abs(mean((v) => v))).toBeLessThan(0.03);
  expect(mean((v) => v ** 2)).toBeCloseTo(Math.sqrt(2 / Math.PI), 1); // E |e|
  expect(mean((v) => v ** 4)).toBeCloseTo(1, 1); // E e^2
});
