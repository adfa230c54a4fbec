/**
 * Tensor expressions: the primitives as free functions, and what is composed from a few of them.
 * Binary functions take tensors or numbers (at least one tensor) and broadcast numpy-style by explicit broadcast nodes.
 * Axes may be negative (from the end). Shapes are static; a misfit throws Error naming the operation and the shapes.
 */
import { builderOf } from './graph.ts';
import { type BinaryOp, broadcastShapes, hasFourAxes, lastSize, normaliseAxes, sameShape, sizeOf, type UnaryOp } from './shapes.ts';
import type { AttrsArgument, Graph, Op, Shape, Tensor } from './types.ts';

export type Operand = Tensor | number;

function unary(op: UnaryOp, x: Tensor): Tensor {
  return builderOf(x.graph).make(op, [x]);
}
export const neg = (x: Tensor): Tensor => unary('neg', x);
export const exp = (x: Tensor): Tensor => unary('exp', x);
export const log = (x: Tensor): Tensor => unary('log', x);
export const sqrt = (x: Tensor): Tensor => unary('sqrt', x);
export const abs = (x: Tensor): Tensor => unary('abs', x);
export const tanh = (x: Tensor): Tensor => unary('tanh', x);
export const sigmoid = (x: Tensor): Tensor => unary('sigmoid', x);
export const relu = (x: Tensor): Tensor => unary('relu', x);
/** x above 0, exp(x) - 1 below. */
export const elu = (x: Tensor): Tensor => unary('elu', x);
/** ln(1 + exp(x)), stable for large |x|. */
export const softplus = (x: Tensor): Tensor => unary('softplus', x);
/** The tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */
export const gelu = (x: Tensor): Tensor => unary('gelu', x);
export const sin = (x: Tensor): Tensor => unary('sin', x);
export const cos = (x: Tensor): Tensor => unary('cos', x);
export const square = (x: Tensor): Tensor => unary('square', x);
/** -1, 0 or 1. */
export const sign = (x: Tensor): Tensor => unary('sign', x);

/** The program that any of the operands belongs to. */
function graphOf(op: string, operands: readonly Operand[]): Graph {
  for (const o of operands) if (typeof o !== 'number') return o.graph;
  throw new Error(`${op}: at least one operand must be a tensor`);
}

/** Operands as tensors of one common shape. */
function align(op: string, operands: readonly Operand[]): Tensor[] {
  const g = graphOf(op, operands);
  const tensors = operands.map((o) => (typeof o === 'number' ? g.constant(o) : o));
  const shape = tensors.reduce<Shape>((s, t) => broadcastShapes(op, s, t.shape), []);
  return tensors.map((t) => broadcastTo(t, shape));
}
function binary(op: BinaryOp, a: Operand, b: Operand): Tensor {
  const operands = align(op, [a, b]);
  return builderOf(operands[0]!.graph).make(op, operands);
}
export const add = (a: Operand, b: Operand): Tensor => binary('add', a, b);
export const sub = (a: Operand, b: Operand): Tensor => binary('sub', a, b);
export const mul = (a: Operand, b: Operand): Tensor => binary('mul', a, b);
export const div = (a: Operand, b: Operand): Tensor => binary('div', a, b);
/** The smaller; ties pass their gradient to a. */
export const minimum = (a: Operand, b: Operand): Tensor => binary('min', a, b);
/** The larger; ties pass their gradient to a. */
export const maximum = (a: Operand, b: Operand): Tensor => binary('max', a, b);
/** Comparisons give 1 or 0 and have no gradient. */
export const eq = (a: Operand, b: Operand): Tensor => binary('eq', a, b);
export const lt = (a: Operand, b: Operand): Tensor => binary('lt', a, b);
export const le = (a: Operand, b: Operand): Tensor => binary('le', a, b);
export const gt = (a: Operand, b: Operand): Tensor => binary('gt', a, b);
export const ge = (a: Operand, b: Operand): Tensor => binary('ge', a, b);
/** a where condition is not 0, else b. The branch not taken still runs: 0 * inf in its gradient is NaN. */
export function where(condition: Operand, a: Operand, b: Operand): Tensor {
  const operands = align('where', [condition, a, b]);
  return builderOf(operands[0]!.graph).make('where', operands);
}
export const scale = (x: Tensor, factor: number): Tensor => mul(x, factor);
export const addScalar = (x: Tensor, c: number): Tensor => add(x, c);
/** Between low and high; passes its gradient at the bounds. */
export const clip = (x: Tensor, low: Operand, high: Operand): Tensor => minimum(maximum(x, low), high);

