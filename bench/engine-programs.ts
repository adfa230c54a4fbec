/**
 * The engine benchmark's programs on our engine, the same for every executor: dense networks, the MinAtar convolution, a GRU
 * unrolled over 16 steps, an attention block. `train` is forward, backward, norm, clipping and Adam.
 */
import * as ops from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Shape, Tensor } from '#core/engine/types.ts';
import { lstmCell, unroll } from '#core/nets/recurrent.ts';
import { Rng } from '#math/rng.ts';

export interface Shaped {
  readonly name: string;
  readonly rows: number;
  readonly input: Shape;
  /** Declares parameters and answers the network. */
  net(group: ParamGroup): (g: Graph, x: Tensor) => Tensor;
}

const rng = Rng.from(1);
export const uniform = (n: number, scale: number) => Float32Array.from({ length: n }, () => (rng.uniform() * 2 - 1) * scale);

/** Parameters uniform within 1/sqrt(fan in). */
function matrix(group: ParamGroup, name: string, shape: Shape): (g: Graph) => Tensor {
  const size = shape.reduce((a, b) => a * b, 1);
  const param = group.param(name, shape, uniform(size, 1 / Math.sqrt(size / shape.at(-1)!)));
  return (g) => g.read(param);
}
function vector(group: ParamGroup, name: string, n: number): (g: Graph) => Tensor {
  const param = group.param(name, [n], new Float32Array(n));
  return (g) => g.read(param);
}

export function mlp(sizes: readonly number[], rows: number): Shaped {
  return {
    name: `mlp ${sizes.join('-')}`,
    rows,
    input: [rows, sizes[0]!],
    net(group) {
      const layers = sizes.slice(1).map((n, i) => ({ w: matrix(group, `w${i}`, [sizes[i]!, n]), b: vector(group, `b${i}`, n) }));
      return (g, x) => layers.reduce((h, { w, b }, i) => ops.linear(h, w(g), b(g), i < layers.length - 1 ? 'tanh' : 'none'), x);
    },
  };
}

/** 16 filters of 3 x 3, 128 hidden, 6 actions, on 10 x 10 images of 4 channels (Young & Tian 2019). */
export function minatar(rows: number): Shaped {
  return {
    name: 'conv 10x10x4',
    rows,
    input: [rows, 10, 10, 4],
    net(group) {
      const kernel = matrix(group, 'kernel', [3, 3, 4, 16]);
      const bias = vector(group, 'bias', 16);
      const [w1, b1] = [matrix(group, 'w1', [8 * 8 * 16, 128]), vector(group, 'b1', 128)];
      const [w2, b2] = [matrix(group, 'w2', [128, 6]), vector(group, 'b2', 6)];
      return (g, x) => {
        const h = ops.reshape(ops.conv2d(x, kernel(g), bias(g), {}, 'relu'), [rows, 8 * 8 * 16]);
        return ops.linear(ops.linear(h, w1(g), b1(g), 'relu'), w2(g), b2(g));
      };
    },
  };
}

/** One layer, three gates from one product each of input and state; inputs of width 64. */
export function gru(rows: number, steps: number): Shaped {
  const H = 64;
  return {
    name: `gru 64, ${steps} steps`,
    rows,
    input: [steps, rows, H],
    net(group) {
      const [wx, wh] = [matrix(group, 'wx', [H, 3 * H]), matrix(group, 'wh', [H, 3 * H])];
      const [bx, bh] = [vector(group, 'bx', 3 * H), vector(group, 'bh', 3 * H)];
      return (g, x) => {
        let h: Tensor = g.constant(0, [rows, H]);
        for (let t = 0; t < steps; t++) {
          const xt = ops.reshape(ops.slice(x, [t, 0, 0], [1, rows, H]), [rows, H]);
          const a = ops.split(ops.linear(xt, wx(g), bx(g)), [H, H, H]);
          const b = ops.split(ops.linear(h, wh(g), bh(g)), [H, H, H]);
          const r = ops.sigmoid(ops.add(a[0]!, b[0]!));
          const z = ops.sigmoid(ops.add(a[1]!, b[1]!));
          const n = ops.tanh(ops.add(a[2]!, ops.mul(r, b[2]!)));
          h = ops.add(n, ops.mul(z, ops.sub(h, n)));
        }
        return h;
      };
    },
  };
}

/** The same with four gates and a cell beside the state. */
export function lstm(rows: number, steps: number): Shaped {
  const H = 64;
  return {
    name: `lstm 64, ${steps} steps`,
    rows,
    input: [steps, rows, H],
    net(group) {
      const cell = lstmCell(group, 'cell', Rng.from(2), H, H);
      return (g, x) => unroll(cell, x, g.constant(0, [rows, cell.stateSize])).outputs;
    },
  };
}

/** Layer norm, two heads of 32 over 32 positions, residual, layer norm, 64-256-64 with gelu, residual. */
export function attention(rows: number): Shaped {
  const [T, D, heads] = [32, 64, 2];
  const d = D / heads;
  return {
    name: 'attention 32 x 64, 2 heads',
    rows,
    input: [rows, T, D],
    net(group) {
      const [qkv, out] = [matrix(group, 'qkv', [D, 3 * D]), matrix(group, 'out', [D, D])];
      const [up, down] = [matrix(group, 'up', [D, 4 * D]), matrix(group, 'down', [4 * D, D])];
      const [bUp, bDown] = [vector(group, 'bUp', 4 * D), vector(group, 'bDown', D)];
      return (g, x) => {
        const parts = ops.split(ops.matmul(ops.layerNorm(x), qkv(g)), [D, D, D]);
        const [q, k, v] = parts.map((p) => ops.transpose(ops.reshape(p, [rows, T, heads, d]), [0, 2, 1, 3]));
        const scores = ops.scale(ops.matmul(q!, ops.transpose(k!)), 1 / Math.sqrt(d));
        const mixed = ops.reshape(ops.transpose(ops.matmul(ops.softmax(scores), v!), [0, 2, 1, 3]), [rows, T, D]);
        const y = ops.add(x, ops.matmul(mixed, out(g)));
        return ops.add(y, ops.linear(ops.linear(ops.layerNorm(y), up(g), bUp(g), 'gelu'), down(g), bDown(g)));
      };
    },
  };
}

export interface Compiled {
  readonly forward: Program;
  readonly train: Program;
  readonly compileMs: number;
}

/** Both programs with inputs filled. The loss is the mean square of what comes out, so that gradients stay finite for ever. */
export function compileShape(engine: Engine, shape: Shaped): Compiled {
  const start = performance.now();
  const group = engine.group(shape.name);
  const net = shape.net(group);
  const forward = engine.compile((g) => ({ y: net(g, g.input('x', shape.input)) }));
  const train = engine.compile((g) => ({ loss: ops.mean(ops.square(ops.sub(net(g, g.input('x', shape.input)), 0.1))) }), {
    minimise: 'loss',
    group,
    with: adam({ eps: 1e-5 }),
    maxGradNorm: 0.5,
  });
  const compileMs = performance.now() - start;
  for (const p of [forward, train]) p.in.x!.set(uniform(p.in.x!.length, 1));
  train.in.lr![0] = 1e-5;
  return { forward, train, compileMs };
}
