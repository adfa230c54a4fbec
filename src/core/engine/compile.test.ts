import { expect, expectTypeOf, it } from 'vitest';
import { mean, mul, square, sub, sum } from './ops.ts';
import { adam } from './optimisers.ts';
import { createWasmEngine } from './wasm/engine.ts';

const square3 = (masked: boolean) => ({ x: [3], mask: masked ? [3] : null }) as const;

it('a program has the inputs it declares and the outputs it gives, by name and type', async () => {
  const engine = await createWasmEngine();
  const build = (masked: boolean) =>
    engine.compile(square3(masked), ({ x, mask }) => ({ y: mask === undefined ? square(x) : mul(square(x), mask), total: sum(x) }));
  const [plain, masked] = [build(false), build(true)];
  expectTypeOf(plain.in).toEqualTypeOf<{ readonly x: Float32Array; readonly mask: Float32Array | undefined }>();
  expectTypeOf(plain.out).toEqualTypeOf<{ readonly y: Float32Array; readonly total: Float32Array }>();
  // @ts-expect-error: no such output
  expect(plain.out.z).toBeUndefined();
  // @ts-expect-error: no such input
  expect(plain.in.z).toBeUndefined();
  expect(plain.in.mask).toBeUndefined();

  plain.in.x.set([1, 2, 3]);
  masked.in.x.set([1, 2, 3]);
  masked.in.mask?.set([1, 0, 1]);
  plain.run();
  masked.run();
  expect([...plain.out.y, ...plain.out.total]).toEqual([1, 4, 9, 6]);
  expect([...masked.out.y]).toEqual([1, 0, 9]);
});

it('a program that learns has a learning rate and a gradient norm besides', async () => {
  const engine = await createWasmEngine();
  const group = engine.group('net');
  const w = group.param('w', [2], Float32Array.of(3, 4));
  const options = { minimise: 'loss', group, with: adam() } as const;
  const learn = engine.compile({ target: [2] }, ({ target }, g) => ({ loss: mean(square(sub(g.read(w), target))) }), options);
  expectTypeOf(learn.in).toEqualTypeOf<{ readonly target: Float32Array } & { readonly lr: Float32Array }>();
  expectTypeOf(learn.out).toEqualTypeOf<{ readonly loss: Float32Array } & { readonly gradNorm: Float32Array }>();
  learn.in.lr[0] = 0.1;
  learn.run();
  expect([learn.out.loss[0], learn.out.gradNorm[0]]).toEqual([12.5, 5]);

  const typo = () =>
    // @ts-expect-error: what is minimised must be an output
    engine.compile({}, (_, g) => ({ loss: sum(g.read(w)) }), { ...options, minimise: 'lose' });
  expect(typo).toThrow('no output "lose"');
  // @ts-expect-error: minimising needs a group and an optimiser
  expect(() => engine.compile({}, (_, g) => ({ loss: sum(g.read(w)) }), { minimise: 'loss' })).toThrow('needs a parameter group');
});

it('an output that only some programs have is optional in its type', async () => {
  const engine = await createWasmEngine();
  const build = (valued: boolean) => engine.compile({ x: [2] }, ({ x }) => ({ y: x, ...(valued && { value: sum(x) }) }));
  expectTypeOf(build(true).out.value).toEqualTypeOf<Float32Array | undefined>();
  expect(build(false).out.value).toBeUndefined();
});

it('inputs that are declared and not used can be fed; inputs that are used and not declared are refused', async () => {
  const engine = await createWasmEngine();
  const idle = engine.compile({ x: [2], unused: [5] }, ({ x }) => ({ y: x }));
  expect(idle.in.unused.length).toBe(5);
  const hidden = () => engine.compile({ x: [2], y: null }, ({ x }, g) => ({ z: mul(x, g.input('y', [2])) }), { name: 'act' });
  expect(hidden).toThrow('act: the input "y" is not declared');
  expect(() => engine.compile({ x: [2] }, ({ x }, g) => ({ z: sum(mul(x, sum(g.input('x', [3])))) }))).toThrow('"x"');
});

it('a program is the same, node by node, however its inputs are declared', async () => {
  const engine = await createWasmEngine();
  const declared = engine.compile({ b: [2], a: [2] }, ({ a, b }) => ({ y: mul(sub(a, b), a) }));
  const named = engine.compile((g) => ({ y: mul(sub(g.input('a', [2]), g.input('b', [2])), g.input('a', [2])) }));
  expect(declared.stats).toEqual(named.stats);
  expect(Object.keys(declared.in).sort()).toEqual(Object.keys(named.in).sort());
  // @ts-expect-error: polyak moves parameters and has no outputs
  expect(engine.polyak(engine.group('a'), engine.group('b')).out.loss).toBeUndefined();
});
