import { describe, expect, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import * as ops from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Program } from '#core/engine/types.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import { mlp } from '#core/nets/mlp.ts';
import { Rng } from '#math/rng.ts';
import { trainingErrors } from './training.ts';

/** A regression on fixed random rows; the loss falls, every kind of kernel of a dense network takes part. */
async function regression(rows: number, pages?: number) {
  const engine = await createWasmEngine(pages === undefined ? {} : { pages });
  const group = engine.group('net');
  const net = mlp(group, 'q', Rng.from(3), [5, 17, 9, 3]);
  const learn = (m: number): Program =>
    engine.compile((g) => ({ loss: ops.mean(ops.square(ops.sub(net(g.input('x', [m, 5])), g.input('y', [m, 3])))) }), {
      minimise: 'loss',
      group,
      with: adam({ eps: 1e-5 }),
      maxGradNorm: 0.5,
    });
  const program = learn(rows);
  const rng = Rng.from(4);
  const train = (p: Program, steps: number): number => {
    for (let t = 0; t < steps; t++) {
      for (let i = 0; i < p.in.x!.length; i++) p.in.x![i] = rng.uniform() * 2 - 1;
      for (let i = 0; i < p.in.y!.length; i++) p.in.y![i] = p.in.x![i % 5]! * 0.7 - 0.1;
      p.in.lr![0] = 0.01;
      p.run();
    }
    return p.out.loss![0]!;
  };
  return { engine, group, net, learn, program, train, rng };
}

describe('determinism', () => {
  test('the same steps give the same parameters, bit for bit, and different ones another hash', async () => {
    const hashes: string[] = [];
    for (const steps of [60, 60, 61]) {
      const { engine, program, train } = await regression(32);
      train(program, steps);
      hashes.push(engine.hash());
    }
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });
  test('rows do not influence each other: a batch of 7 gives the bits of its rows one by one', async () => {
    const { engine, net } = await regression(4);
    const [many, one] = [7, 1].map((m) => engine.compile((g) => ({ y: net(g.input('x', [m, 5])) })));
    const x = Float32Array.from({ length: 35 }, (_, i) => Math.fround(((i * 29) % 17) / 8 - 1));
    many!.in.x!.set(x);
    many!.run();
    for (let row = 0; row < 7; row++) {
      one!.in.x!.set(x.subarray(row * 5, row * 5 + 5));
      one!.run();
      expect(one!.out.y).toEqual(many!.out.y!.slice(row * 3, row * 3 + 3));
    }
  });
});

describe('memory', () => {
  test('running allocates nothing: the memory and every view stay the same objects', async () => {
    const { engine, program, train } = await regression(128);
    const { buffer } = engine.memory.object;
    const views = [...Object.values(program.in), ...Object.values(program.out)];
    train(program, 50);
    expect(engine.memory.object.buffer).toBe(buffer);
    expect([...Object.values(program.in), ...Object.values(program.out)].every((v, i) => v === views[i])).toBe(true);
  });
  test('compiling a large program grows the memory; older programs keep their values and go on', async () => {
    const { engine, program, train, learn } = await regression(8, 1);
    train(program, 20);
    program.in.x!.fill(0.25);
    const { pages } = engine.memory;
    const hash = engine.hash();
    const large = learn(4096);
    expect(engine.memory.pages).toBeGreaterThan(pages);
    expect(engine.hash()).toBe(hash);
    expect([...program.in.x!]).toEqual(new Array(40).fill(0.25));
    const before = train(large, 1);
    train(program, 200);
    expect(train(large, 1)).toBeLessThan(before);
    expect(engine.save().meta.steps).toEqual({ net: 222 });
  });
  test('disposed programs give their memory back', async () => {
    const { engine, learn } = await regression(8);
    learn(512).dispose();
    const { pages } = engine.memory;
    for (let i = 0; i < 200; i++) learn(512).dispose();
    expect(engine.memory.pages).toBe(pages);
    const p = learn(8);
    p.dispose();
    expect(() => p.run()).toThrow(/disposed/);
  });
});