export type Axes = number | readonly number[];
function axesOf(op: string, x: Tensor, axes: Axes | undefined): number[] {
  if (axes === undefined) return x.shape.map((_, i) => i);
  return normaliseAxes(op, typeof axes === 'number' ? [axes] : axes, x.shape.length);
}
function reduce(op: 'sum' | 'amax', x: Tensor, axes: Axes | undefined, keep: boolean): Tensor {
  const list = axesOf(op, x, axes);
  const out = builderOf(x.graph).make(op, [x], { axes: list });
  if (!keep) return out;
  return reshape(
    out,
    x.shape.map((n, i) => (list.includes(i) ? 1 : n)),
  );
}
/** Over all axes if none are named; `keep` leaves them with size 1. */
export const sum = (x: Tensor, axes?: Axes, keep = false): Tensor => reduce('sum', x, axes, keep);
export function mean(x: Tensor, axes?: Axes, keep = false): Tensor {
  const count = axesOf('mean', x, axes).reduce((n, a) => n * x.shape[a]!, 1);
  return mul(sum(x, axes, keep), 1 / count);
}
/** Largest over axes; equal largest ones share the gradient. */
export const amax = (x: Tensor, axes?: Axes, keep = false): Tensor => reduce('amax', x, axes, keep);
export const amin = (x: Tensor, axes?: Axes, keep = false): Tensor => neg(amax(neg(x), axes, keep));

function view<O extends Op>(op: O, x: Tensor, ...attrs: AttrsArgument<O>): Tensor {
  return builderOf(x.graph).make(op, [x], ...attrs);
}
/** One size may be -1: whatever is left. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  const known = shape.reduce((n, s) => (s === -1 ? n : n * s), 1);
  return view('reshape', x, { shape: shape.map((s) => (s === -1 ? sizeOf(x.shape) / known : s)) });
}
/** Axes in the order of perm; without it the last two are swapped. */
export function transpose(x: Tensor, perm?: readonly number[]): Tensor {
  const rank = x.shape.length;
  return view('transpose', x, { perm: perm ?? [...x.shape.keys()].map((i) => (i < rank - 2 ? i : 2 * rank - 3 - i)) });
}
export const broadcastTo = (x: Tensor, shape: Shape): Tensor => view('broadcast', x, { shape });
/** A block; size -1 means up to the end. */
export function slice(x: Tensor, begin: readonly number[], size: readonly number[]): Tensor {
  return view('slice', x, { begin, size: size.map((s, i) => (s === -1 ? (x.shape[i] ?? 0) - (begin[i] ?? 0) : s)) });
}
/** `count` places along one axis, starting at `from`. */
export function sliceAxis(x: Tensor, axis: number, from: number, count: number): Tensor {
  const at = normaliseAxes('sliceAxis', [axis], x.shape.length)[0]!;
  return slice(
    x,
    x.shape.map((_, i) => (i === at ? from : 0)),
    x.shape.map((n, i) => (i === at ? count : n)),
  );
}
/** Parts of the given sizes along one axis. */
export function split(x: Tensor, sizes: readonly number[], axis = -1): Tensor[] {
  let from = 0;
  return sizes.map((count) => {
    const part = sliceAxis(x, axis, from, count);
    from += count;
    return part;
  });
}
export function concat(parts: readonly Tensor[], axis = -1): Tensor {
  const first = parts[0];
  if (first === undefined) throw new Error('concat: nothing to join');
  return builderOf(first.graph).make('concat', parts, { axis: normaliseAxes('concat', [axis], first.shape.length)[0]! });
}
/** Equal shapes side by side along a new axis. */
export function stack(parts: readonly Tensor[], axis = 0): Tensor {
  return concat(
    parts.map((p) => reshape(p, [...p.shape.slice(0, axis), 1, ...p.shape.slice(axis)])),
    axis,
  );
}
export const stopGradient = (x: Tensor): Tensor => view('stopGradient', x);

/** [..., M, K] x [..., K, N]. Leading axes broadcast; with a single matrix on the right the left ones are rows of one product. */
export function matmul(a: Tensor, b: Tensor): Tensor {
  const g = builderOf(a.graph);
  const rows = a.shape.slice(0, -1);
  if (a.shape.length > 2 && b.shape.length === 2) {
    const flat = g.make('matmul', [reshape(a, [sizeOf(rows), lastSize('matmul', a.shape)]), b]);
    return reshape(flat, [...rows, b.shape[1]!]);
  }
  if (a.shape.length < 2 || b.shape.length < 2 || sameShape(a.shape.slice(0, -2), b.shape.slice(0, -2))) return g.make('matmul', [a, b]);
  const lead = broadcastShapes('matmul', a.shape.slice(0, -2), b.shape.slice(0, -2));
  return g.make('matmul', [broadcastTo(a, [...lead, ...a.shape.slice(-2)]), broadcastTo(b, [...lead, ...b.shape.slice(-2)])]);
}

