import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { mlp } from '../../nets/mlp.ts';
import { gruCell, unroll } from '../../nets/recurrent.ts';
import { fuzzProgram, randomFeed, SIZES } from '../../testing/engine/fuzz.ts';
import { interpret } from '../../testing/engine/interpreter.ts';
import { smallLearner } from '../../testing/engine/small-learner.ts';
import { gradients } from '../autodiff.ts';
import { createGraph, reachable } from '../graph.ts';
import * as ops from '../ops.ts';
import { adam, adamW, clipFactor, radam, referenceState, referenceStep, rmsprop, sgd } from '../optimisers.ts';
import { sizeOf } from '../shapes.ts';
import type { Engine, Graph, Op, Optimiser, Param, Tensor } from '../types.ts';
import { createTfjsEngine } from './engine.ts';

const EXECUTORS = ['tfjs-cpu', 'tfjs-wasm'] as const;
const seen = new Set<Op>();

type Outputs = { [name: string]: Tensor };

/** Largest error over all outputs of a program that has no parameters, run twice. */
async function worstError(engine: Engine, build: (g: Graph) => Outputs, feeds: { [name: string]: Float32Array }): Promise<number> {
  const graph = createGraph();
  const outputs = build(graph);
  for (const t of reachable(Object.values(outputs))) seen.add(t.op);
  const exact = interpret(Object.values(outputs), { inputs: feeds });
  const program = engine.compile(build);
  for (const [name, data] of Object.entries(feeds)) program.in[name]?.set(data);
  let worst = 0;
  for (let pass = 0; pass < 2; pass++) {
    for (const out of Object.values(program.out)) out.fill(Number.NaN);
    await program.run();
    for (const [name, t] of Object.entries(outputs)) {
      const expected = exact.get(t)!;
      const size = expected.reduce((m, x) => Math.max(m, Math.abs(x)), 1);
      expected.forEach((x, i) => {
        const error = Math.abs(program.out[name]![i]! - x) / size;
        worst = Math.max(worst, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
      });
    }
  }
  for (const [name, data] of Object.entries(feeds)) if (program.in[name] !== undefined) expect(program.in[name]).toEqual(data);
  program.dispose();
  return worst;
}

describe.each(EXECUTORS)('%s', (executor) => {
  test('random programs and their gradients equal the float64 interpreter', async () => {
    const engine = await createTfjsEngine(executor);
    for (let seed = 1; seed <= 120; seed++) {
      const { build, feeds } = fuzzProgram(seed);
      expect(await worstError(engine, build, feeds), `seed ${seed}`).toBeLessThan(1e-4);
    }
    engine.dispose();
  });

  test('what the fuzzer does not draw: convolutions of all windows, indices, views, cells, stacks', async () => {
    const engine = await createTfjsEngine(executor);
    const rng = Rng.from(9);
    for (const [size, k, stride, pad] of [
      [5, 3, 1, 0],
      [5, 3, 2, 1],
      [7, 2, 3, 0],
      [6, 3, 2, 0],
      [3, 1, 1, 0],
      [4, 3, 1, 1],
    ] as const) {
      const build = (g: Graph): Outputs => {
        const x = g.input('x', [2, size, size + 1, 3]);
        const w = g.input('w', [k, k, 3, 5]);
        const y = ops.conv2d(x, w, undefined, { stride, pad });
        const [dx, dw] = gradients(ops.sum(ops.square(y)), [x, w]) as [Tensor, Tensor];
        return { y, dx, dw, ddx: gradients(ops.sum(ops.square(dx)), [x])[0]! };
      };
      const feeds = { x: randomFeed(rng, 2 * size * (size + 1) * 3), w: randomFeed(rng, k * k * 15) };
      expect(await worstError(engine, build, feeds), `${size} ${k} ${stride} ${pad}`).toBeLessThan(1e-5);
    }
    for (const n of SIZES) {
      const build = (g: Graph): Outputs => {
        const table = g.input('table', [n, 3]);
        const rows = ops.gather(table, g.input('index', [5])); // [5, 3]
        const d = gradients(ops.sum(ops.square(rows)), [table])[0]!;
        const second = gradients(ops.sum(ops.square(ops.mul(d, table))), [table])[0]!;
        const x = g.input('x', [5, n]);
        const cut = ops.stopGradient(ops.sliceAxis(x, 0, 1, 3));
        const padded = gradients(ops.sum(ops.square(ops.sliceAxis(x, 0, 1, 3))), [x])[0]!;
        const picked = ops.where(ops.ge(g.input('index', [5]), 1), ops.pick(x, g.constant(0, [5])), ops.sign(ops.amax(x, -1)));
        const both = ops.mul(ops.le(x, 0), ops.eq(x, x));
        return { rows, d, second, cut, padded, picked, both, flipped: ops.transpose(x), wide: ops.broadcastTo(ops.amin(x, 0), [2, n]) };
      };
      const feeds = { table: randomFeed(rng, 3 * n), index: Float32Array.from([0, n - 1, 0, n >> 1, 0]), x: randomFeed(rng, 5 * n) };
      expect(await worstError(engine, build, feeds), `n ${n}`).toBeLessThan(1e-5);
    }
    const deep = (g: Graph): Outputs => {
      const x = g.input('x', [2, 1, 3, 1, 2]);
      const wide = ops.broadcastTo(x, [2, 5, 3, 7, 2]);
      const chosen = ops.where(ops.gt(x, 0.5), ops.exp(wide), g.input('y', [5, 1, 1, 1]));
      const turned = ops.transpose(ops.concat([wide, chosen], 2), [4, 2, 0, 3, 1]);
      const [dx, dy] = gradients(ops.sum(ops.square(turned)), [x, g.input('y', [5, 1, 1, 1])]) as [Tensor, Tensor];
      const front = ops.broadcastTo(ops.reshape(ops.sum(x, [0, 2, 4]), [1, 1]), [3, 2, 5]);
      return { wide, chosen, turned, dx, dy, front };
    };
    expect(await worstError(engine, deep, { x: randomFeed(rng, 12), y: randomFeed(rng, 5) })).toBeLessThan(1e-5);
    engine.dispose();
  });

  test.each([
    ['sgd', sgd()],
    ['sgd, momentum', sgd({ momentum: 0.9, weightDecay: 0.1 })],
    ['sgd, nesterov', sgd({ momentum: 0.9, nesterov: true })],
    ['adam', adam({ eps: 1e-5 })],
    ['adam, decay', adam({ weightDecay: 0.1 })],
    ['adamW', adamW({ weightDecay: 0.1 })],
    ['radam', radam()],
    ['rmsprop', rmsprop({ eps: 1e-5 })],
    ['rmsprop, centred, momentum', rmsprop({ centered: true, momentum: 0.5, eps: 1e-2 })],
    ['rmsprop, TensorFlow', rmsprop({ epsInsideRoot: true, initialAccumulator: 1, eps: 1e-3, centered: true })],
  ] as [string, Optimiser][])('%s with clipping follows the reference', async (_, optimiser) => {
    const engine = await createTfjsEngine(executor);
    const group = engine.group('net');
    const net = mlp(group, 'm', Rng.from(1), [3, 5, 2]);
    group.param('unused', [2], Float32Array.of(1, -1));
    const build = (g: Graph) => ({ loss: ops.mean(ops.square(ops.sub(net(g.input('x', [7, 3])), g.input('y', [7, 2])))) });
    const program = engine.compile(build, { minimise: 'loss', group, with: optimiser, maxGradNorm: 0.4 });
    const size = group.params.reduce((n, p) => n + sizeOf(p.shape), 0);
    const read = async () => Float64Array.from((await Promise.all(group.params.map((p) => engine.read(p)))).flatMap((a) => [...a]));
    const w = await read();
    const state = referenceState(optimiser, size);
    const rng = Rng.from(4);
    for (let t = 1; t <= 9; t++) {
      const feeds = { x: randomFeed(rng, 21), y: randomFeed(rng, 14) };
      // The gradient at the reference's own weights, by the interpreter.
      const g = createGraph();
      const { loss } = build(g);
      let at = 0;
      const params = new Map<Param, Float64Array>(group.params.map((p) => [p, w.slice(at, (at += sizeOf(p.shape)))]));
      const slopes = gradients(
        loss,
        group.params.map((p) => g.read(p)),
      );
      const values = interpret([loss, ...slopes], { inputs: feeds, params });
      const grad = Float64Array.from(slopes.flatMap((s) => [...values.get(s)!]));
      const norm = Math.sqrt(grad.reduce((s, x) => s + x * x, 0));
      referenceStep(
        optimiser,
        w,
        grad.map((x) => x * clipFactor(norm, 0.4)),
        0.01 / t,
        state,
      );
      program.in.x!.set(feeds.x);
      program.in.y!.set(feeds.y);
      program.in.lr![0] = 0.01 / t;
      await program.run();
      expect(Math.abs(program.out.loss![0]! - values.get(loss)![0]!)).toBeLessThan(1e-4);
      expect(Math.abs(program.out.gradNorm![0]! - norm)).toBeLessThan(1e-3 * norm);
      (await read()).forEach((x, i) => {
        expect(Math.abs(x - w[i]!), `step ${t}, weight ${i}`).toBeLessThan(2e-4);
      });
    }
    engine.dispose();
  });

  test('memory stays flat, and all of it comes back', async () => {
    const before = tf.memory().numTensors;
    const engine = await createTfjsEngine(executor);
    const group = engine.group('net');
    const cell = gruCell(group, 'cell', Rng.from(1), 2, 4);
    const target = engine.group('target');
    gruCell(target, 'cell', Rng.from(2), 2, 4);
    const learn = engine.compile(
      (g) => {
        const { outputs, state } = unroll(cell, g.input('xs', [3, 2, 2]), g.constant(0, [2, 4]), g.input('starts', [3, 2]));
        return { loss: ops.mean(ops.square(outputs)), state };
      },
      { minimise: 'loss', group, with: adam(), maxGradNorm: 0.5 },
    );
    const act = engine.compile((g) => ({ h: cell.advance(cell.project(g.input('x', [1, 2])), g.input('h', [1, 4])) }));
    const copy = engine.polyak(target, group);
    const round = async () => {
      learn.in.xs!.set(randomFeed(Rng.from(1), 12));
      learn.in.lr![0] = 0.01;
      copy.in.tau![0] = 0.1;
      await learn.run({ read: false });
      await act.run();
      await copy.run();
      engine.write(group.params[0]!, await engine.read(group.params[0]!));
      await learn.read();
    };
    await round();
    await round();
    const held = tf.memory().numTensors;
    for (let i = 0; i < 20; i++) await round();
    expect(tf.memory().numTensors).toBe(held);
    engine.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  test('a saved run goes on as it would have', async () => {
    const make = async () => {
      const engine = await createTfjsEngine(executor);
      const learn = smallLearner(engine);
      const steps = async (n: number) => {
        for (let i = 0; i < n; i++) {
          learn.in.x.set(randomFeed(Rng.from(i), 12));
          learn.in.lr[0] = 0.05;
          await learn.run();
        }
      };
      return { engine, steps };
    };
    const a = await make();
    const b = await make();
    expect(await a.engine.hash()).toBe(await b.engine.hash());
    await a.steps(3);
    const saved = await a.engine.save();
    expect(await a.engine.hash()).not.toBe(await b.engine.hash());
    await a.steps(2);
    b.engine.load(saved);
    await b.steps(2);
    expect(await b.engine.hash()).toBe(await a.engine.hash());
    // Parameters alone: the optimiser starts afresh.
    const bare = { meta: {}, arrays: Object.fromEntries(Object.entries(saved.arrays).filter(([k]) => !k.includes('#'))) };
    const c = await make();
    b.engine.load(bare);
    c.engine.load(bare);
    await b.steps(1);
    await c.steps(1);
    expect(await b.engine.hash()).toBe(await c.engine.hash());
    expect(() => c.engine.load({ ...bare, arrays: { ...bare.arrays, 'other/w': new Float32Array(1) } })).toThrow(LabError);
    for (const { engine } of [a, b, c]) engine.dispose();
  });

  test('assign, and both groups of a Polyak average', async () => {
    const engine = await createTfjsEngine(executor);
    const net = engine.group('net');
    const target = engine.group('target');
    const w = net.param('w', [3], Float32Array.of(1, 2, 3));
    const count = net.param('count', [], Float32Array.of(0));
    const old = target.param('w', [3], Float32Array.of(-1, 0, 1));
    const other = target.param('own', [1], Float32Array.of(5));
    const program = engine.compile((g) => {
      g.assign(count, ops.add(g.read(count), 1));
      return { twice: ops.mul(g.read(w), 2) };
    });
    await program.run();
    await program.run();
    expect([...(await engine.read(count))]).toEqual([2]);
    expect([...(await engine.read(w))]).toEqual([1, 2, 3]);
    const average = engine.polyak(target, net);
    average.in.tau![0] = 0.5;
    await average.run();
    expect([...(await engine.read(old)), ...(await engine.read(other))]).toEqual([0, 1, 2, 5]);
    engine.write(w, Float32Array.of(7, 8, 9));
    await program.run();
    expect([...program.out.twice!]).toEqual([14, 16, 18]);
    expect(() => net.param('late', [1], Float32Array.of(0))).toThrow('too late');
    expect(() => engine.group('net')).toThrow('two parameter groups');
    engine.dispose();
  });
});

test('every primitive was seen', () => {
  const all: readonly Op[] = [
    ...([
      'neg',
      'exp',
      'log',
      'sqrt',
      'abs',
      'tanh',
      'sigmoid',
      'relu',
      'elu',
      'softplus',
      'gelu',
      'sin',
      'cos',
      'square',
      'sign',
    ] as const),
    ...(['add', 'sub', 'mul', 'div', 'min', 'max', 'eq', 'lt', 'le', 'gt', 'ge', 'where', 'sum', 'amax', 'matmul'] as const),
    ...(['broadcast', 'reshape', 'transpose', 'slice', 'concat', 'pad', 'gather', 'scatterAdd', 'im2col', 'col2im'] as const),
    ...(['stopGradient', 'const', 'input'] as const),
  ];
  expect(all.filter((op) => !seen.has(op))).toEqual([]);
});

test('two backends in one thread do not disturb each other', async () => {
  const engines = [await createTfjsEngine('tfjs-cpu'), await createTfjsEngine('tfjs-wasm')];
  const programs = engines.map((e) => {
    const p = e.group('g').param('p', [2], Float32Array.of(1, 2));
    return e.compile((g) => ({ y: ops.exp(ops.mul(g.read(p), g.input('x', [2]))) }));
  });
  for (let i = 0; i < 4; i++) {
    for (const p of programs) p.in.x!.fill(i);
    await Promise.all(programs.map((p) => p.run()));
    for (const p of programs) expect(p.out.y![1]).toBeCloseTo(Math.exp(2 * i), 2);
  }
  for (const e of engines) e.dispose();
});

test('a backend that is not here is named', async () => {
  await expect(createTfjsEngine('tfjs-webgpu')).rejects.toMatchObject({ failure: { id: 'gpu-missing' } });
});