describe('parameters', () => {
  const fresh = async () => (await regression(8)).engine;

  test('save and load: training goes on bit for bit, in an engine that has compiled already and in one that has not', async () => {
    const a = await regression(16);
    a.train(a.program, 30);
    const saved = structuredClone(a.engine.save());
    const b = await regression(16);
    b.engine.load(saved);
    b.rng.state.set(a.rng.state);
    b.rng.refresh();
    a.train(a.program, 10);
    b.train(b.program, 10);
    expect(b.engine.hash()).toBe(a.engine.hash());

    const late = await createWasmEngine();
    const group = late.group('net');
    const net = mlp(group, 'q', Rng.from(9), [5, 17, 9, 3]);
    late.load(saved);
    const build = { minimise: 'loss', group, with: adam({ eps: 1e-5 }), maxGradNorm: 0.5 };
    const p = late.compile((g) => ({ loss: ops.mean(ops.square(ops.sub(net(g.input('x', [16, 5])), g.input('y', [16, 3])))) }), build);
    expect(late.save().meta.steps).toEqual({ net: 30 });
    const c = await regression(16);
    c.engine.load(saved);
    for (const q of [p, c.program]) {
      q.in.x!.fill(0.5);
      q.in.y!.fill(0.25);
      q.in.lr![0] = 0.01;
      q.run();
    }
    expect(late.hash()).toBe(c.engine.hash());
  });
  test('a file of another network is refused and changes nothing', async () => {
    const engine = await fresh();
    const hash = engine.hash();
    const other = await createWasmEngine();
    other.group('net').param('w', [2], Float32Array.of(1, 2));
    expect(() => engine.load(other.save())).toThrow(LabError);
    const cut = structuredClone(engine.save());
    const key = Object.keys(cut.arrays)[0]!;
    expect(() => engine.load({ ...cut, arrays: { ...cut.arrays, [key]: new Float32Array(2) } })).toThrow(/holds 2 numbers/);
    expect(engine.hash()).toBe(hash);
  });
  test('read copies, write reaches every program', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('g');
    const w = group.param('w', [3], Float32Array.of(1, 2, 3));
    engine.write(w, Float32Array.of(4, 5, 6));
    const p = engine.compile((g) => ({ y: ops.mul(g.read(w), 2) }));
    p.run();
    expect([...p.out.y!]).toEqual([8, 10, 12]);
    const copy = engine.read(w) as Float32Array;
    engine.write(w, Float32Array.of(0, 0, 1));
    p.run();
    expect([...copy, ...p.out.y!]).toEqual([4, 5, 6, 0, 0, 2]);
    expect(() => engine.write(w, new Float32Array(2))).toThrow(/do not fill/);
    expect(() => group.param('late', [1], new Float32Array(1))).toThrow(/too late/);
  });
  test('assign takes effect after the run, swaps included', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('g');
    const a = group.param('a', [2], Float32Array.of(1, 2));
    const b = group.param('b', [2], Float32Array.of(3, 4));
    const p = engine.compile((g) => {
      g.assign(a, g.read(b));
      g.assign(b, ops.add(g.read(a), 10));
      return { before: g.read(a) };
    });
    p.run();
    expect([...p.out.before!, ...engine.read(a), ...engine.read(b)]).toEqual([1, 2, 3, 4, 11, 12]);
  });
  test('put writes one place of an axis, which every row has for itself, and leaves the others', async () => {
    expect(await trainingErrors(() => createWasmEngine(), ['put', 'assign'])).toEqual({ assign: 0, put: 0 });
  });
  test('polyak: equal layouts in one pass, others by name; tau 1 copies exactly', async () => {
    const engine = await createWasmEngine();
    const [source, target, other] = ['source', 'target', 'other'].map((name) => engine.group(name));
    const w = source!.param('w', [3], Float32Array.of(1, 2, 3));
    source!.param('b', [9], new Float32Array(9).fill(4));
    const wt = target!.param('w', [3], new Float32Array(3));
    const bt = target!.param('b', [9], new Float32Array(9));
    const bo = other!.param('b', [9], new Float32Array(9).fill(8));
    const move = (p: Program, tau: number): void => {
      p.in.tau![0] = tau;
      p.run();
    };
    const same = engine.polyak(target!, source!);
    move(same, 0.25);
    expect([...engine.read(wt), engine.read(bt)[8]]).toEqual([0.25, 0.5, 0.75, 1]);
    move(engine.polyak(other!, source!), 0.5);
    expect(engine.read(bo)[3]).toBe(6);
    engine.write(w, Float32Array.of(Math.fround(0.1), -0, 1e-40));
    move(same, 1);
    expect(engine.read(wt)).toEqual(engine.read(w));
  });
  test('two programs, one with a part of the loss: gradients of the other do not leak', async () => {
    const engine = await createWasmEngine();
    const group = engine.group('g');
    const a = group.param('a', [2], Float32Array.of(1, 1));
    const b = group.param('b', [2], Float32Array.of(1, 1));
    const options = { minimise: 'loss', group, with: adam() };
    const both = engine.compile((g) => ({ loss: ops.sum(ops.mul(g.read(a), g.read(b))) }), options);
    const first = engine.compile((g) => ({ loss: ops.sum(g.read(a)) }), options);
    both.run();
    first.run();
    expect(first.out.gradNorm![0]).toBeCloseTo(Math.SQRT2, 6);
  });
});

test('outputs may be inputs, parameters, views, constants, or one value twice', async () => {
  const engine = await createWasmEngine({ poison: true });
  const w = engine.group('g').param('w', [2, 3], Float32Array.of(1, 2, 3, 4, 5, 6));
  const p = engine.compile((g) => {
    const x = g.input('x', [3]);
    const y = ops.exp(x);
    return {
      x,
      w: g.read(w),
      turned: ops.transpose(g.read(w)),
      row: ops.slice(g.read(w), [1, 0], [1, 3]),
      five: g.constant(5, [2, 2]),
      y,
      again: y,
      wide: ops.broadcastTo(y, [2, 3]),
      flat: ops.reshape(ops.neg(y), [3, 1]),
    };
  });
  p.in.x!.fill(0);
  p.run();
  expect(Object.fromEntries(Object.entries(p.out).map(([k, v]) => [k, [...v]]))).toEqual({
    x: [0, 0, 0],
    w: [1, 2, 3, 4, 5, 6],
    turned: [1, 4, 2, 5, 3, 6],
    row: [4, 5, 6],
    five: [5, 5, 5, 5],
    y: [1, 1, 1],
    again: [1, 1, 1],
    wide: [1, 1, 1, 1, 1, 1],
    flat: [-1, -1, -1],
  });
});
