import { describe, expect, test } from 'vitest';
import { Rng } from '#math/rng.ts';
import { fuzzProgram, randomFeed, SIZES } from '../testing/engine/fuzz.ts';
import { interpret } from '../testing/engine/interpreter.ts';
import { gradients } from './autodiff.ts';
import { createGraph } from './graph.ts';
import * as ops from './ops.ts';
import { sizeOf } from './shapes.ts';
import type { Graph, Shape, Tensor } from './types.ts';

type Feeds = { [name: string]: Float64Array };

/** Largest error of directional derivatives, relative to the size of the gradient. */
function worstError(build: (g: Graph) => { loss: Tensor; wrt: Tensor[] }, feeds: Feeds, rng: Rng, h = 1e-6): number {
  const g = createGraph();
  const { loss, wrt } = build(g);
  const grads = gradients(loss, wrt);
  const values = interpret([loss, ...grads], { inputs: feeds });
  const at = (name: string, x: Float64Array): number => interpret([loss], { inputs: { ...feeds, [name]: x } }).get(loss)![0]!;
  let worst = 0;
  wrt.forEach((t, k) => {
    if (t.op !== 'input') throw new Error(`${t.op} is no input`);
    const { name } = t.attrs;
    const x = feeds[name]!;
    const d = values.get(grads[k]!)!;
    expect(grads[k]!.shape).toEqual(t.shape);
    const size = d.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
    for (let trial = 0; trial < 4; trial++) {
      // One element, then whole directions.
      const hit = rng.int(x.length);
      const v = x.map((_, i) => (trial < 2 ? Number(i === hit) : rng.uniform() * 2 - 1));
      const numeric =
        (at(
          name,
          x.map((a, i) => a + h * v[i]!),
        ) -
          at(
            name,
            x.map((a, i) => a - h * v[i]!),
          )) /
        (2 * h);
      const analytic = d.reduce((s, a, i) => s + a * v[i]!, 0);
      const length = Math.sqrt(v.reduce((s, a) => s + a * a, 0));
      worst = Math.max(worst, Math.abs(numeric - analytic) / ((size + 1e-2) * length));
    }
  });
  return worst;
}

/** Keeps away from kinks: no value, and no difference of two, near 0. */
function apart(rng: Rng, n: number, positive = false): Float64Array {
  return Float64Array.from({ length: n }, () => {
    const v = 0.1 + rng.uniform() * 1.9;
    return positive || rng.int(2) === 0 ? v : -v;
  });
}

const SHAPES: readonly Shape[] = [[], [1], [5], [65], [1, 1], [1, 7], [17, 1], [3, 5], [17, 65], [2, 1, 3], [2, 3, 5]];

const unary: { [name: string]: (x: Tensor) => Tensor } = {
  neg: ops.neg,
  exp: ops.exp,
  abs: ops.abs,
  tanh: ops.tanh,
  sigmoid: ops.sigmoid,
  relu: ops.relu,
  elu: ops.elu,
  softplus: ops.softplus,
  gelu: ops.gelu,
  sin: ops.sin,
  cos: ops.cos,
  square: ops.square,
  sign: ops.sign,
  log: (x) => ops.log(ops.abs(x)),
  sqrt: (x) => ops.sqrt(ops.abs(x)),
  clip: (x) => ops.clip(x, -0.95, 1.05),
  huber: (x) => ops.huber(x, 0.99),
  sum: (x) => ops.sum(x),
  mean: (x) => ops.mean(x),
  amax: (x) => ops.amax(x),
  amin: (x) => ops.amin(x),
  variance: (x) => ops.variance(x, undefined, 1),
  standardise: (x) => ops.standardise(x, 0, 0.1),
  reshape: (x) => ops.reshape(x, [-1, 1]),
  transpose: (x) => ops.transpose(x, [...x.shape.keys()].reverse()),
  broadcast: (x) => ops.broadcastTo(x, [3, ...x.shape]),
};
const byRow: { [name: string]: (x: Tensor) => Tensor } = {
  softmax: (x) => ops.softmax(x),
  logSoftmax: (x) => ops.logSoftmax(x),
  logsumexp: (x) => ops.logsumexp(x),
  logsumexpFirstAxis: (x) => ops.logsumexp(x, 0, true),
  layerNorm: (x) => ops.layerNorm(x),
  sumFirst: (x) => ops.sum(x, 0),
  sumOuter: (x) => ops.sum(x, x.shape.length > 2 ? [0, 2] : 0),
  amaxLast: (x) => ops.amax(x, -1),
  meanKeep: (x) => ops.sub(x, ops.mean(x, -1, true)),
  sliceEnd: (x) => ops.sliceAxis(x, -1, x.shape.at(-1)! - 1, 1),
  slicesApart: (x) => ops.concat([ops.sliceAxis(x, -1, x.shape.at(-1)! - 1, 1), ops.square(ops.sliceAxis(x, -1, 0, 1))]),
  slicesOverlapping: (x) => ops.mul(ops.sliceAxis(x, -1, 0, Math.ceil(x.shape.at(-1)! / 2)), ops.sliceAxis(x, -1, 0, 1)),
  concatTwice: (x) => ops.concat([x, ops.square(x), x], 0),
  splitAndStack: (x) => ops.stack(ops.split(x, x.shape.length > 0 ? Array(x.shape.at(-1)!).fill(1) : []), 0),
};
const binary: { [name: string]: (a: Tensor, b: Tensor) => Tensor } = {
  add: ops.add,
  sub: ops.sub,
  mul: ops.mul,
  div: ops.div,
  minimum: ops.minimum,
  maximum: ops.maximum,
  where: (a, b) => ops.where(ops.lt(a, b), ops.sin(a), ops.exp(b)),
};

