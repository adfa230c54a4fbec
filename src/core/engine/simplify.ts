/**
 * What a node can be replaced by when it is built, so that neither autodiff nor executors ever see trivial work:
 * constants folded in float32, neutral elements dropped, views merged, elementwise work moved below a broadcast,
 * sums over axes of size 1 turned into reshapes. Only rewrites that keep the values are here; one exception is meant:
 * a product with the constant 0 is 0 (a loss term whose weight is 0 is switched off, not computed).
 * exp, log and their like are not folded: their values belong to the executor.
 */
import { type BinaryOp, isBinary, isUnary, sameShape, sizeOf, type UnaryOp } from './shapes.ts';
import type { AttrsArgument, Op, Operation, Shape, Tensor } from './types.ts';

/** What simplify needs of the graph under construction. */
export interface Maker {
  make<O extends Op>(op: O, inputs: readonly Tensor[], ...attrs: AttrsArgument<O>): Tensor;
  constant(data: number | readonly number[] | Float32Array, shape?: Shape): Tensor;
}

/** The value if every element is one known number, else undefined. */
export function uniformValue(t: Tensor): number | undefined {
  let node = t;
  while (node.op === 'broadcast' || node.op === 'reshape' || node.op === 'stopGradient') node = node.inputs[0]!;
  return node.op === 'const' && sizeOf(node.shape) === 1 ? node.attrs.data[0] : undefined;
}

function foldUnary(op: UnaryOp, x: number): number | undefined {
  switch (op) {
    case 'neg':
      return -x;
    case 'abs':
      return Math.abs(x);
    case 'sqrt':
      return Math.sqrt(x);
    case 'square':
      return x * x;
    case 'sign':
      return Math.sign(x);
    case 'relu':
      return x > 0 ? x : 0;
    default:
      return undefined;
  }
}

function foldBinary(op: BinaryOp, a: number, b: number): number {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'div':
      return a / b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'eq':
      return Number(a === b);
    case 'lt':
      return Number(a < b);
    case 'le':
      return Number(a <= b);
    case 'gt':
      return Number(a > b);
    case 'ge':
      return Number(a >= b);
  }
}

function binary(g: Maker, op: BinaryOp, x: Tensor, y: Tensor): Tensor | undefined {
  const a = uniformValue(x);
  const b = uniformValue(y);
  if (a !== undefined && b !== undefined) return g.constant(foldBinary(op, a, b), x.shape);
  switch (op) {
    case 'add':
      if (a === 0) return y;
      if (b === 0) return x;
      break;
    case 'sub':
      if (b === 0) return x;
      if (a === 0) return g.make('neg', [y]);
      break;
    case 'mul':
      if (a === 0 || b === 0) return g.constant(0, x.shape);
      if (a === 1) return y;
      if (b === 1) return x;
      if (a === -1) return g.make('neg', [y]);
      if (b === -1) return g.make('neg', [x]);
      break;
    case 'div':
      if (b === 1) return x;
      break;
    default:
      break;
  }
  // f(broadcast x, broadcast y) = broadcast f(x, y): do the work once per distinct element.
  const source = x.op === 'broadcast' ? x.inputs[0]! : undefined;
  const other = y.op === 'broadcast' ? y.inputs[0]! : undefined;
  let small: Tensor | undefined;
  if (source !== undefined && other !== undefined && sameShape(source.shape, other.shape)) small = g.make(op, [source, other]);
  else if (source !== undefined && b !== undefined) small = g.make(op, [source, g.constant(b, source.shape)]);
  else if (other !== undefined && a !== undefined) small = g.make(op, [g.constant(a, other.shape), other]);
  return small === undefined ? undefined : g.make('broadcast', [small], { shape: x.shape });
}

function unary(g: Maker, op: UnaryOp, x: Tensor): Tensor | undefined {
  const a = uniformValue(x);
  if (a !== undefined) {
    const folded = foldUnary(op, a);
    if (folded !== undefined) return g.constant(folded, x.shape);
  }
  if (op === 'neg' && x.op === 'neg') return x.inputs[0];
  if (x.op === 'broadcast') return g.make('broadcast', [g.make(op, [x.inputs[0]!])], { shape: x.shape });
  return undefined;
}

function view(g: Maker, { op, attrs }: Operation, x: Tensor): Tensor | undefined {
  switch (op) {
    case 'broadcast':
      if (sameShape(x.shape, attrs.shape)) return x;
      if (x.op === 'broadcast') return g.make('broadcast', x.inputs, attrs);
      return undefined;
    case 'reshape': {
      if (sameShape(x.shape, attrs.shape)) return x;
      if (x.op === 'reshape') return g.make('reshape', x.inputs, attrs);
      if (x.op === 'const') return g.constant(x.attrs.data, attrs.shape);
      const uniform = uniformValue(x);
      return uniform === undefined ? undefined : g.constant(uniform, attrs.shape);
    }
    case 'transpose': {
      const { perm } = attrs;
      if (perm.every((p, i) => p === i)) return x;
      if (x.op === 'transpose') {
        const first = x.attrs.perm;
        return g.make('transpose', x.inputs, { perm: perm.map((p) => first[p]!) });
      }
      // Only axes of size 1 move: the elements stay in order.
      const moved = perm.filter((p) => x.shape[p] !== 1);
      if (moved.every((p, i) => i === 0 || p > moved[i - 1]!)) return g.make('reshape', [x], { shape: perm.map((p) => x.shape[p]!) });
      return undefined;
    }
    case 'slice': {
      const { begin, size } = attrs;
      if (sameShape(x.shape, size)) return x;
      if (x.op === 'slice') {
        const first = x.attrs.begin;
        return g.make('slice', x.inputs, { begin: begin.map((b, i) => b + first[i]!), size });
      }
      const uniform = uniformValue(x);
      return uniform === undefined ? undefined : g.constant(uniform, size);
    }
    default:
      return undefined;
  }
}

/** Something equal and cheaper, or undefined. Shapes have been checked already. */
export function simplify(g: Maker, operation: Operation, inputs: readonly Tensor[]): Tensor | undefined {
  const { op, attrs } = operation;
  const x = inputs[0]!;
  if (isUnary(op)) return unary(g, op, x);
  if (isBinary(op)) return binary(g, op, x, inputs[1]!);
  switch (op) {
    case 'where': {
      const c = uniformValue(x);
      if (c !== undefined) return c !== 0 ? inputs[1] : inputs[2];
      return inputs[1] === inputs[2] ? inputs[1] : undefined;
    }
    case 'sum':
    case 'amax': {
      const { axes } = attrs;
      if (axes.length === 0) return x;
      const rest = axes.filter((a) => x.shape[a] !== 1);
      if (rest.length === axes.length) {
        // Executors reduce one run of neighbouring axes at a time: split off the last run.
        const from = axes.findLastIndex((a, i) => i > 0 && axes[i - 1] !== a - 1);
        return from < 0 ? undefined : g.make(op, [g.make(op, [x], { axes: axes.slice(from) })], { axes: axes.slice(0, from) });
      }
      const shape = x.shape.filter((_, i) => !axes.includes(i));
      return g.make('reshape', [g.make(op, [x], { axes: rest })], { shape });
    }
    case 'broadcast':
    case 'reshape':
    case 'transpose':
    case 'slice':
      return view(g, operation, x);
    case 'concat':
      return inputs.length === 1 ? x : undefined;
    case 'pad':
      return sameShape(x.shape, attrs.shape) ? x : undefined;
    case 'stopGradient':
      return x.op === 'stopGradient' || x.op === 'const' ? x : undefined;
    default:
      return undefined;
  }
}
