// biome-ignore-all lint/plugin: the oracle checks results and never makes one; the platform's functions are independent of ours.
/**
 * The oracle: evaluates a graph node by node in float64, one plain loop per primitive, sharing nothing with any executor.
 * Slow on purpose. It uses Math.* functions, so its last bits may differ between machines: compare with a tolerance.
 */
import { reachable } from '../../engine/graph.ts';
import { type BinaryOp, isBinary, isUnary, sizeOf, stridesOf, type UnaryOp } from '../../engine/shapes.ts';
import type { Param, Shape, Tensor, TensorOf } from '../../engine/types.ts';

export interface Feeds {
  readonly inputs?: { readonly [name: string]: ArrayLike<number> };
  readonly params?: ReadonlyMap<Param, ArrayLike<number>>;
}

const unaryFunctions: Readonly<Record<UnaryOp, (x: number) => number>> = {
  neg: (x) => -x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  abs: Math.abs,
  tanh: Math.tanh,
  sigmoid: (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))),
  relu: (x) => Math.max(x, 0),
  elu: (x) => (x > 0 ? x : Math.expm1(x)),
  softplus: (x) => (x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x))),
  gelu: (x) => 0.5 * x * (1 + Math.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))),
  sin: Math.sin,
  cos: Math.cos,
  square: (x) => x * x,
  sign: Math.sign,
};

const binaryFunctions: Readonly<Record<BinaryOp, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
  eq: (a, b) => Number(a === b),
  lt: (a, b) => Number(a < b),
  le: (a, b) => Number(a <= b),
  gt: (a, b) => Number(a > b),
  ge: (a, b) => Number(a >= b),
};

/** Calls visit(flat index, flat offset) for all positions of shape, the offset being sum(position * strides) + base. */
function walk(shape: Shape, strides: readonly number[], base: number, visit: (i: number, offset: number) => void): void {
  const n = sizeOf(shape);
  const at = new Array<number>(shape.length).fill(0);
  let offset = base;
  for (let i = 0; i < n; i++) {
    visit(i, offset);
    for (let d = shape.length - 1; d >= 0; d--) {
      offset += strides[d]!;
      if (++at[d]! < shape[d]!) break;
      offset -= strides[d]! * shape[d]!;
      at[d] = 0;
    }
  }
}

/** Strides that read x as if it had the target's shape. */
function broadcastStrides(x: Shape, to: Shape): number[] {
  const own = stridesOf(x);
  return to.map((_, i) => {
    const d = i - (to.length - x.length);
    return d < 0 || x[d] === 1 ? 0 : own[d]!;
  });
}

function matmul(a: Float64Array, b: Float64Array, out: Float64Array, m: number, k: number, n: number): void {
  for (let s = 0; s * m * n < out.length; s++)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let t = 0; t < k; t++) sum += a[(s * m + i) * k + t]! * b[(s * k + t) * n + j]!;
        out[(s * m + i) * n + j] = sum;
      }
}

/** Calls visit(index in the patches, index in the image) for every pair that is not padding. */
function walkPatches(node: TensorOf<'im2col' | 'col2im'>, image: Shape, visit: (patch: number, pixel: number) => void): void {
  const { kh, kw, stride, pad } = node.attrs;
  const [B = 1, H = 1, W = 1, C = 1] = image;
  const patches = node.op === 'im2col' ? node.shape : node.inputs[0]!.shape;
  const [, OH = 1, OW = 1] = patches;
  let p = 0;
  for (let b = 0; b < B; b++)
    for (let oy = 0; oy < OH; oy++)
      for (let ox = 0; ox < OW; ox++)
        for (let ky = 0; ky < kh; ky++)
          for (let kx = 0; kx < kw; kx++)
            for (let c = 0; c < C; c++, p++) {
              const y = oy * stride + ky - pad;
              const x = ox * stride + kx - pad;
              if (y >= 0 && y < H && x >= 0 && x < W) visit(p, ((b * H + y) * W + x) * C + c);
            }
}