/** A loss whose gradient differs from place to place. */
function spread(y: Tensor): Tensor {
  const weights = Float32Array.from({ length: sizeOf(y.shape) }, (_, i) => 0.5 + ((i * 7) % 11) / 11);
  return ops.sum(ops.mul(ops.mul(y, y.graph.constant(weights, y.shape)), ops.addScalar(y, 0.7)));
}

describe('gradients against finite differences', () => {
  const rng = Rng.from(1);
  test.each(Object.keys(unary))('%s', (name) => {
    for (const shape of SHAPES) {
      const build = (g: Graph) => {
        const x = g.input('x', shape);
        return { loss: spread(unary[name]!(x)), wrt: [x] };
      };
      expect(worstError(build, { x: apart(rng, sizeOf(shape)) }, rng), `${name} ${shape}`).toBeLessThan(2e-6);
    }
  });
  test.each(Object.keys(byRow))('%s', (name) => {
    for (const shape of SHAPES.filter((s) => s.length > 0)) {
      const build = (g: Graph) => {
        const x = g.input('x', shape);
        return { loss: spread(byRow[name]!(x)), wrt: [x] };
      };
      expect(worstError(build, { x: apart(rng, sizeOf(shape)) }, rng), `${name} ${shape}`).toBeLessThan(2e-6);
    }
  });
  test.each(Object.keys(binary))('%s, broadcasting', (name) => {
    const pairs: [Shape, Shape][] = [
      [[], []],
      [[5], []],
      [[1], [7]],
      [[17, 5], [5]],
      [
        [17, 5],
        [17, 1],
      ],
      [
        [1, 5],
        [3, 1],
      ],
      [
        [2, 3, 5],
        [3, 1],
      ],
      [[65], [2, 1]],
    ];
    for (const [a, b] of pairs) {
      const build = (g: Graph) => {
        const wrt = [g.input('a', a), g.input('b', b)];
        return { loss: spread(binary[name]!(wrt[0]!, wrt[1]!)), wrt };
      };
      const feeds = { a: apart(rng, sizeOf(a)), b: apart(rng, sizeOf(b)) };
      expect(worstError(build, feeds, rng), `${name} ${a} ${b}`).toBeLessThan(1e-6);
    }
  });
  test('matmul and linear at all sizes', () => {
    for (let i = 0; i < 60; i++) {
      const [m, k, n] = [0, 0, 0].map(() => SIZES[rng.int(SIZES.length)]!) as [number, number, number];
      const lead = rng.int(3) === 0 ? [2] : [];
      const stacked = lead.length > 0 && rng.int(2) === 0;
      const act = (['none', 'tanh', 'sigmoid', 'gelu'] as const)[rng.int(4)]!;
      const build = (g: Graph) => {
        const x = g.input('x', [...lead, m, k]);
        const w = g.input('w', stacked ? [...lead, k, n] : [k, n]);
        const b = g.input('b', [n]);
        return { loss: spread(ops.linear(x, ops.scale(w, 1 / k), b, act)), wrt: [x, w, b] };
      };
      const feeds: Feeds = {};
      feeds.x = apart(rng, sizeOf(lead) * m * k);
      feeds.w = apart(rng, (stacked ? sizeOf(lead) : 1) * k * n);
      feeds.b = apart(rng, n);
      expect(worstError(build, feeds, rng), `${lead} ${m} ${k} ${n} ${act}`).toBeLessThan(2e-6);
    }
  });
  test('conv2d, gather, oneHot and pick', () => {
    for (const [h, k, stride, pad, c, o] of [
      [5, 3, 1, 0, 2, 3],
      [5, 3, 2, 1, 1, 4],
      [7, 2, 3, 1, 3, 1],
      [3, 1, 1, 0, 5, 2],
    ] as const) {
      const build = (g: Graph) => {
        const x = g.input('x', [2, h, h + 1, c]);
        const w = g.input('w', [k, k, c, o]);
        const b = g.input('b', [o]);
        return { loss: spread(ops.conv2d(x, w, b, { stride, pad }, 'tanh')), wrt: [x, w, b] };
      };
      const feeds = { x: apart(rng, 2 * h * (h + 1) * c), w: apart(rng, k * k * c * o), b: apart(rng, o) };
      expect(worstError(build, feeds, rng)).toBeLessThan(2e-7);
    }
    const build = (g: Graph) => {
      const table = g.input('table', [5, 3]);
      const index = g.input('index', [2, 4]);
      const rows = ops.embedding(table, index); // [2, 4, 3]
      return { loss: ops.add(spread(rows), spread(ops.pick(rows, g.input('column', [2, 4])))), wrt: [table] };
    };
    const feeds = {
      table: apart(rng, 15),
      index: Float64Array.of(0, 4, 4, 1, 2, 4, 0, 0),
      column: Float64Array.of(0, 1, 2, 0, 1, 2, 0, 1),
    };
    expect(worstError(build, feeds, rng)).toBeLessThan(2e-7);
  });
  test('random programs', () => {
    for (let seed = 1; seed <= 250; seed++) {
      const program = fuzzProgram(seed);
      const build = (g: Graph) => {
        const { loss } = program.build(g);
        return { loss: loss!, wrt: program.inputs.map((name) => g.input(name, shapeOf(g, name))) };
      };
      const feeds: Feeds = {};
      for (const [name, data] of Object.entries(program.feeds)) feeds[name] = Float64Array.from(data);
      expect(worstError(build, feeds, rng), `seed ${seed}`).toBeLessThan(2e-5);
    }
  });
});

