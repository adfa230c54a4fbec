/** An update in parts is the update of the whole: the same bits for one part, the same numbers up to rounding for several. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import { matmul, reshape, square, sub, sum, tanh } from './ops.ts';
import { adamW } from './optimisers.ts';
import { inParts } from './parts.ts';
import type { Engine } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

const ROWS = 12;
const uniform = (n: number, rng: Rng): Float32Array => Float32Array.from({ length: n }, () => rng.uniform() - 0.5);

/** A network of two layers with a loss that is a sum over rows. */
async function learner(parts: number) {
  const engine: Engine = await createWasmEngine();
  const rng = Rng.from(7);
  const group = engine.group('net');
  const [first, second] = [group.param('first', [3, 5], uniform(15, rng)), group.param('second', [5, 1], uniform(5, rng))];
  const rows = ROWS / parts;
  const program = inParts(engine, parts).compile(
    { x: [rows, 3], y: [rows, 1] },
    ({ x, y }, g) => ({ loss: sum(square(sub(matmul(tanh(matmul(x, g.read(first))), g.read(second)), y))) }),
    { minimise: 'loss', group, with: adamW({ weightDecay: 0.01 }), maxGradNorm: 0.5 },
  );
  return {
    engine,
    program,
    rows,
    weights: async () => [...(await engine.read(first)), ...(await engine.read(second))],
  };
}

/** `updates` steps over the same rows; gives weights, norms and losses. */
async function train(parts: number, updates: number) {
  const { program, rows, weights, engine } = await learner(parts);
  const rng = Rng.from(3);
  const norms: number[] = [];
  const losses: number[] = [];
  for (let update = 0; update < updates; update++) {
    const x = uniform(ROWS * 3, rng);
    const y = uniform(ROWS, rng);
    let loss = 0;
    for (let part = 0; part < parts; part++) {
      program.in.x.set(x.subarray(part * rows * 3, (part + 1) * rows * 3));
      program.in.y.set(y.subarray(part * rows, (part + 1) * rows));
      program.in.lr[0] = 0.01;
      await program.run();
      loss += program.out.loss[0]!;
    }
    losses.push(loss);
    norms.push(program.out.gradNorm[0]!);
  }
  const found = { weights: await weights(), norms, losses };
  engine.dispose();
  return found;
}

it.each([2, 3, 4])('%s parts take the steps of the whole, clipped by the norm of the sum', async (parts) => {
  const whole = await train(1, 20);
  const found = await train(parts, 20);
  for (const name of ['weights', 'norms', 'losses'] as const)
    found[name].forEach((x, i) => {
      expect(x, `${name} ${i}`).toBeCloseTo(whole[name][i]!, 5);
    });
  expect(whole.norms.some((norm) => norm > 0.5)).toBe(true);
  // not by chance: without the sum only the last part would be learned from
  expect(found.weights).not.toEqual(await (await learner(parts)).weights());
});

it('parameters stay as they are until the last part, and the sum is zero again behind the step', async () => {
  const { program, weights, rows } = await learner(3);
  const before = await weights();
  program.in.x.set(uniform(rows * 3, Rng.from(1)));
  program.in.y.fill(1);
  program.in.lr[0] = 0.1;
  for (let part = 0; part < 2; part++) await program.run();
  expect(await weights()).toEqual(before);
  await program.run();
  const once = await weights();
  expect(once).not.toEqual(before);
  program.in.lr[0] = 0;
  for (let part = 0; part < 3; part++) await program.run();
  expect(await weights()).toEqual(once);
});

it('programs of several sizes over one group count together', async () => {
  const engine = await createWasmEngine();
  const group = engine.group('net');
  const w = group.param('w', [2], Float32Array.of(3, 4));
  const { compile } = inParts(engine, 2);
  const of = (n: number) =>
    compile({ x: [n, 2] }, ({ x }, g) => ({ loss: sum(matmul(x, reshape(g.read(w), [2, 1]))) }), {
      minimise: 'loss',
      group,
      with: adamW(),
    });
  const [small, large] = [of(1), of(3)];
  small.in.x.set([1, 0]);
  large.in.x.set([0, 1, 0, 1, 0, 1]);
  for (const program of [small, large]) {
    program.in.lr[0] = 0.1;
    await program.run();
  }
  expect(large.out.gradNorm[0]).toBeCloseTo(Math.sqrt(10), 6);
  engine.dispose();
});

it('one part is the engine itself; fewer are refused', async () => {
  const engine = await createWasmEngine();
  expect(inParts(engine, 1)).toBe(engine);
  for (const parts of [0, -1, 1.5]) expect(() => inParts(engine, parts)).toThrow(RangeError);
  engine.dispose();
});
