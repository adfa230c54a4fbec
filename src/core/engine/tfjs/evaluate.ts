/**
 * Evaluates a graph's nodes as tfjs operations. Called inside tf.tidy with the backend active. Fewer dispatches: broadcasts are
 * left to the binary operations that read them, swapped last axes to matMul's flags, comparisons stay boolean for `where`.
 */
import * as tf from '@tensorflow/tfjs-core';
import { type BinaryOp, isBinary, isUnary, sameShape, sizeOf, type UnaryOp, windowCount } from '../shapes.ts';
import { uniformValue } from '../simplify.ts';
import type { Shape, Tensor, TensorOf } from '../types.ts';

type Value = tf.Tensor;
/** Nodes whose values come from outside the graph. */
export type Leaf = TensorOf<'const' | 'input' | 'param'>;

const GELU = 0.7978845608028654;
const gelu = (x: Value): Value =>
  tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(tf.mul(tf.add(x, tf.mul(tf.mul(tf.square(x), x), 0.044715)), GELU)), 1));

const unary: Readonly<Record<UnaryOp, (x: Value) => Value>> = {
  neg: tf.neg,
  exp: tf.exp,
  log: tf.log,
  sqrt: tf.sqrt,
  abs: tf.abs,
  tanh: tf.tanh,
  sigmoid: tf.sigmoid,
  relu: tf.relu,
  elu: tf.elu,
  softplus: tf.softplus,
  gelu,
  sin: tf.sin,
  cos: tf.cos,
  square: tf.square,
  sign: tf.sign,
};
const binary: Readonly<Record<BinaryOp, (a: Value, b: Value) => Value>> = {
  add: tf.add,
  sub: tf.sub,
  mul: tf.mul,
  div: tf.div,
  min: tf.minimum,
  max: tf.maximum,
  eq: tf.equal,
  lt: tf.less,
  le: tf.lessEqual,
  gt: tf.greater,
  ge: tf.greaterEqual,
};
const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'lt', 'le', 'gt', 'ge']);

const swapsLastTwo = (perm: readonly number[]): boolean =>
  perm.length >= 2 && perm.every((p, i) => p === (i < perm.length - 2 ? i : 2 * perm.length - 3 - i));
const list = (shape: readonly number[]): number[] => [...shape];

function padTo(x: Value, begin: readonly number[], shape: Shape): Value {
  return tf.pad(
    x,
    x.shape.map((n, i): [number, number] => [begin[i]!, shape[i]! - n - begin[i]!]),
  );
}

/**
 * Repeats elements up to a larger shape, one run of neighbouring axes at a time as [before, 1, after]: tfjs's own broadcast of
 * five axes and more reads back synchronously on webgpu.
 */
function expand(x: Value, shape: Shape): Value {
  const own = [...new Array<number>(shape.length - x.shape.length).fill(1), ...x.shape];
  let out = x;
  for (let end = shape.length; end > 0; end--) {
    if (own[end - 1] === shape[end - 1]) continue;
    let from = end - 1;
    while (from > 0 && own[from - 1] === 1) from--;
    const before = sizeOf(own.slice(0, from));
    const after = sizeOf(shape.slice(end));
    out = tf.broadcastTo(tf.reshape(out, [before, 1, after]), [before, sizeOf(shape.slice(from, end)), after]);
    end = from + 1;
  }
  return tf.reshape(out, [...shape]);
}

/** webgpu selects among at most four axes. */
function select(condition: Value, a: Value, b: Value): Value {
  const flat = [condition, a, b].map((x) => tf.reshape(x, [-1])) as [Value, Value, Value];
  return tf.where(...flat);
}

