import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { gradients } from '../engine/autodiff.ts';
import { createGraph } from '../engine/graph.ts';
import { createEngine } from '../engine/index.ts';
import * as ops from '../engine/ops.ts';
import { type HostGroup, hostGroup } from '../engine/params.ts';
import type { Param, Tensor } from '../engine/types.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { attention, causalMask, selfAttention, transformerBlock } from './attention.ts';
import { convFront, convTrunk, hasImage } from './conv.ts';
import { encode, encodedImage, encodedSize } from './encoder.ts';
import dqn from './golden/algo-dqn.json' with { type: 'json' };
import golden from './golden/algo-recurrent-cells.json' with { type: 'json' };
import { actorCritic, dense, mlp, qNetwork } from './mlp.ts';
import { type Cell, gruCell, lstmCell, step, unroll } from './recurrent.ts';

const values = (g: HostGroup): Map<Param, ArrayLike<number>> => new Map(g.initial);
const numbers = (n: number, seed = 1): number[] => {
  const rng = Rng.from(seed);
  return Array.from({ length: n }, () => rng.uniform() * 2 - 1);
};
const run = (t: Tensor, inputs: { [name: string]: ArrayLike<number> }, params: Map<Param, ArrayLike<number>> = new Map()) => [
  ...interpret([t], { inputs, params }).get(t)!,
];
const expectClose = (a: readonly number[], b: readonly number[], tolerance = 1e-6) => {
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => {
    expect(Math.abs(x - b[i]!), `element ${i}: ${x} and ${b[i]}`).toBeLessThan(tolerance * Math.max(1, Math.abs(b[i]!)));
  });
};
const transposed = (m: readonly (readonly number[])[]): number[] => m[0]!.flatMap((_, c) => m.map((row) => row[c]!));