function shapeOf(g: Graph, name: string): Shape {
  return g.nodes.find((t) => t.op === 'input' && t.attrs.name === name)!.shape;
}

describe('rules that are not slopes', () => {
  test('second derivatives: the gradient of a gradient', () => {
    const rng = Rng.from(5);
    const build = (g: Graph) => {
      const x = g.input('x', [3, 5]);
      const w = g.input('w', [5, 2]);
      const inner = gradients(ops.sum(ops.tanh(ops.matmul(ops.transpose(w), ops.transpose(x)))), [x, w]);
      return { loss: ops.add(spread(inner[0]!), spread(inner[1]!)), wrt: [x, w] };
    };
    expect(worstError(build, { x: apart(rng, 15), w: apart(rng, 10) }, rng)).toBeLessThan(2e-7);
  });
  test('stopGradient, comparisons and sign pass nothing; what the loss does not need gets zeros', () => {
    const g = createGraph();
    const x = g.input('x', [3]);
    const y = g.input('y', [2, 2]);
    const loss = ops.sum(ops.mul(ops.stopGradient(x), ops.add(ops.sign(x), ops.gt(x, 0))));
    const d = gradients(loss, [x, y]);
    const values = interpret(d, { inputs: { x: [1, -2, 3], y: [1, 2, 3, 4] } });
    expect([...values.get(d[0]!)!]).toEqual([0, 0, 0]);
    expect([...values.get(d[1]!)!]).toEqual([0, 0, 0, 0]);
    const partly = gradients(ops.sum(ops.mul(ops.stopGradient(ops.exp(x)), x)), [x])[0]!;
    const e = interpret([partly], { inputs: { x: [0, 1, 2] } }).get(partly)!;
    expect(e[2]).toBeCloseTo(Math.exp(2), 12);
  });
  test('ties: min and max give all to the first, largest elements share', () => {
    const g = createGraph();
    const a = g.input('a', [1]);
    const b = g.input('b', [1]);
    const x = g.input('x', [4]);
    const d = [
      ...gradients(ops.sum(ops.minimum(a, b)), [a, b]),
      ...gradients(ops.sum(ops.maximum(a, b)), [a, b]),
      ...gradients(ops.amax(x), [x]),
    ];
    const values = interpret(d, { inputs: { a: [2], b: [2], x: [1, 3, 3, 0] } });
    expect(d.map((t) => [...values.get(t)!])).toEqual([[1], [0], [1], [0], [0, 0.5, 0.5, 0]]);
  });
  test('a tensor cut into neighbouring slices gets its gradient as one concat', () => {
    const g = createGraph();
    const x = g.input('x', [2, 6]);
    const [p, q, r] = ops.split(x, [1, 2, 3]) as [Tensor, Tensor, Tensor];
    gradients(ops.add(ops.sum(ops.square(p)), ops.add(ops.sum(ops.exp(q)), ops.sum(ops.sin(r)))), [x]);
    expect(g.nodes.filter((t) => t.op === 'pad')).toEqual([]);
  });
  test('the loss must be one number', () => {
    const g = createGraph();
    const x = g.input('x', [3]);
    expect(() => gradients(ops.exp(x), [x])).toThrow('[3]');
  });
  test('feeds of the fuzzer are reproducible', () => {
    expect(fuzzProgram(7).feeds).toEqual(fuzzProgram(7).feeds);
    expect(randomFeed(Rng.from(1), 3)).toEqual(randomFeed(Rng.from(1), 3));
  });
});