/** Patches as kh * kw shifted pictures side by side. */
function im2col(x: Value, node: TensorOf<'im2col'>): Value {
  const { kh, kw, stride, pad } = node.attrs;
  const [, OH = 1, OW = 1] = node.shape;
  const [B = 1, H = 1, W = 1, C = 1] = x.shape;
  const wide = pad === 0 ? x : padTo(x, [0, pad, pad, 0], [B, H + 2 * pad, W + 2 * pad, C]);
  const parts: Value[] = [];
  for (let ky = 0; ky < kh; ky++)
    for (let kx = 0; kx < kw; kx++) {
      const end = [B, ky + (OH - 1) * stride + 1, kx + (OW - 1) * stride + 1, C];
      parts.push(
        stride === 1 ? tf.slice(wide, [0, ky, kx, 0], [B, OH, OW, C]) : tf.stridedSlice(wide, [0, ky, kx, 0], end, [1, stride, stride, 1]),
      );
    }
  return parts.length === 1 ? parts[0]! : tf.concat(parts, 3);
}

/** Zeros between the elements of one axis of a [P, N, Q] tensor: [P, N * by, Q]. */
function spread(x: Value, by: number): Value {
  const [P = 1, N = 1, Q = 1] = x.shape;
  return tf.reshape(padTo(tf.reshape(x, [P * N, 1, Q]), [0, 0, 0], [P * N, by, Q]), [P, N * by, Q]);
}
function col2im(x: Value, node: TensorOf<'col2im'>): Value {
  const { kh, kw, stride, pad } = node.attrs;
  const [B = 1, H = 1, W = 1, C = 1] = node.shape;
  const OH = windowCount(H, kh, stride, pad);
  const OW = windowCount(W, kw, stride, pad);
  // Wide enough for every shifted, spread-out picture.
  const high = Math.max(H + 2 * pad, kh - 1 + OH * stride);
  const wide = Math.max(W + 2 * pad, kw - 1 + OW * stride);
  const parts: Value[] = [];
  for (let ky = 0; ky < kh; ky++)
    for (let kx = 0; kx < kw; kx++) {
      let part = tf.slice(x, [0, 0, 0, (ky * kw + kx) * C], [B, OH, OW, C]);
      if (stride > 1) {
        const rows = spread(tf.reshape(part, [B, OH, OW * C]), stride);
        part = tf.reshape(spread(tf.reshape(rows, [B * OH * stride, OW, C]), stride), [B, OH * stride, OW * stride, C]);
      }
      parts.push(padTo(part, [0, ky, kx, 0], [B, high, wide, C]));
    }
  // Not addN: on webgpu nine operands are more buffers than a shader may bind, and the whole submission is dropped.
  const total = parts.reduce((a, b) => tf.add(a, b));
  return tf.slice(total, [0, pad, pad, 0], [B, H, W, C]);
}

/** index [M], rows [M, D] -> [V, D]: a product with the one-hot matrix, which every backend has. */
function scatterAdd(index: Value, rows: Value, count: number): Value {
  const hot = tf.equal(tf.reshape(tf.range(0, count), [count, 1]), tf.reshape(index, [1, index.shape[0]!]));
  return tf.matMul(tf.cast(hot, 'float32'), rows);
}

/**
 * tfjs's wasm backend keeps one packed matrix per buffer: the same buffer as the right factor in another shape (a reshape shares
 * it) would silently give wrong numbers. Here is the shape each buffer was first used in; others get a copy.
 */
const packedAs = new WeakMap<object, string>();
function unshared(b: Value): Value {
  const shape = b.shape.join();
  const first = packedAs.get(b.dataId);
  if (first === undefined) packedAs.set(b.dataId, shape);
  return first === undefined || first === shape ? b : tf.mul(b, 1);
}

/** Values of the nodes asked for. `leaf` gives inputs, parameters and constants. */
export class Evaluation {
  private readonly values = new Map<Tensor, Value>();
  private readonly booleans = new Map<Tensor, Value>();
  private readonly leaf: (node: Leaf) => Value;
  /** On wasm a product with transposed factors is slow (4-9 times) and needs the care of `unshared`. */
  private readonly wasm = tf.getBackend() === 'wasm';
  private readonly webgpu = tf.getBackend() === 'webgpu';

  constructor(leaf: (node: Leaf) => Value) {
    this.leaf = leaf;
  }

  /** In the node's own shape. Call it in topological order to keep the recursion shallow. */
  get(node: Tensor): Value {
    const known = this.values.get(node);
    if (known !== undefined) return known;
    const value = this.compute(node);
    this.values.set(node, value);
    return value;
  }

