/**
 * Shapes of primitives: what comes out for what goes in, and an error that names the operation and the shapes if it does not fit.
 * Shapes are lists of sizes, outermost first; [] is one number. Throws Error.
 */
import type { AttrsOf, Op, Operation, Shape } from './types.ts';

export const UNARY = [
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
] as const;
export const BINARY = ['add', 'sub', 'mul', 'div', 'min', 'max', 'eq', 'lt', 'le', 'gt', 'ge'] as const;
export type UnaryOp = (typeof UNARY)[number];
export type BinaryOp = (typeof BINARY)[number];

const unaryOps: ReadonlySet<Op> = new Set<Op>(UNARY);
const binaryOps: ReadonlySet<Op> = new Set<Op>(BINARY);
export const isUnary = (op: Op): op is UnaryOp => unaryOps.has(op);
export const isBinary = (op: Op): op is BinaryOp => binaryOps.has(op);

export const sizeOf = (shape: Shape): number => shape.reduce((a, b) => a * b, 1);
export const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((n, i) => n === b[i]);
export const hasFourAxes = (shape: Shape): shape is readonly [number, number, number, number] => shape.length === 4;
/** The size of the last axis. */
export function lastSize(op: string, shape: Shape): number {
  const n = shape.at(-1);
  if (n === undefined) throw new Error(`${op}: a single number has no last axis`);
  return n;
}
export const showShape = (shape: Shape): string => `[${shape.join(', ')}]`;

function misfit(op: string, shapes: readonly Shape[], why: string): Error {
  return new Error(`${op}: ${shapes.map(showShape).join(' and ')} ${why}`);
}

/** Every size a positive integer. */
export function checkShape(op: string, shape: Shape): void {
  for (const n of shape) if (!Number.isInteger(n) || n < 1) throw misfit(op, [shape], 'is not a shape: sizes must be positive integers');
}

/** Numpy's rule: right-aligned, equal or 1. */
export function broadcastShapes(op: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  const out: number[] = [];
  for (let i = 0; i < rank; i++) {
    const m = a[a.length - rank + i] ?? 1;
    const n = b[b.length - rank + i] ?? 1;
    if (m !== n && m !== 1 && n !== 1) throw misfit(op, [a, b], 'do not broadcast together');
    out.push(m === 1 ? n : m);
  }
  return out;
}

/** Negative axes count from the end; sorted, unique. */
export function normaliseAxes(op: string, axes: readonly number[], rank: number): number[] {
  const out = axes.map((a) => (a < 0 ? a + rank : a)).sort((a, b) => a - b);
  out.forEach((a, i) => {
    if (!Number.isInteger(a) || a < 0 || a >= rank || a === out[i - 1])
      throw new Error(`${op}: axes ${showShape(axes)} do not fit a tensor of ${rank} axes`);
  });
  return out;
}

/** Row-major strides, in elements. */
export function stridesOf(shape: Shape): number[] {
  const out = new Array<number>(shape.length);
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    out[i] = step;
    step *= shape[i]!;
  }
  return out;
}

/** Height (or width) of a convolution's output. */
export function windowCount(size: number, k: number, stride: number, pad: number): number {
  return Math.floor((size + 2 * pad - k) / stride) + 1;
}

function convShape(op: Op, x: Shape, { kh, kw, stride, pad }: AttrsOf<'im2col'>): Shape {
  if (!hasFourAxes(x)) throw misfit(op, [x], 'must be [B, H, W, C]');
  const [b, h, w, c] = x;
  const oh = windowCount(h, kh, stride, pad);
  const ow = windowCount(w, kw, stride, pad);
  if (oh < 1 || ow < 1) throw misfit(op, [x], `is smaller than the ${kh} x ${kw} window`);
  return [b, oh, ow, kh * kw * c];
}

/** The shape of op(inputs). */
export function inferShape({ op, attrs: a }: Operation, s: readonly Shape[]): Shape {
  const x = s[0] ?? [];
  if (isUnary(op) || op === 'stopGradient') return x;
  if (isBinary(op)) {
    if (!sameShape(x, s[1]!)) throw misfit(op, s, 'differ');
    return x;
  }
  switch (op) {
    case 'where':
      if (!sameShape(x, s[1]!) || !sameShape(x, s[2]!)) throw misfit(op, s, 'differ');
      return x;
    case 'sum':
    case 'amax':
      return x.filter((_, i) => !a.axes.includes(i));
    case 'matmul': {
      const y = s[1]!;
      const r = x.length;
      if (r < 2 || y.length !== r) throw misfit(op, s, 'must both be matrices or equal stacks of matrices');
      if (!sameShape(x.slice(0, -2), y.slice(0, -2))) throw misfit(op, s, 'differ in their leading axes');
      if (x[r - 1] !== y[r - 2]) throw misfit(op, s, `do not multiply: inner sizes ${x[r - 1]} and ${y[r - 2]} differ`);
      return [...x.slice(0, -1), y[r - 1]!];
    }
    case 'broadcast': {
      const to = a.shape;
      checkShape(op, to);
      if (!sameShape(broadcastShapes(op, x, to), to)) throw misfit(op, [x, to], 'do not fit: the second is the target');
      return to;
    }
    case 'reshape':
      checkShape(op, a.shape);
      if (sizeOf(x) !== sizeOf(a.shape)) throw misfit(op, [x, a.shape], 'hold different numbers of elements');
      return a.shape;
    case 'transpose': {
      const perm = a.perm;
      if (perm.length !== x.length || normaliseAxes(op, perm, x.length).length !== x.length)
        throw misfit(op, [x], `does not have the axes ${showShape(perm)}`);
      return perm.map((p) => x[p]!);
    }
    case 'slice': {
      const begin = a.begin;
      const size = a.size;
      checkShape(op, size);
      if (begin.length !== x.length || size.length !== x.length || !x.every((n, i) => begin[i]! >= 0 && begin[i]! + size[i]! <= n))
        throw misfit(op, [x], `has no part at ${showShape(begin)} of size ${showShape(size)}`);
      return size;
    }
    case 'concat': {
      const axis = a.axis;
      if (s.some((y) => y.length !== x.length || y.some((n, i) => i !== axis && n !== x[i])))
        throw misfit(op, s, `differ elsewhere than in axis ${axis}`);
      return x.map((n, i) => (i === axis ? s.reduce((sum, y) => sum + y[axis]!, 0) : n));
    }
    case 'pad': {
      const to = a.shape;
      if (to.length !== x.length || !x.every((n, i) => a.begin[i]! >= 0 && a.begin[i]! + n <= to[i]!))
        throw misfit(op, [x, to], `do not fit at ${showShape(a.begin)}`);
      return to;
    }
    case 'gather':
      if (x.length !== 2 || s[1]!.length !== 1) throw misfit(op, s, 'must be a table [V, D] and indices [M]');
      return [s[1]![0]!, x[1]!];
    case 'scatterAdd': {
      const to = a.shape;
      if (x.length !== 1 || s[1]!.length !== 2 || x[0] !== s[1]![0] || to.length !== 2 || to[1] !== s[1]![1])
        throw misfit(op, [...s, to], 'must be indices [M], rows [M, D] and a target [V, D]');
      return to;
    }
    case 'im2col':
      return convShape(op, x, a);
    case 'col2im': {
      const to = a.shape;
      if (!sameShape(convShape(op, to, a), x)) throw misfit(op, [x, to], 'do not belong together');
      return to;
    }
    case 'const':
    case 'input':
    case 'param':
      checkShape(op, a.shape);
      return a.shape;
    default:
      return op satisfies never;
  }
}
