import { describe, expect, test } from 'vitest';
import { fuzzProgram } from '../testing/engine/fuzz.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { createGraph } from './graph.ts';
import * as ops from './ops.ts';
import { trace } from './trace.ts';
import type { ParamGroup, Tensor } from './types.ts';

const group = (shapes: Record<string, readonly number[]>): ParamGroup => {
  const params: ParamGroup['params'][number][] = [];
  const g: ParamGroup = {
    name: 'net',
    params,
    param() {
      throw new Error('fixed');
    },
  };
  for (const [name, shape] of Object.entries(shapes)) params.push({ name, shape, group: g });
  return g;
};

describe('building', () => {
  test('equal expressions are one node; inputs and parameters never merge', () => {
    const g = createGraph();
    const a = g.input('a', [2, 3]);
    const b = g.input('b', [2, 3]);
    expect(a).not.toBe(b);
    expect(g.input('a', [2, 3])).toBe(a);
    expect(ops.exp(a)).toBe(ops.exp(a));
    expect(ops.exp(a)).not.toBe(ops.exp(b));
    expect(ops.add(a, b)).toBe(ops.add(b, a));
    expect(ops.sub(a, b)).not.toBe(ops.sub(b, a));
    expect(ops.slice(a, [0, 1], [2, 1])).not.toBe(ops.slice(a, [0, 2], [2, 1]));
    expect(g.constant([1, 2])).toBe(g.constant(Float32Array.of(1, 2)));
    expect(g.constant([0])).not.toBe(g.constant([-0]));
    const net = group({ w: [3], v: [3] });
    expect(g.read(net.params[0]!)).toBe(g.read(net.params[0]!));
    expect(g.read(net.params[0]!)).not.toBe(g.read(net.params[1]!));
  });
  test('misfits name the operation and the shapes', () => {
    const g = createGraph();
    const a = g.input('a', [2, 3]);
    const b = g.input('b', [4, 5]);
    expect(() => ops.add(a, b)).toThrow('add: [2, 3] and [4, 5] do not broadcast together');
    expect(() => ops.matmul(a, b)).toThrow('matmul: [2, 3] and [4, 5] do not multiply: inner sizes 3 and 4 differ');
    expect(() => ops.matmul(a, g.input('v', [3]))).toThrow('matmul: [2, 3] and [3]');
    expect(() => ops.reshape(a, [4])).toThrow('reshape: [2, 3] and [4]');
    expect(() => ops.reshape(a, [4, -1])).toThrow('reshape');
    expect(() => ops.slice(a, [0, 2], [2, 2])).toThrow('slice: [2, 3] has no part at [0, 2] of size [2, 2]');
    expect(() => ops.concat([a, b], 0)).toThrow('concat: [2, 3] and [4, 5] differ elsewhere than in axis 0');
    expect(() => ops.transpose(a, [0, 0])).toThrow('transpose');
    expect(() => ops.sum(a, 2)).toThrow('sum: axes [2] do not fit a tensor of 2 axes');
    expect(() => ops.sum(a, [0, -2])).toThrow('sum');
    expect(() => ops.conv2d(g.input('x', [1, 2, 2, 1]), g.input('k', [3, 3, 1, 1]))).toThrow('im2col: [1, 2, 2, 1] is smaller');
    expect(() => g.input('a', [3, 2])).toThrow('input "a" has the shape [2, 3] already, not [3, 2]');
    expect(() => g.input('zero', [0])).toThrow('[0]');
    expect(() => g.constant([1, 2, 3], [2])).toThrow('3 numbers do not fill [2]');
    expect(() => ops.add(a, createGraph().input('c', [2, 3]))).toThrow('another program');
    expect(() => ops.add(1, 2)).toThrow('at least one operand must be a tensor');
    expect(() => ops.pick(g.constant(1), g.constant(0))).toThrow('pick: a single number has no last axis');
    expect(() => g.assign(group({ w: [3] }).params[0]!, a)).toThrow('assign: "w" is [3], the value [2, 3]');
    const w = group({ w: [2, 4, 3] }).params[0]!;
    expect(() => g.put(w, 1, g.constant(0), a)).toThrow('assign: "w" is [2, 1, 3], the value [2, 3]');
    g.put(w, 1, g.constant(0), ops.reshape(a, [2, 1, 3]));
    expect(() => g.assign(w, g.constant(0, [2, 4, 3]))).toThrow('assign: "w" is assigned twice');
  });
  test('trivial work is never built', () => {
    const g = createGraph();
    const x = g.input('x', [3, 1, 4]);
    expect(ops.add(x, 0)).toBe(x);
    expect(ops.sub(x, 0)).toBe(x);
    expect(ops.mul(1, x)).toBe(x);
    expect(ops.div(x, 1)).toBe(x);
    expect(ops.neg(ops.neg(x))).toBe(x);
    expect(ops.mul(x, -1)).toBe(ops.neg(x));
    expect(ops.sub(0, x)).toBe(ops.neg(x));
    expect(ops.reshape(ops.reshape(x, [12]), [3, 1, 4])).toBe(x);
    expect(ops.transpose(ops.transpose(x, [2, 0, 1]), [1, 2, 0])).toBe(x);
    expect(ops.broadcastTo(x, [3, 1, 4])).toBe(x);
    expect(ops.slice(ops.slice(x, [1, 0, 1], [2, 1, 3]), [1, 0, 1], [1, 1, 1])).toBe(ops.slice(x, [2, 0, 2], [1, 1, 1]));
    expect(ops.sum(x, 1).op).toBe('reshape');
    expect(ops.sum(x, []).op).toBe('input');
    expect(ops.transpose(x, [1, 0, 2]).op).toBe('reshape');
    const half = ops.mul(ops.add(g.constant(0.25, [2]), 0.25), 4);
    const scalar = half.inputs[0];
    expect(half.op === 'broadcast' && scalar?.op === 'const' && scalar.attrs.data[0]).toBe(2);
    expect(ops.where(g.constant(1), x, 2)).toBe(x);
    expect(ops.concat([x])).toBe(x);
  });
  test('work on a broadcast tensor is done before the broadcast', () => {
    const g = createGraph();
    const x = ops.broadcastTo(g.input('x', [4]), [65, 4]);
    const y = ops.add(ops.tanh(ops.mul(x, 2)), x);
    expect(y.op).toBe('broadcast');
    expect(y.inputs[0]!.op).toBe('add');
    expect(y.inputs[0]!.shape).toEqual([4]);
  });
  test('reductions in the graph run over neighbouring axes of size above 1', () => {
    const g = createGraph();
    const s = ops.sum(g.input('x', [2, 3, 5, 1, 7]), [0, 2, 3, 4]);
    expect(s.shape).toEqual([3]);
    for (let seed = 1; seed < 60; seed++) {
      const program = createGraph();
      fuzzProgram(seed).build(program);
      for (const t of program.nodes.filter((n) => n.op === 'sum' || n.op === 'amax')) {
        const axes = t.attrs.axes!;
        expect(axes.every((a, i) => t.inputs[0]!.shape[a]! > 1 && (i === 0 || a === axes[i - 1]! + 1))).toBe(true);
      }
    }
  });
  test('ids are a topological order', () => {
    const g = createGraph();
    fuzzProgram(3).build(g);
    for (const t of g.nodes) {
      expect(g.nodes[t.id]).toBe(t);
      for (const i of t.inputs) expect(i.id).toBeLessThan(t.id);
    }
  });
});