export type Activation = 'none' | 'tanh' | 'relu' | 'sigmoid' | 'elu' | 'gelu' | 'softplus';
export function activate(x: Tensor, act: Activation = 'none'): Tensor {
  return act === 'none' ? x : unary(act, x);
}
/** act(x w + b): x [..., I], w [I, O], b [O]. */
export function linear(x: Tensor, w: Tensor, b?: Tensor, act: Activation = 'none'): Tensor {
  const y = matmul(x, w);
  return activate(b === undefined ? y : add(y, b), act);
}

/** Rows of table [V, D] at index [...]: [..., D]. Indices are whole numbers in 0..V-1, given as floats. */
export function gather(table: Tensor, index: Tensor): Tensor {
  const rows = builderOf(table.graph).make('gather', [table, reshape(index, [sizeOf(index.shape)])]);
  return reshape(rows, [...index.shape, table.shape[1]!]);
}
export const embedding = gather;
/** 0, 1, 2, ... n - 1. */
export function iota(g: Graph, n: number): Tensor {
  return g.constant(Float32Array.from({ length: n }, (_, i) => i));
}
/** index [...] -> [..., n], 1 at the index, all 0 if it lies outside. */
export function oneHot(index: Tensor, n: number): Tensor {
  return eq(reshape(index, [...index.shape, 1]), iota(index.graph, n));
}
/** One entry per row: x [..., N], index [...] -> [...]. */
export function pick(x: Tensor, index: Tensor): Tensor {
  return sum(mul(x, oneHot(index, lastSize('pick', x.shape))), -1);
}

/** ln(sum(exp(x))) along one axis. The shift by the largest is not differentiated: it cancels. */
export function logsumexp(x: Tensor, axis = -1, keep = false): Tensor {
  const top = stopGradient(amax(x, axis, true));
  const out = add(log(sum(exp(sub(x, top)), axis, true)), top);
  return keep ? out : reshape(out, sum(x, axis).shape);
}
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  const shifted = sub(x, stopGradient(amax(x, axis, true)));
  return sub(shifted, log(sum(exp(shifted), axis, true)));
}
export function softmax(x: Tensor, axis = -1): Tensor {
  const e = exp(sub(x, stopGradient(amax(x, axis, true))));
  return div(e, sum(e, axis, true));
}

/** Mean square distance from the mean over axes; ddof 1 divides by n - 1 (never by less than 1). */
export function variance(x: Tensor, axes?: Axes, ddof: 0 | 1 = 0, keep = false): Tensor {
  const count = axesOf('variance', x, axes).reduce((n, a) => n * x.shape[a]!, 1);
  return mul(sum(square(sub(x, mean(x, axes, true))), axes, keep), 1 / Math.max(count - ddof, 1));
}
/** (x - mean) / (std + eps) over all elements. ddof 1 as torch.std and CleanRL, 0 as numpy and jax. */
export function standardise(x: Tensor, ddof: 0 | 1 = 1, eps = 1e-8): Tensor {
  const v = variance(x, undefined, ddof);
  const some = gt(v, 0);
  // The slope of sqrt at 0 is infinite: equal elements would get NaN for a gradient.
  const std = mul(sqrt(where(some, v, 1)), some);
  return div(sub(x, mean(x)), add(std, eps));
}
/** Zero mean and unit (biased) variance along the last axis, then gain and bias [C]. */
export function layerNorm(x: Tensor, gain?: Tensor, bias?: Tensor, eps = 1e-5): Tensor {
  const centred = sub(x, mean(x, -1, true));
  const normal = div(centred, sqrt(add(mean(square(centred), -1, true), eps)));
  const scaled = gain === undefined ? normal : mul(normal, gain);
  return bias === undefined ? scaled : add(scaled, bias);
}
/** x^2/2 up to |x| = delta, then straight with the same slope. */
export function huber(x: Tensor, delta = 1): Tensor {
  const size = abs(x);
  return where(le(size, delta), mul(square(x), 0.5), mul(sub(size, 0.5 * delta), delta));
}

export interface Window {
  readonly stride?: number;
  /** Zeros on every side. */
  readonly pad?: number;
}
/** x [B, H, W, C] with kernel [kh, kw, C, O] and bias [O] -> [B, OH, OW, O], as patches times a matrix. */
export function conv2d(x: Tensor, kernel: Tensor, bias?: Tensor, window: Window = {}, act: Activation = 'none'): Tensor {
  const { shape } = kernel;
  if (!hasFourAxes(shape) || !hasFourAxes(x.shape) || x.shape[3] !== shape[2])
    throw new Error(`conv2d: [${x.shape}] and [${kernel.shape}] must be [B, H, W, C] and [kh, kw, C, O]`);
  const [kh, kw, c, o] = shape;
  const patches = view('im2col', x, { kh, kw, stride: window.stride ?? 1, pad: window.pad ?? 0 });
  return linear(patches, reshape(kernel, [kh * kw * c, o]), bias, act);
}
