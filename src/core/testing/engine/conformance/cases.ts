/**
 * Every primitive at awkward sizes, with the layouts that executors treat differently: whole, row, column and scalar operands,
 * slices, transposes, broadcasts inside and outside, batches. Random numbers in [-2, 2), the same for a given seed.
 */

import * as ops from '#core/engine/ops.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import type { Graph, Shape, Tensor } from '#core/engine/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { Rng } from '#math/rng.ts';
import { randomFeed } from '../fuzz.ts';
import { type Case, withGradients } from './check.ts';

type Outputs = { [name: string]: Tensor };
type Inputs = { readonly [name: string]: Shape };

function makeCase<const I extends Inputs>(
  name: string,
  seed: number,
  inputs: I,
  build: (t: { readonly [K in keyof I]: Tensor }, g: Graph) => Outputs,
  indexBelow = 1,
): Case {
  const rng = Rng.from(seed);
  const feeds: { [name: string]: Float32Array } = {};
  for (const [key, shape] of Object.entries(inputs))
    feeds[key] = key.startsWith('i')
      ? Float32Array.from({ length: sizeOf(shape) }, () => rng.int(indexBelow))
      : randomFeed(rng, sizeOf(shape));
  return {
    name,
    feeds,
    build: withGradients((g) =>
      build(Object.fromEntries(Object.entries(inputs).map(([key, shape]) => [key, g.input(key, shape)])) as { [K in keyof I]: Tensor }, g),
    ),
  };
}

const UNARY = {
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
  log: (x: Tensor) => ops.log(ops.add(ops.abs(x), 0.1)),
  sqrt: (x: Tensor) => ops.sqrt(ops.add(ops.abs(x), 0.1)),
  layerNorm: (x: Tensor) => ops.layerNorm(x, undefined, undefined, 1e-2),
  softmax: ops.softmax,
  logSoftmax: ops.logSoftmax,
} as const;

const BINARY = {
  add: ops.add,
  sub: ops.sub,
  mul: ops.mul,
  div: (a: Tensor, b: Tensor) => ops.div(a, ops.add(ops.square(b), 0.3)),
  min: ops.minimum,
  max: ops.maximum,
  eq: (a: Tensor, b: Tensor) => ops.mul(ops.eq(a, b), b),
  lt: (a: Tensor, b: Tensor) => ops.mul(ops.lt(a, b), b),
  le: (a: Tensor, b: Tensor) => ops.mul(ops.le(a, b), b),
  gt: (a: Tensor, b: Tensor) => ops.mul(ops.gt(a, b), b),
  ge: (a: Tensor, b: Tensor) => ops.mul(ops.ge(a, b), b),
} as const;

/** Elementwise, on [r, c] and views of it. */
export function elementwiseCases(r: number, c: number): Case[] {
  const seed = r * 1000 + c;
  const unary = makeCase(`unary [${r}, ${c}]`, seed, { x: [r, c] }, ({ x }) =>
    Object.fromEntries(
      Object.entries(UNARY).flatMap(([name, f]) => [
        [name, f(x)],
        [`${name}T`, f(ops.transpose(x))],
        [`${name}S`, f(ops.slice(x, [r >> 1, c >> 1], [r - (r >> 1), c - (c >> 1)]))],
      ]),
    ),
  );
  const partners = { whole: [r, c], row: [c], column: [r, 1], one: [1, 1], scalar: [] } as const;
  const binary = Object.entries(BINARY).map(([name, f]) =>
    makeCase(`${name} [${r}, ${c}]`, seed + 7, { x: [r, c], t: [c, r], ...partners }, (t) => {
      const out: Outputs = {};
      for (const key of ['whole', 'row', 'column', 'one', 'scalar'] as const) {
        out[`x${key}`] = f(t.x, t[key]);
        out[`${key}x`] = f(t[key], t.x);
      }
      out.turned = f(t.x, ops.transpose(t.t));
      out.outer = f(t.row, t.column);
      out.first = f(t.x, ops.slice(t.x, [0, 0], [r, 1]));
      out.cube = f(ops.reshape(t.x, [r, 1, c]), ops.reshape(ops.concat([t.x, t.whole], 0), [1, 2 * r, c]));
      return out;
    }),
  );
  const where = makeCase(`where [${r}, ${c}]`, seed + 9, { x: [r, c], y: [r, c], row: [c], column: [r, 1] }, ({ x, y, row, column }) => ({
    whole: ops.where(ops.gt(x, 0), x, y),
    row: ops.where(ops.gt(x, 0), row, y),
    column: ops.where(ops.gt(x, 0), x, column),
    byColumn: ops.where(ops.gt(column, 0), x, y),
    byRow: ops.where(ops.gt(row, 0), column, y),
    numbers: ops.where(ops.gt(x, 0), ops.mul(x, 1.5), -1),
  }));
  return [unary, ...binary, where];
}