describe('values', () => {
  const g = createGraph();
  const feed = (t: Tensor, inputs: Record<string, readonly number[]>) => [...interpret([t], { inputs }).get(t)!];
  test('matmul: rows of one product, stacks, and broadcasting stacks', () => {
    const a = g.input('a', [2, 1, 2]);
    const w = g.input('w', [2, 2]);
    const s = g.input('s', [2, 2, 2]);
    expect(ops.matmul(a, w).inputs[0]!.shape).toEqual([2, 2]);
    expect(feed(ops.matmul(a, w), { a: [1, 2, 3, 4], w: [1, 0, 1, 1] })).toEqual([3, 2, 7, 4]);
    expect(feed(ops.matmul(a, s), { a: [1, 2, 3, 4], s: [1, 0, 0, 1, 2, 0, 0, 2] })).toEqual([1, 2, 6, 8]);
    expect(feed(ops.matmul(w, s), { w: [1, 2, 3, 4], s: [1, 0, 0, 1, 2, 0, 0, 2] })).toEqual([1, 2, 3, 4, 2, 4, 6, 8]);
  });
  test('a convolution by hand', () => {
    const x = g.input('img', [1, 3, 3, 1]);
    const k = g.input('kernel', [2, 2, 1, 1]);
    const img = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(feed(ops.conv2d(x, k), { img, kernel: [1, 0, 0, 1] })).toEqual([6, 8, 12, 14]);
    expect(feed(ops.conv2d(x, k, undefined, { stride: 2, pad: 1 }), { img, kernel: [1, 0, 0, 1] })).toEqual([1, 3, 7, 14]);
  });
  test('standardise: both denominators, and equal elements', () => {
    const x = g.input('four', [4]);
    const by = (ddof: 0 | 1) => feed(ops.standardise(x, ddof, 0), { four: [1, 2, 3, 4] })[3];
    expect(by(1)).toBeCloseTo(1.5 / Math.sqrt(5 / 3), 7);
    expect(by(0)).toBeCloseTo(1.5 / Math.sqrt(5 / 4), 7);
    expect(feed(ops.standardise(x), { four: [2, 2, 2, 2] })).toEqual([0, 0, 0, 0]);
  });
  test('logsumexp and softmax of huge and masked values', () => {
    const x = g.input('wide', [1, 3]);
    expect(feed(ops.logsumexp(x), { wide: [1000, 1000, -1e8] })[0]).toBeCloseTo(1000 + Math.log(2), 9);
    expect(feed(ops.softmax(x), { wide: [1000, 1000, -1e8] })).toEqual([0.5, 0.5, 0]);
    expect(feed(ops.oneHot(g.input('at', [2]), 3), { at: [2, 5] })).toEqual([0, 0, 1, 0, 0, 0]);
  });
});