describe('recurrent cells against PyTorch', () => {
  const made = { gru: gruCell, lstm: lstmCell };
  test.each(['gru', 'lstm'] as const)('%s: unrolled, step by step, and in chunks', (name) => {
    const c = golden.cases.find((k) => k.name === name)!;
    const w = c.input.weights;
    const group = hostGroup('net');
    const cell: Cell = made[name](group, 'cell', Rng.from(1), 2, 3);
    const params = values(group);
    const set = (key: string, data: number[]) => params.set(group.params.find((p) => p.name === `cell.${key}`)!, data);
    set('wx', transposed(w.weight_ih));
    set('wh', transposed(w.weight_hh));
    set('bx', w.bias_ih);
    set('bh', w.bias_hh);
    const expected = c.expected.h.flat();
    const S = cell.stateSize;
    // Two rows: the golden sequence and one without the reset, which must not mix.
    const g = createGraph();
    const xs = g.input('xs', [3, 2, 2]);
    const starts = g.input('starts', [3, 2]);
    const zero = g.constant(0, [2, S]);
    const twice = c.input.x.flatMap((x) => [...x, ...x]);
    const flags = c.input.episode_start.flatMap((s) => [s, 0]);
    const out = run(unroll(cell, xs, zero, starts).outputs, { xs: twice, starts: flags }, params);
    const firstRow = (all: number[]) => [0, 1, 2].flatMap((t) => all.slice(t * 6, t * 6 + 3));
    expectClose(firstRow(out), expected, 1e-9);
    expect(Math.abs(out[9]! - expected[3]!)).toBeGreaterThan(1e-3);

    let state = new Array<number>(2 * S).fill(0);
    const stepwise: number[] = [];
    for (let t = 0; t < 3; t++) {
      const h = createGraph();
      const next = step(cell, h.input('x', [2, 2]), h.input('state', [2, S]), h.input('s', [2]));
      const inputs = { x: twice.slice(t * 4, t * 4 + 4), state, s: flags.slice(t * 2, t * 2 + 2) };
      stepwise.push(...run(next.output, inputs, params));
      state = run(next.state, inputs, params);
    }
    expectClose(stepwise, out, 1e-12);

    const chunk = createGraph();
    const head = unroll(cell, chunk.input('xs', [2, 2, 2]), chunk.constant(0, [2, S]), chunk.input('starts', [2, 2]));
    const carried = run(head.state, { xs: twice.slice(0, 8), starts: flags.slice(0, 4) }, params);
    const tail = unroll(cell, chunk.input('x', [1, 2, 2]), chunk.input('state', [2, S]), chunk.input('s', [1, 2]));
    expectClose(run(tail.outputs, { x: twice.slice(8), state: carried, s: flags.slice(4) }, params), out.slice(12), 1e-12);
  });
  test('every gate starts orthogonal', () => {
    const group = hostGroup('net');
    gruCell(group, 'cell', Rng.from(1), 3, 3);
    const wh = group.initial.get(group.params[1]!)!;
    for (let gate = 0; gate < 3; gate++) {
      const row = (i: number) => [0, 1, 2].map((j) => wh[i * 9 + gate * 3 + j]!);
      expect(row(0).reduce((s, x, j) => s + x * row(1)[j]!, 0)).toBeCloseTo(0, 6);
      expect(row(2).reduce((s, x) => s + x * x, 0)).toBeCloseTo(1, 6);
    }
  });
  test('no gradient crosses an episode start', () => {
    const group = hostGroup('net');
    const cell = gruCell(group, 'cell', Rng.from(1), 2, 4);
    const g = createGraph();
    const xs = g.input('xs', [3, 1, 2]);
    const { state } = unroll(cell, xs, g.constant(0, [1, 4]), g.input('starts', [3, 1]));
    const d = gradients(ops.sum(ops.square(state)), [xs])[0]!;
    const slope = run(d, { xs: numbers(6), starts: [0, 0, 1] }, values(group));
    expect(slope.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(slope[4]).not.toBe(0);
  });
});

describe('attention', () => {
  test('one head by hand', () => {
    const g = createGraph();
    const q = g.input('q', [1, 2, 2]);
    const k = g.input('k', [1, 2, 2]);
    const v = g.input('v', [1, 2, 1]);
    const out = run(attention(q, k, v), { q: [1, 0, 0, 2], k: [1, 0, 0, 1], v: [10, 20] });
    const mix = (a: number, b: number) => (10 * Math.exp(a) + 20 * Math.exp(b)) / (Math.exp(a) + Math.exp(b));
    expectClose(out, [mix(1 / Math.SQRT2, 0), mix(0, 2 / Math.SQRT2)]);
  });
  test('heads see their own columns only', () => {
    const g = createGraph();
    const q = g.input('q', [2, 3, 4]);
    const feeds = { q: numbers(24) };
    const both = run(attention(q, q, q, { heads: 2 }), feeds);
    const [left] = ops.split(q, [2, 2]) as [Tensor, Tensor];
    const one = run(attention(left, left, left), feeds);
    expectClose(
      both.filter((_, i) => i % 4 < 2),
      one,
      1e-12,
    );
    expect(() => attention(q, q, q, { heads: 3 })).toThrow('3 heads');
  });
  test('a causal block does not look ahead, and trains', () => {
    const group = hostGroup('net');
    const block = transformerBlock(group, 'b', Rng.from(2), 8, 2);
    const g = createGraph();
    const x = g.input('x', [1, 3, 8]);
    const y = block(x, causalMask(g, 3));
    const before = run(y, { x: numbers(24) }, values(group));
    const after = run(y, { x: [...numbers(24).slice(0, 16), ...numbers(8, 9)] }, values(group));
    expect(after.slice(0, 16)).toEqual(before.slice(0, 16));
    expect(after.slice(16)).not.toEqual(before.slice(16));
    const params = group.params.map((p) => g.read(p));
    const slopes = gradients(ops.sum(ops.square(y)), params);
    const found = interpret(slopes, { inputs: { x: numbers(24) }, params: values(group) });
    slopes.forEach((d, i) => {
      // Keys' and queries' biases may have zero slopes; each tensor as a whole must not.
      expect(Math.max(...found.get(d)!.map(Math.abs)), group.params[i]!.name).toBeGreaterThan(1e-6);
    });
  });
  test('a mask per row', () => {
    const group = hostGroup('net');
    const look = selfAttention(group, 'a', Rng.from(1), 4, 1);
    const g = createGraph();
    const x = g.input('x', [2, 3, 4]);
    const y = look(x, g.input('mask', [2, 3, 3]));
    const only = [1, 0, 0, 1, 0, 0, 1, 0, 0];
    const out = run(y, { x: numbers(24), mask: [...only, ...only.map(() => 1)] }, values(group));
    expectClose(out.slice(4, 8), out.slice(0, 4), 1e-12); // all of the first batch entry look at its first row
    expect(out.slice(16, 20)).not.toEqual(out.slice(12, 16));
  });
});

describe('encoder', () => {
  test('grid codes become one-hot, the rest follows, padding is dropped', () => {
    const space = { kind: 'grid', shape: [1, 2, 2], codes: [3, 2], extra: 1 } as const;
    const g = createGraph();
    const y = encode(g, g.input('obs', [2, 7]), space);
    expect(y.shape).toEqual([2, encodedSize(space)]);
    expect(encodedImage(space)).toEqual([1, 2, 5]);
    // cells (2, 0) and (0, 1), extra 0.5; then (1, 1) and a code out of range
    const obs = [2, 0, 0, 1, 0.5, 99, 99, 1, 1, 7, 0, -1, 99, 99];
    expect(run(y, { obs })).toEqual([0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0.5, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, -1]);
  });
  test('boxes and states pass', () => {
    const g = createGraph();
    const obs = g.input('obs', [1, 3]);
    expect(encode(g, obs, { kind: 'discrete', n: 3 })).toBe(obs);
    expect(run(encode(g, obs, { kind: 'box', shape: [2], low: -1, high: 1 }), { obs: [4, 5, 6] })).toEqual([4, 5]);
    expect(encodedImage({ kind: 'box', shape: [2, 3, 4], low: 0, high: 1 })).toEqual([2, 3, 4]);
    expect(encodedImage({ kind: 'discrete', n: 3 })).toBeUndefined();
  });
});

describe('stacks', () => {
  const g = createGraph();
  test('mlp by hand', () => {
    const group = hostGroup('net');
    const net = mlp(group, 'm', Rng.from(1), [2, 2, 1], { act: 'relu' });
    expect(group.params.map((p) => [p.name, p.shape.join()])).toEqual([
      ['m.0.w', '2,2'],
      ['m.0.b', '2'],
      ['m.1.w', '2,1'],
      ['m.1.b', '1'],
    ]);
    const params = values(group);
    [[1, -1, 2, 1], [0, 1], [3, 5], [0.5]].forEach((data, i) => {
      params.set(group.params[i]!, data);
    });
    expect(run(net(g.input('x', [1, 2])), { x: [1, -2] }, params)).toEqual([0.5]); // h = relu(-3, -2)
    expect(run(net(g.input('x', [1, 2])), { x: [1, 2] }, params)).toEqual([25.5]); // h = (5, 2)
  });
  test('actorCritic: separate nets, gains, shared trunk', () => {
    const group = hostGroup('a');
    const net = actorCritic(group, Rng.from(1), { inputs: 4, outputs: 2 });
    const { policy, value } = net(g.input('obs', [5, 4]));
    expect([policy.shape, value.shape]).toEqual([[5, 2], [5]]);
    expect(group.params.length).toBe(12);
    const norm = (name: string) => Math.sqrt(group.initial.get(group.params.find((p) => p.name === name)!)!.reduce((s, x) => s + x * x, 0));
    expect(norm('actor.2.w')).toBeCloseTo(0.01 * Math.SQRT2, 6);
    expect(norm('critic.2.w')).toBeCloseTo(1, 6);
    expect(norm('actor.0.w')).toBeCloseTo(Math.SQRT2 * 2, 5);
    const shared = hostGroup('s');
    const both = actorCritic(shared, Rng.from(1), { inputs: 4, outputs: 2, shared: true, act: 'relu' })(g.input('obs', [5, 4]));
    expect([both.policy.shape, both.value.shape]).toEqual([[5, 2], [5]]);
    expect(shared.params.length).toBe(8);
  });
  test.each([false, true])(
    'actorCritic with a norm and a critic of its own, shared trunk %s: shapes, and slopes against differences',
    (shared) => {
      const group = hostGroup('n');
      const net = actorCritic(group, Rng.from(1), {
        inputs: 3,
        outputs: 2,
        hidden: [5, 4],
        ...(!shared && { criticHidden: [6] }),
        layerNorm: true,
        shared,
      });
      const shapes = Object.fromEntries(group.params.map(({ name, shape }) => [name, shape.join()]));
      const normed = shared ? ['trunk.0', 'trunk.1'] : ['actor.0', 'actor.1', 'critic.0'];
      expect(Object.keys(shapes).filter((name) => name.endsWith('.norm.gain'))).toEqual(normed.map((name) => `${name}.norm.gain`));
      if (!shared) expect([shapes['actor.1.w'], shapes['critic.0.w'], shapes['critic.1.w']]).toEqual(['5,4', '3,6', '6,1']);

      const graph = createGraph();
      const { policy, value } = net(graph.input('obs', [7, 3]));
      const loss = ops.add(ops.mean(ops.square(ops.logSoftmax(policy))), ops.mean(ops.square(ops.sub(value, 1))));
      const read = group.params.map((param) => graph.read(param));
      const slopes = gradients(loss, read);
      const params = values(group);
      for (const param of group.params) params.set(param, numbers(params.get(param)!.length, param.name.length)); // gains away from 1, biases from 0
      const inputs = { obs: numbers(21, 4) };
      const found = interpret(slopes, { inputs, params });
      const at = (param: Param, i: number, by: number) =>
        run(
          loss,
          inputs,
          new Map(params).set(
            param,
            Array.from(params.get(param)!, (x, k) => (k === i ? x + by : x)),
          ),
        )[0]!;
      for (const [k, param] of group.params.entries())
        for (const i of [0, params.get(param)!.length - 1]) {
          const slope = found.get(slopes[k]!)![i]!;
          expect(slope, param.name).toBeCloseTo((at(param, i, 1e-6) - at(param, i, -1e-6)) / 2e-6, 6);
        }
      // a bias in front of a norm shifts every unit by its own amount: nothing cancels it
      expect(group.params.every((_, k) => found.get(slopes[k]!)!.some((x) => Math.abs(x) > 1e-6))).toBe(true);
    },
  );
  test('dueling values', () => {
    const c = dqn.cases.find((k) => k.name === 'dueling')!;
    const input = c.input as unknown as { value: number[][]; advantage: number[][] };
    // Features that hold value and advantage, heads that pick them out.
    const group = hostGroup('q');
    const net = qNetwork(group, Rng.from(1), [4, 3], { dueling: true });
    const params = values(group);
    const set = (name: string, data: number[]) => params.set(group.params.find((p) => p.name === name)!, data);
    set('value.w', [1, 0, 0, 0]);
    set('value.b', [0]);
    set('advantage.w', [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    set('advantage.b', [0, 0, 0]);
    const x = input.value.flatMap((v, i) => [...v, ...input.advantage[i]!]);
    const expected = (c.expected as unknown as { q: number[][] }).q.flat();
    expectClose(run(net(g.input('features', [2, 4])), { features: x }, params), expected, 1e-7);
    expect(qNetwork(hostGroup('d'), Rng.from(1), [4, 8, 3], { dueling: true })(g.input('features', [2, 4])).shape).toEqual([2, 3]);
  });
  test('layerNorm inside a dense layer', () => {
    const group = hostGroup('n');
    const net = dense(group, 'd', Rng.from(1), 3, 5, { layerNorm: true, init: 'torch' });
    const out = run(net(g.input('y', [1, 3])), { y: [1, 2, 3] }, values(group));
    expect(out.reduce((a, b) => a + b)).toBeCloseTo(0, 6);
    expect(group.params.map((p) => p.name)).toEqual(['d.w', 'd.b', 'd.norm.gain', 'd.norm.shift']);
  });
  test('conv trunk as for MinAtar', () => {
    const group = hostGroup('c');
    const { net, size } = convTrunk(group, 'conv', Rng.from(1), [10, 10, 4]);
    expect([net(g.input('image', [2, 400])).shape, size]).toEqual([[2, 128], 128]);
    expect(group.params.map((p) => p.shape)).toEqual([[3, 3, 4, 16], [16], [1024, 128], [128]]);
    const small = convTrunk(hostGroup('k'), 'conv', Rng.from(1), [5, 5, 1], {
      layers: [{ filters: 2, kernel: 2, stride: 2, pad: 1 }],
      hidden: [],
    });
    expect(small.size).toBe(3 * 3 * 2);
  });
  test('a convolution in front leaves the numbers behind a grid as they are', async () => {
    const space = { kind: 'grid', shape: [4, 5, 2], codes: [2, 3], extra: 2 } as const;
    expect([hasImage(space), hasImage({ ...space, shape: [2, 9, 2] }), hasImage({ kind: 'discrete', n: 9 })]).toEqual([true, false, false]);
    expect(convFront(space, 0, { act: 'relu' })).toBeUndefined();
    expect(() => convFront({ kind: 'discrete', n: 9 }, 4, { act: 'relu' })).toThrow('an image to convolve');
    const engine = await createEngine('wasm');
    const group = engine.group('front');
    const inputs = encodedSize(space);
    const front = convFront(space, 4, { act: 'relu' })?.(group, 'trunk', Rng.from(1), inputs);
    expect([inputs, front?.size, group.params.map((p) => p.name)]).toEqual([102, 2 * 3 * 4 + 2, ['trunk.conv0.w', 'trunk.conv0.b']]);
    const program = engine.compile({ obs: [1, 42] }, ({ obs }, g) => ({ y: front?.net(encode(g, obs, space)) ?? obs }));
    program.in.obs.fill(1);
    program.in.obs.set([0.25, -3], 40);
    await program.run();
    expect([...program.out.y.subarray(24)]).toEqual([0.25, -3]);
    expect(program.out.y.subarray(0, 24).some((x) => x > 0)).toBe(true);
  });
  test('parameters: unique names, the right number of numbers, none after the freeze', () => {
    const group = hostGroup('p');
    group.param('w', [2], Float32Array.of(1, 2));
    expect(() => group.param('w', [2], Float32Array.of(1, 2))).toThrow('two parameters "p.w"');
    expect(() => group.param('v', [3], Float32Array.of(1, 2))).toThrow('2 numbers do not fill [3]');
    group.freeze();
    expect(() => group.param('u', [2], Float32Array.of(1, 2))).toThrow('too late');
  });
});