/** Matrix products with every combination of transposes, bias and activations, single and in stacks. */
export function productCases(m: number, k: number, n: number): Case[] {
  const seed = (m * 100 + k) * 100 + n;
  const single = makeCase(`matmul ${m} x ${k} x ${n}`, seed, { a: [m, k], at: [k, m], b: [k, n], bt: [n, k], bias: [n] }, (t) => {
    const { a, at, b, bt, bias } = t;
    const [u, v] = [ops.transpose(at), ops.transpose(bt)];
    return {
      nn: ops.matmul(a, b),
      nt: ops.matmul(a, v),
      tn: ops.matmul(u, b),
      tt: ops.matmul(u, v),
      sum: ops.add(
        ops.add(ops.matmul(u, b), ops.matmul(ops.transpose(ops.sin(at)), ops.cos(b))),
        ops.matmul(ops.transpose(ops.square(at)), b),
      ),
      biased: ops.linear(a, b, bias),
      tanh: ops.linear(ops.scale(a, 0.4), b, bias, 'tanh'),
      deep: ops.matmul(ops.linear(ops.scale(a, 0.4), b, bias, 'tanh'), ops.transpose(b)),
      relu: ops.linear(a, v, bias, 'relu'),
      gelu: ops.linear(a, b, bias, 'gelu'),
      plain: ops.tanh(ops.matmul(ops.scale(a, 0.3), v)),
      turned: ops.linear(u, b, bias, 'sigmoid'),
      part: ops.matmul(
        ops.slice(a, [m >> 1, k >> 1], [m - (m >> 1), k - (k >> 1)]),
        ops.slice(b, [k >> 1, n >> 1], [k - (k >> 1), n - (n >> 1)]),
      ),
      same: ops.matmul(ops.broadcastTo(ops.slice(a, [0, 0], [1, k]), [m, k]), b),
    };
  });
  const stack = makeCase(
    `matmul stack ${m} x ${k} x ${n}`,
    seed + 1,
    { a: [2, m, k], b: [2, k, n], bt: [3, 2, n, k], q: [m, 2, k] },
    (t) => ({
      nn: ops.matmul(t.a, t.b),
      spread: ops.matmul(t.a, ops.transpose(t.bt)),
      deep: ops.matmul(ops.tanh(ops.matmul(t.a, t.b)), ops.transpose(t.b)),
      deepRows: ops.linear(ops.tanh(ops.scale(t.a, 0.4)), ops.reshape(ops.slice(t.b, [0, 0, 0], [1, k, n]), [k, n])),
      linear: ops.linear(t.a, ops.slice(ops.reshape(t.b, [2 * k, n]), [k, 0], [k, n])),
      heads: ops.matmul(ops.transpose(t.q, [1, 0, 2]), t.b),
      scores: ops.matmul(ops.transpose(t.q, [1, 0, 2]), ops.transpose(ops.transpose(t.q, [1, 0, 2]))),
    }),
  );
  return [single, stack];
}

/** Reductions over each run of axes, on whole tensors and views. */
export function reductionCases(a: number, b: number, c: number): Case[] {
  return [
    makeCase(`reductions [${a}, ${b}, ${c}]`, (a * 100 + b) * 100 + c, { x: [a, b, c] }, ({ x }) => {
      const out: Outputs = {};
      const views = { whole: x, turned: ops.transpose(x, [2, 0, 1]), part: ops.slice(x, [0, b >> 1, 0], [a, b - (b >> 1), c]) };
      for (const [name, v] of Object.entries(views))
        for (const axes of [[0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]]) {
          out[`${name}Sum${axes.join('')}`] = ops.sum(v, axes);
          out[`${name}Max${axes.join('')}`] = ops.amax(v, axes);
        }
      out.mean = ops.mean(x, 1, true);
      out.amin = ops.amin(x, -1);
      out.spread = ops.sum(ops.broadcastTo(ops.reshape(ops.sum(x, 1), [a, 1, c]), [a, b, c]), [0, 2]);
      out.standard = ops.standardise(x, 1, 0.1);
      return out;
    }),
  ];
}

