/**
 * Reverse-mode differentiation, graph to graph: the adjoints are ordinary nodes of the same program, made of forward
 * primitives only, so that an executor needs nothing to train. An adjoint always has the shape of its node (a smaller one
 * would be a broadcast node, which costs nothing). Comparisons, sign and stopGradient pass nothing on.
 * Ties: min and max give all to their first operand; equal largest elements of amax share.
 */
import { builderOf, reachable } from './graph.ts';
import {
  add,
  broadcastTo,
  concat,
  cos,
  div,
  eq,
  ge,
  gt,
  le,
  lt,
  matmul,
  minimum,
  mul,
  neg,
  reshape,
  sigmoid,
  sign,
  sin,
  slice,
  square,
  sub,
  sum,
  tanh,
  transpose,
  where,
} from './ops.ts';
import { sizeOf } from './shapes.ts';
import type { Shape, Tensor } from './types.ts';

/** Adjoint of one operand of y, or undefined if none flows. */
type Pull = Tensor | undefined;

/** sqrt(2 / pi), of gelu's tanh form. */
const GELU = 0.7978845608028654;

/** Square of where the tanh of gelu has long been at its bound. */
const SATURATED = 400;

function geluSlope(x: Tensor): Tensor {
  const t = tanh(mul(add(x, mul(mul(square(x), x), 0.044715)), GELU));
  const inner = mul(add(mul(square(x), 3 * 0.044715), 1), GELU);
  // beyond that a cube would magnify what rounding leaves of 1 - t^2
  const bend = where(lt(square(x), SATURATED), mul(mul(x, sub(1, square(t))), inner), 0);
  return mul(add(add(t, 1), bend), 0.5);
}

/** Back to the smaller shape: sums over the axes that were repeated. */
function unbroadcast(g: Tensor, to: Shape): Tensor {
  const extra = g.shape.length - to.length;
  const axes = [...g.shape.keys()].filter((i) => i < extra || (to[i - extra] === 1 && g.shape[i] !== 1));
  return reshape(sum(g, axes), to);
}
/** Repeats what a reduction over axes left. */
function unreduce(g: Tensor, x: Tensor, axes: readonly number[]): Tensor {
  const kept = x.shape.map((n, i) => (axes.includes(i) ? 1 : n));
  return broadcastTo(reshape(g, kept), x.shape);
}

/** Adjoints of y's operands, given y's own. Slices are not here: see `joinSlices`. */
function pull(y: Tensor, g: Tensor): readonly Pull[] {
  const make = builderOf(y.graph);
  const a = y.inputs[0]!;
  const b = y.inputs[1]!;
  switch (y.op) {
    case 'neg':
      return [neg(g)];
    case 'exp':
      return [mul(g, y)];
    case 'log':
      return [div(g, a)];
    case 'sqrt':
      return [div(mul(g, 0.5), y)];
    case 'abs':
      return [mul(g, sign(a))];
    case 'tanh':
      return [mul(g, sub(1, square(y)))];
    case 'sigmoid':
      return [mul(g, mul(y, sub(1, y)))];
    case 'relu':
      return [mul(g, gt(y, 0))];
    case 'elu':
      return [mul(g, add(minimum(y, 0), 1))];
    case 'softplus':
      return [mul(g, sigmoid(a))];
    case 'gelu':
      return [mul(g, geluSlope(a))];
    case 'sin':
      return [mul(g, cos(a))];
    case 'cos':
      return [neg(mul(g, sin(a)))];
    case 'square':
      return [mul(g, mul(a, 2))];
    case 'add':
      return [g, g];
    case 'sub':
      return [g, neg(g)];
    case 'mul':
      return [mul(g, b), mul(g, a)];
    case 'div': {
      const q = div(g, b);
      return [q, neg(mul(q, y))];
    }
    case 'min':
      return [mul(g, le(a, b)), mul(g, gt(a, b))];
    case 'max':
      return [mul(g, ge(a, b)), mul(g, lt(a, b))];
    case 'where':
      return [undefined, where(a, g, 0), where(a, 0, g)];
    case 'sum':
      return [unreduce(g, a, y.attrs.axes)];
    case 'amax': {
      const axes = y.attrs.axes;
      const largest = eq(a, unreduce(y, a, axes));
      return [mul(unreduce(div(g, sum(largest, axes)), a, axes), largest)];
    }
    case 'matmul':
      return [matmul(g, transpose(b)), matmul(transpose(a), g)];
    case 'broadcast':
      return [unbroadcast(g, a.shape)];
    case 'reshape':
      return [reshape(g, a.shape)];
    case 'transpose': {
      const back: number[] = [];
      y.attrs.perm.forEach((from, to) => {
        back[from] = to;
      });
      return [transpose(g, back)];
    }
    case 'concat': {
      const axis = y.attrs.axis;
      let from = 0;
      return y.inputs.map((part) => {
        const begin = part.shape.map((_, i) => (i === axis ? from : 0));
        from += part.shape[axis]!;
        return slice(g, begin, part.shape);
      });
    }
    case 'pad':
      return [slice(g, y.attrs.begin, a.shape)];
    case 'gather':
      return [make.make('scatterAdd', [b, g], { shape: a.shape }), undefined];
    case 'scatterAdd':
      return [undefined, make.make('gather', [g, a])];
    case 'im2col':
      return [make.make('col2im', [g], { ...y.attrs, shape: a.shape })];
    case 'col2im': {
      const { kh, kw, stride, pad } = y.attrs;
      return [make.make('im2col', [g], { kh, kw, stride, pad })];
    }
    default:
      return []; // eq lt le gt ge sign stopGradient, and leaves
  }
}