function evaluate(node: Tensor, args: readonly Float64Array[]): Float64Array {
  const { op, shape, attrs } = node;
  const out = new Float64Array(sizeOf(shape));
  const x = args[0]!;
  const from = node.inputs[0]?.shape ?? [];
  if (isUnary(op)) return x.map(unaryFunctions[op]);
  if (isBinary(op)) {
    const f = binaryFunctions[op];
    return x.map((a, i) => f(a, args[1]![i]!));
  }
  switch (op) {
    case 'where':
      return x.map((c, i) => (c !== 0 ? args[1]![i]! : args[2]![i]!));
    case 'sum':
    case 'amax': {
      const own = stridesOf(shape);
      let d = 0;
      const strides = from.map((_, i) => (attrs.axes.includes(i) ? 0 : own[d++]!));
      if (op === 'amax') out.fill(Number.NEGATIVE_INFINITY);
      walk(from, strides, 0, (i, o) => {
        out[o] = op === 'sum' ? out[o]! + x[i]! : Math.max(out[o]!, x[i]!);
      });
      return out;
    }
    case 'matmul':
      matmul(x, args[1]!, out, shape.at(-2)!, from.at(-1)!, shape.at(-1)!);
      return out;
    case 'broadcast':
      walk(shape, broadcastStrides(from, shape), 0, (i, o) => {
        out[i] = x[o]!;
      });
      return out;
    case 'reshape':
    case 'stopGradient':
      return x.slice();
    case 'transpose': {
      const own = stridesOf(from);
      const strides = attrs.perm.map((p) => own[p]!);
      walk(shape, strides, 0, (i, o) => {
        out[i] = x[o]!;
      });
      return out;
    }
    case 'slice': {
      const own = stridesOf(from);
      const base = attrs.begin.reduce((sum, b, i) => sum + b * own[i]!, 0);
      walk(shape, own, base, (i, o) => {
        out[i] = x[o]!;
      });
      return out;
    }
    case 'pad': {
      const own = stridesOf(shape);
      const base = attrs.begin.reduce((sum, b, i) => sum + b * own[i]!, 0);
      walk(from, own, base, (i, o) => {
        out[o] = x[i]!;
      });
      return out;
    }
    case 'concat': {
      const own = stridesOf(shape);
      let base = 0;
      node.inputs.forEach((part, k) => {
        walk(part.shape, own, base, (i, o) => {
          out[o] = args[k]![i]!;
        });
        base += part.shape[attrs.axis]! * own[attrs.axis]!;
      });
      return out;
    }
    case 'gather': {
      const width = shape[1]!;
      args[1]!.forEach((row, m) => {
        for (let d = 0; d < width; d++) out[m * width + d] = x[row * width + d]!;
      });
      return out;
    }
    case 'scatterAdd': {
      const width = shape[1]!;
      x.forEach((row, m) => {
        for (let d = 0; d < width; d++) out[row * width + d] = out[row * width + d]! + args[1]![m * width + d]!;
      });
      return out;
    }
    case 'im2col':
      walkPatches(node, from, (p, i) => {
        out[p] = x[i]!;
      });
      return out;
    case 'col2im':
      walkPatches(node, shape, (p, i) => {
        out[i] = out[i]! + x[p]!;
      });
      return out;
    default:
      throw new Error(`interpreter: ${op} is a leaf`);
  }
}

/** Values of all nodes that the given ones need. Throws Error if a feed is missing or has the wrong length. */
export function interpret(wanted: readonly Tensor[], feeds: Feeds = {}): Map<Tensor, Float64Array> {
  const values = new Map<Tensor, Float64Array>();
  for (const t of reachable(wanted)) {
    if (t.op === 'const') values.set(t, Float64Array.from(t.attrs.data));
    else if (t.op === 'input' || t.op === 'param') {
      const what = t.op === 'input' ? t.attrs.name : t.attrs.param.name;
      const data = t.op === 'input' ? feeds.inputs?.[what] : feeds.params?.get(t.attrs.param);
      if (data === undefined || data.length !== sizeOf(t.shape))
        throw new Error(`interpreter: ${t.op} "${what}" needs ${sizeOf(t.shape)} numbers, got ${data?.length ?? 'none'}`);
      values.set(t, Float64Array.from(data));
    } else
      values.set(
        t,
        evaluate(
          t,
          t.inputs.map((i) => values.get(i)!),
        ),
      );
  }
  return values;
}
