/** Gradient clipping over a whole group, and over each part of it by itself. */
import { expect, it } from 'vitest';
import { add, mul, sum } from './ops.ts';
import { adam, sgd } from './optimisers.ts';
import { createTfjsEngine } from './tfjs/engine.ts';
import type { CompileOptions, Engine } from './types.ts';
import { createWasmEngine } from './wasm/engine.ts';

/** Two networks whose gradients are 3000 and 3, of several parameters each; what one step with learning rate 1 moves them by. */
async function moves(engine: Engine, options: Pick<CompileOptions, 'maxGradNorm' | 'clipApart'>, optimiser = sgd()) {
  const group = engine.group('both');
  const made = ['large.w', 'large.b', 'small.w', 'small.b'].map((name) => group.param(name, [1], Float32Array.of(1)));
  const learn = engine.compile(
    {},
    (_, g) => ({ loss: made.map((p, i) => sum(mul(g.read(p), i < 2 ? 3000 : 3))).reduce((a, b) => add(a, b)) }),
    { minimise: 'loss', group, with: optimiser, ...options },
  );
  learn.in.lr[0] = 1;
  await learn.run();
  const after = await Promise.all(made.map((p) => engine.read(p)));
  return { moved: after.map((p) => 1 - p[0]!), norm: learn.out.gradNorm[0]! };
}

const network = { clipApart: ({ name }: { readonly name: string }) => name.split('.')[0]! };

it.each([
  ['wasm', () => createWasmEngine()],
  ['tfjs', () => createTfjsEngine('tfjs-cpu')],
] as const)('%s: a norm for each part, where one norm lets the larger gradient silence the smaller', async (_, create) => {
  const together = await moves(await create(), { maxGradNorm: 0.5 });
  const apart = await moves(await create(), { maxGradNorm: 0.5, ...network });
  expect(together.norm).toBeCloseTo(Math.hypot(3000, 3000, 3, 3), 1);
  expect(apart.norm).toBe(together.norm);
  const half = 0.5 / Math.SQRT2;
  expect(together.moved[0]).toBeCloseTo(half, 3);
  expect(together.moved[2]).toBeLessThan(1e-3);
  for (const moved of apart.moved) expect(moved).toBeCloseTo(half, 5);
});

it('without a limit the parts change nothing, and a part below the limit is left alone', async () => {
  const free = await moves(await createWasmEngine(), network, adam());
  expect(free).toEqual(await moves(await createWasmEngine(), {}, adam()));
  const { moved } = await moves(await createWasmEngine(), { maxGradNorm: 100, ...network });
  expect(moved[2]).toBeCloseTo(3, 5);
  expect(moved[0]).toBeCloseTo(100 / Math.SQRT2, 3);
});