interface Piece {
  readonly begin: readonly number[];
  readonly g: Tensor;
}

/**
 * The adjoint of a tensor that was taken apart by slices. Where the pieces lie side by side along one axis this is one
 * concat; padding each with zeros and adding them up costs a GRU 5-10 %. Overlapping pieces are padded.
 */
function joinSlices(x: Tensor, pieces: readonly Piece[]): Tensor {
  const make = builderOf(x.graph);
  const axis = x.shape.findIndex((n, i) => pieces.some((p) => p.g.shape[i] !== n));
  const whole = pieces.every((p) => p.g.shape.every((n, i) => i === axis || n === x.shape[i]));
  const sorted = [...pieces].sort((p, q) => p.begin[axis]! - q.begin[axis]!);
  const apart = sorted.every((p, i) => i === 0 || sorted[i - 1]!.begin[axis]! + sorted[i - 1]!.g.shape[axis]! <= p.begin[axis]!);
  if (whole && apart && pieces.length > 1) {
    const parts: Tensor[] = [];
    let at = 0;
    const fill = (to: number): void => {
      if (to > at)
        parts.push(
          make.constant(
            0,
            x.shape.map((n, i) => (i === axis ? to - at : n)),
          ),
        );
    };
    for (const p of sorted) {
      fill(p.begin[axis]!);
      parts.push(p.g);
      at = p.begin[axis]! + p.g.shape[axis]!;
    }
    fill(x.shape[axis]!);
    return concat(parts, axis);
  }
  return pieces.map((p) => make.make('pad', [p.g], { begin: p.begin, shape: x.shape })).reduce((a, b) => add(a, b));
}

/** d loss / d each of wrt, in wrt's shapes; zeros where the loss does not depend on it. The loss is one number. */
export function gradients(loss: Tensor, wrt: readonly Tensor[]): Tensor[] {
  if (sizeOf(loss.shape) !== 1) throw new Error(`gradients: the loss has the shape [${loss.shape}], not one number`);
  const graph = builderOf(loss.graph);
  const nodes = reachable([loss]);
  const wanted = new Set(wrt);
  /** Nodes through which something wanted reaches the loss. */
  const carries = new Set<Tensor>();
  for (const t of nodes) if (wanted.has(t) || t.inputs.some((i) => carries.has(i))) carries.add(t);

  const adjoint = new Map<Tensor, Tensor>([[loss, graph.constant(1, loss.shape)]]);
  const pieces = new Map<Tensor, Piece[]>();
  const accumulate = (t: Tensor, g: Tensor): void => {
    const so = adjoint.get(t);
    adjoint.set(t, so === undefined ? g : add(so, g));
  };
  const settle = (t: Tensor): Tensor | undefined => {
    const list = pieces.get(t);
    if (list !== undefined) {
      pieces.delete(t);
      accumulate(t, joinSlices(t, list));
    }
    return adjoint.get(t);
  };

  for (let i = nodes.length - 1; i >= 0; i--) {
    const y = nodes[i]!;
    if (!carries.has(y)) continue;
    const g = settle(y);
    if (g === undefined) continue;
    if (y.op === 'slice') {
      const x = y.inputs[0]!;
      const list = pieces.get(x) ?? [];
      list.push({ begin: y.attrs.begin, g });
      pieces.set(x, list);
      continue;
    }
    pull(y, g).forEach((p, k) => {
      const x = y.inputs[k]!;
      if (p !== undefined && carries.has(x)) accumulate(x, p);
    });
  }
  return wrt.map((t) => adjoint.get(t) ?? graph.constant(0, t.shape));
}