  /** Nodes that are best left to those who read them. */
  static deferred(node: Tensor): boolean {
    return node.op === 'broadcast' || (node.op === 'transpose' && swapsLastTwo(node.attrs.perm)) || COMPARISONS.has(node.op);
  }

  /** Something that broadcasts to the node's shape, for elementwise operations. */
  private loose(node: Tensor): Value {
    const source = node.op === 'broadcast' ? node.inputs[0]! : node;
    return COMPARISONS.has(source.op) && !this.values.has(source) ? this.zeroOne(source) : this.get(source);
  }
  /** A comparison as 0 or 1. On webgpu this is still a buffer of integers under another name, which only some kernels can read. */
  private zeroOne(node: Tensor): Value {
    if (node.op === 'gt' && uniformValue(node.inputs[1]!) === 0) return tf.step(this.loose(node.inputs[0]!));
    return tf.cast(this.boolean(node), 'float32');
  }
  private exactly(value: Value, shape: Shape): Value {
    return sameShape(value.shape, shape) ? value : expand(value, shape);
  }
  private boolean(node: Tensor): Value {
    const known = this.booleans.get(node);
    if (known !== undefined) return known;
    const [a, b] = node.inputs as [Tensor, Tensor];
    const value = COMPARISONS.has(node.op) ? binary[node.op as BinaryOp](this.loose(a), this.loose(b)) : tf.notEqual(this.loose(node), 0);
    this.booleans.set(node, value);
    return value;
  }
  /** For matMul: the tensor before its last two axes were swapped, if they were. */
  private factor(node: Tensor): { readonly value: Value; readonly swapped: boolean } {
    const swapped = !this.wasm && node.op === 'transpose' && swapsLastTwo(node.attrs.perm);
    return { value: this.get(swapped ? node.inputs[0]! : node), swapped };
  }

  private compute(node: Tensor): Value {
    const { op, shape, attrs, inputs } = node;
    const x = inputs[0]!;
    if (isUnary(op)) return unary[op](this.get(x));
    if (isBinary(op)) {
      if (COMPARISONS.has(op)) return this.exactly(this.webgpu ? tf.mul(this.zeroOne(node), 1) : this.zeroOne(node), shape);
      return this.exactly(binary[op](this.loose(x), this.loose(inputs[1]!)), shape);
    }
    switch (op) {
      case 'const':
      case 'input':
      case 'param':
        return this.leaf(node);
      case 'where':
        if (shape.length > 4)
          return tf.reshape(select(tf.notEqual(this.get(x), 0), this.get(inputs[1]!), this.get(inputs[2]!)), list(shape));
        return this.exactly(tf.where(this.boolean(x), this.loose(inputs[1]!), this.loose(inputs[2]!)), shape);
      case 'sum':
        return tf.sum(this.get(x), list(attrs.axes));
      case 'amax':
        return tf.max(this.get(x), list(attrs.axes));
      case 'matmul': {
        const a = this.factor(x);
        const b = this.factor(inputs[1]!);
        return tf.matMul(a.value, this.wasm ? unshared(b.value) : b.value, a.swapped, b.swapped);
      }
      case 'broadcast':
        return this.exactly(this.get(x), shape);
      case 'reshape':
        return tf.reshape(this.get(x), list(shape));
      case 'stopGradient':
        return this.get(x);
      case 'transpose':
        return tf.transpose(this.get(x), list(attrs.perm));
      case 'slice':
        return tf.slice(this.get(x), list(attrs.begin), list(attrs.size));
      case 'concat':
        return tf.concat(
          inputs.map((i) => this.get(i)),
          attrs.axis,
        );
      case 'pad':
        return padTo(this.get(x), attrs.begin, shape);
      case 'gather':
        return tf.gather(this.get(x), tf.cast(this.get(inputs[1]!), 'int32'));
      case 'scatterAdd':
        return scatterAdd(this.get(x), this.wasm ? unshared(this.get(inputs[1]!)) : this.get(inputs[1]!), shape[0]!);
      case 'im2col':
        return im2col(this.get(x), node);
      case 'col2im':
        return col2im(this.get(x), node);
      default:
        return op satisfies never;
    }
  }
}