describe('trace', () => {
  test('keeps what outputs, assigns and gradients need, in order', () => {
    const net = group({ w: [2, 1], unused: [3] });
    const t = trace(
      (g) => {
        const y = ops.matmul(g.input('x', [5, 2]), g.read(net.params[0]!));
        ops.exp(y); // not an output
        g.input('idle', [7]);
        g.assign(net.params[1]!, g.constant(2, [3]));
        return { loss: ops.mean(ops.square(y)), y };
      },
      { minimise: 'loss', group: net, with: { kind: 'sgd', momentum: 0, nesterov: false, weightDecay: 0 } },
    );
    expect([...t.outputs.keys()]).toEqual(['loss', 'y']);
    expect([...t.inputs.keys()]).toEqual(['x', 'idle']);
    expect(t.assigns.length).toBe(1);
    expect(t.gradients.get(net.params[0]!)!.shape).toEqual([2, 1]);
    expect(t.gradients.get(net.params[1]!)).toBeUndefined();
    expect(t.nodes.some((n) => n.op === 'exp')).toBe(false);
    expect([...t.nodes].sort((a, b) => a.id - b.id)).toEqual(t.nodes);
  });
  test('refuses what cannot be minimised', () => {
    const net = group({ w: [2] });
    const sgd = { kind: 'sgd', momentum: 0, nesterov: false, weightDecay: 0 } as const;
    const y = { minimise: 'loss', group: net, with: sgd };
    expect(() => trace((g) => ({ loss: g.read(net.params[0]!) }), y)).toThrow('[2]');
    expect(() => trace((g) => ({ other: g.constant(1) }), y)).toThrow('no output "loss"');
    expect(() => trace((g) => ({ loss: ops.sum(g.read(net.params[0]!)) }), { minimise: 'loss' })).toThrow('optimiser');
    expect(() => trace((g) => ({ loss: ops.sum(g.read(net.params[0]!)), gradNorm: g.constant(1) }), y)).toThrow('reserved');
    expect(() => trace((g) => ({ loss: ops.sum(ops.mul(g.read(net.params[0]!), g.input('lr', [1]))) }), y)).toThrow('reserved');
  });
});