/** Everything that moves data. */
export function movementCases(r: number, c: number): Case[] {
  const m = r + 2;
  const moves = makeCase(
    `moves [${r}, ${c}]`,
    r * 77 + c,
    { x: [r, c], y: [2, c], z: [r, 3, c], im: [m] },
    ({ x, y, z, im }, g) => ({
      rows: ops.concat([x, y, ops.square(x)], 0),
      columns: ops.concat([x, ops.transpose(ops.reshape(x, [c, r])), ops.reshape(z, [r, 3 * c])], 1),
      stacked: ops.stack([x, ops.neg(x)], 1),
      turned: ops.neg(ops.transpose(z, [2, 1, 0])),
      half: ops.neg(ops.transpose(z, [1, 0, 2])),
      inner: ops.square(ops.transpose(z, [0, 2, 1])),
      slices: ops.add(ops.slice(z, [0, 1, 0], [r, 1, c]), ops.slice(z, [0, 2, 0], [r, 1, c])),
      folded: ops.neg(ops.reshape(ops.transpose(z, [1, 0, 2]), [3 * r, c])),
      spread: ops.mul(ops.reshape(ops.broadcastTo(ops.reshape(x, [r, 1, c]), [r, 3, c]), [3 * r, c]), 2),
      padded: ops.add(ops.concat([g.constant(0, [1, c]), x], 0), 1),
      gathered: ops.gather(x, im),
      twice: ops.gather(ops.square(x), ops.reshape(im, [1, m])),
      oneHot: ops.mul(ops.oneHot(im, r), ops.sum(x)),
      picked: ops.pick(ops.transpose(ops.broadcastTo(ops.sum(x, 1), [m, r]), [0, 1]), im),
      stopped: ops.mul(ops.stopGradient(x), x),
    }),
    r,
  );
  return [moves];
}

export function convolutionCases(size: number): Case[] {
  const windows = [1, 2, 3].flatMap((k) => [1, 2].flatMap((stride) => [0, 1].map((pad) => ({ k, stride, pad }))));
  return windows
    .filter(({ k, pad }) => size + 2 * pad >= k)
    .map(({ k, stride, pad }) =>
      makeCase(
        `conv ${size} window ${k} stride ${stride} pad ${pad}`,
        size * 100 + k,
        { x: [2, size, size + 1, 3], w: [k, k, 3, 5], b: [5] },
        ({ x, w, b }) => ({
          y: ops.conv2d(x, w, b, { stride, pad }, 'relu'),
          z: ops.conv2d(ops.neg(x), w, undefined, { stride, pad }),
        }),
      ),
    );
}

/** Grid codes, some of them out of range, multiplied by several matrices: executors need not write the zeros and ones out. */
export function codeCases(rows: number, cells: number, width: number): Case[] {
  return [
    { codes: [4], extra: 0 },
    { codes: [3, 1, 5], extra: 2 },
  ].map(({ codes, extra }) => {
    const space = { kind: 'grid', shape: [1, cells, codes.length], codes, extra } as const;
    const columns = encodedSize(space);
    return makeCase(
      `codes ${rows} x ${cells} of ${codes}, ${extra} behind, ${width} columns`,
      rows * 100 + width,
      { i: [rows, cells * codes.length + extra], w: [columns, width], v: [columns, 3], b: [width] },
      (t, g) => {
        const { i, w, v, b } = t;
        const x = encode(g, i, space);
        return {
          plain: ops.matmul(x, v),
          layer: ops.linear(x, w, b, 'tanh'),
          again: ops.relu(ops.matmul(x, ops.scale(w, 0.5))),
          turned: ops.matmul(ops.transpose(x), ops.broadcastTo(ops.reshape(b, [1, width]), [rows, width])),
        };
      },
      5,
    );
  });
}

/** Shapes that are large enough for tiles, for several workgroups a row of tiles and for sums in parts. */
export function largeCases(): Case[] {
  const products = (m: number, k: number, n: number): Case =>
    makeCase(`large matmul ${m} x ${k} x ${n}`, m + k + n, { a: [m, k], bt: [n, k], bias: [n] }, ({ a, bt, bias }) => ({
      y: ops.linear(ops.scale(a, 0.1), ops.transpose(bt), bias, 'tanh'),
    }));
  return [
    products(400, 20, 330),
    products(130, 33, 140),
    products(3, 700, 5),
    products(1, 300, 200),
    makeCase('large stack', 7, { a: [6, 70, 40], b: [6, 40, 50] }, ({ a, b }) => ({ y: ops.softmax(ops.scale(ops.matmul(a, b), 0.1)) })),
    makeCase('rows and a sum of all', 8, { x: [300, 4], w: [4, 64], v: [64, 64], u: [64, 3] }, ({ x, w, v, u }) => {
      const h = ops.tanh(ops.matmul(ops.tanh(ops.matmul(x, w)), ops.scale(v, 0.2)));
      const logits = ops.logSoftmax(ops.matmul(h, ops.scale(u, 0.2)));
      return { logits, normal: ops.standardise(ops.sum(ops.mul(logits, ops.exp(logits)), -1)), layers: ops.layerNorm(h) };
    }),
    makeCase('an index met often', 9, { x: [40, 33], i: [700] }, ({ x, i }) => ({ y: ops.square(ops.gather(ops.sin(x), i)) }), 40),
  ];
}
