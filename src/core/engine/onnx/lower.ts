/**
 * The expressions of a program as ONNX nodes. A program has a fixed number of rows; traced at two such numbers, what differs between the two
 * are the rows, and everything else is the same: so the model takes any number of them. Throws Error for what has no counterpart (the
 * gradients of gathers and windows) and for programs that compute with the number of rows.
 */
import { present } from '#contract/kit/errors.ts';
import { reachable } from '../graph.ts';
import { hasFourAxes, sameShape, windowCount } from '../shapes.ts';
import type { AttrsOf, Op, Param, Shape, Tensor } from '../types.ts';
import { BOOL, FLOAT, INT64, type OnnxModel } from './model.ts';

export interface Traced {
  readonly rows: number;
  readonly outputs: { readonly [name: string]: Tensor };
}

export interface LowerOptions {
  readonly model: OnnxModel;
  /** The same program at two numbers of rows, best two large primes: a width that equals neither is taken for no rows. */
  readonly traces: readonly [Traced, Traced];
  /** Name in the model of what is fed as this input. */
  readonly input: (name: string) => string;
  /** Name in the model of the number of rows, int64 [1]. */
  readonly rows: string;
  readonly read: (param: Param) => Float32Array;
}

/** A size, or so many times the rows. */
type Size = number | { readonly times: number };

const UNARY: { readonly [op in Op]?: string } = {
  neg: 'Neg',
  exp: 'Exp',
  log: 'Log',
  sqrt: 'Sqrt',
  abs: 'Abs',
  tanh: 'Tanh',
  sigmoid: 'Sigmoid',
  relu: 'Relu',
  elu: 'Elu',
  softplus: 'Softplus',
  sin: 'Sin',
  cos: 'Cos',
  sign: 'Sign',
  stopGradient: 'Identity',
};
const BINARY: { readonly [op in Op]?: string } = { add: 'Add', sub: 'Sub', mul: 'Mul', div: 'Div', min: 'Min', max: 'Max' };
const COMPARISON: { readonly [op in Op]?: string } = {
  eq: 'Equal',
  lt: 'Less',
  le: 'LessOrEqual',
  gt: 'Greater',
  ge: 'GreaterOrEqual',
};

/** Names in the model of the program's outputs. */
export function lower(options: LowerOptions): ReadonlyMap<string, string> {
  const lowering = new Lowering(options);
  return new Map(Object.entries(options.traces[0].outputs).map(([name, t]) => [name, lowering.nameOf(t)]));
}

class Lowering {
  private readonly options: LowerOptions;
  private readonly names = new Map<Tensor, string>();
  /** What stands at the same place in the second trace. */
  private readonly twins = new Map<Tensor, Tensor>();

  constructor(options: LowerOptions) {
    this.options = options;
    const [one, other] = options.traces.map(({ outputs }) => reachable(Object.values(outputs)));
    if (one === undefined || other === undefined || one.length !== other.length) throw varies('the whole program');
    one.forEach((t, i) => {
      const twin = other[i]!;
      const alike = t.op === twin.op && t.inputs.every((input, k) => this.twins.get(input) === twin.inputs[k]);
      if (!alike) throw varies(t.op);
      this.twins.set(t, twin);
    });
    for (const t of one) this.names.set(t, this.node(t));
  }

  nameOf(t: Tensor): string {
    return present(this.names.get(t), 'the name of an operand');
  }

  private twin(t: Tensor): Tensor {
    return present(this.twins.get(t), 'the twin of a node');
  }

  /** Sizes of a shape that has this counterpart in the other trace. */
  private sizes(op: Op, shape: Shape, other: Shape): Size[] {
    const [a, b] = this.options.traces;
    return shape.map((n, i) => {
      if (n === other[i]) return n;
      const times = n / a.rows;
      if (!Number.isInteger(times) || other[i] !== times * b.rows) throw varies(op);
      return { times };
    });
  }

  /** A shape as int64 in the model. */
  private shape(sizes: readonly Size[]): string {
    const { model, rows } = this.options;
    if (sizes.every((size) => typeof size === 'number')) return model.integers(sizes);
    const parts = sizes.map((size) => {
      if (typeof size === 'number') return model.integers([size]);
      return size.times === 1 ? rows : model.node('Mul', [rows, model.integers([size.times])]);
    });
    return parts.length === 1 ? parts[0]! : model.node('Concat', parts, { axis: 0 });
  }

  /** Operands of an operation that broadcasts by itself: those that were only broadcast for it go in as they were. */
  private operands(inputs: readonly Tensor[]): string[] {
    const whole = inputs.some(({ op }) => op !== 'broadcast');
    return inputs.map((t) => this.nameOf(whole && t.op === 'broadcast' ? t.inputs[0]! : t));
  }

  private node(t: Tensor): string {
    const { model } = this.options;
    const twin = this.twin(t);
    const names = t.inputs.map((input) => this.nameOf(input));
    const unary = UNARY[t.op];
    if (unary !== undefined) return model.node(unary, names);
    const binary = BINARY[t.op];
    if (binary !== undefined) return model.node(binary, this.operands(t.inputs));
    const comparison = COMPARISON[t.op];
    if (comparison !== undefined) return model.node('Cast', [model.node(comparison, this.operands(t.inputs))], { to: FLOAT });
    switch (t.op) {
      case 'square':
        return model.node('Mul', [names[0]!, names[0]!]);
      case 'gelu':
        return this.gelu(names[0]!);
      case 'where': {
        const [condition, ...branches] = this.operands(t.inputs);
        return model.node('Where', [model.node('Cast', [condition!], { to: BOOL }), ...branches]);
      }
      case 'sum':
        return model.node('ReduceSum', [names[0]!, model.integers(t.attrs.axes)], { keepdims: 0 });
      case 'amax':
        return model.node('ReduceMax', names, { axes: t.attrs.axes, keepdims: 0 });
      case 'matmul':
        return model.node('MatMul', names);
      case 'broadcast':
        return model.node('Expand', [names[0]!, this.shape(this.sizes(t.op, t.shape, twin.shape))]);
      case 'reshape': {
        const sizes = this.sizes(t.op, t.shape, twin.shape);
        if (sizes.filter((size) => typeof size !== 'number').length > 1) throw varies(t.op);
        return model.node('Reshape', [names[0]!, model.integers(sizes.map((size) => (typeof size === 'number' ? size : -1)))]);
      }
      case 'transpose':
        return model.node('Transpose', names, { perm: t.attrs.perm });
      case 'slice':
        return this.slice(t, twin);
      case 'concat':
        return model.node('Concat', names, { axis: t.attrs.axis });
      case 'pad':
        return this.pad(t);
      case 'gather':
        return model.node('Gather', [names[0]!, model.node('Cast', [names[1]!], { to: INT64 })], { axis: 0 });
      case 'im2col':
        return this.windows(t.inputs[0]!, t.attrs);
      case 'const':
        if (twin.op !== 'const' || !sameShape(t.shape, twin.shape) || !t.attrs.data.every((x, i) => Object.is(x, twin.attrs.data[i])))
          throw varies(t.op);
        return model.floats(t.attrs.data, t.shape);
      case 'input':
        return this.options.input(t.attrs.name);
      case 'param': {
        const { param } = t.attrs;
        return model.floats(this.options.read(param), param.shape, `${param.group.name}/${param.name}`);
      }
      default:
        throw new Error(`${t.op}: ONNX has no counterpart of this operation`);
    }
  }

  /** The tanh form, which operator set 17 does not have as one. */
  private gelu(x: string): string {
    const { model } = this.options;
    const scalar = (value: number): string => model.floats(Float32Array.of(value), []);
    const cube = model.node('Mul', [model.node('Mul', [x, x]), x]);
    const inner = model.node('Add', [x, model.node('Mul', [cube, scalar(0.044715)])]);
    const bent = model.node('Tanh', [model.node('Mul', [inner, scalar(Math.sqrt(2 / Math.PI))])]);
    return model.node('Mul', [model.node('Mul', [x, scalar(0.5)]), model.node('Add', [bent, scalar(1)])]);
  }

  private slice(t: Tensor, twin: Tensor): string {
    if (t.op !== 'slice' || twin.op !== 'slice') throw varies(t.op);
    const { model } = this.options;
    const from = t.inputs[0]!;
    const before = this.sizes(t.op, from.shape, this.twin(from).shape);
    const after = this.sizes(t.op, t.shape, twin.shape);
    const axes: number[] = [];
    before.forEach((size, axis) => {
      const whole = t.shape[axis] === from.shape[axis];
      if (whole) return;
      if (typeof size !== 'number' || typeof after[axis] !== 'number' || t.attrs.begin[axis] !== twin.attrs.begin[axis]) throw varies(t.op);
      axes.push(axis);
    });
    const starts = axes.map((axis) => t.attrs.begin[axis]!);
    const ends = axes.map((axis) => t.attrs.begin[axis]! + t.shape[axis]!);
    return model.node('Slice', [this.nameOf(from), model.integers(starts), model.integers(ends), model.integers(axes)]);
  }

  private pad(t: Tensor): string {
    if (t.op !== 'pad') throw varies(t.op);
    const { model } = this.options;
    const from = t.inputs[0]!;
    const { begin } = t.attrs;
    const end = t.shape.map((n, i) => n - begin[i]! - from.shape[i]!);
    return model.node('Pad', [this.nameOf(from), model.integers([...begin, ...end])]);
  }

  /** im2col: the cells of every window, gathered from the padded image by their numbers. x [B, H, W, C] -> [B, OH, OW, kh * kw * C]. */
  private windows(x: Tensor, { kh, kw, stride, pad }: AttrsOf<'im2col'>): string {
    const { model } = this.options;
    if (!hasFourAxes(x.shape)) throw varies('im2col');
    const [, h, w, c] = x.shape;
    const oh = windowCount(h, kh, stride, pad);
    const ow = windowCount(w, kw, stride, pad);
    const padded = [h + 2 * pad, w + 2 * pad] as const;
    const cells: number[] = [];
    for (let i = 0; i < oh; i++)
      for (let j = 0; j < ow; j++)
        for (let u = 0; u < kh; u++) for (let v = 0; v < kw; v++) cells.push((i * stride + u) * padded[1] + j * stride + v);
    const name = this.nameOf(x);
    const framed = pad === 0 ? name : model.node('Pad', [name, model.integers([0, pad, pad, 0, 0, pad, pad, 0])]);
    const flat = model.node('Reshape', [framed, model.integers([-1, padded[0] * padded[1], c])]);
    const taken = model.node('Gather', [flat, model.integers(cells)], { axis: 1 });
    return model.node('Reshape', [taken, model.integers([-1, oh, ow, kh * kw * c])]);
  }
}

const varies = (op: string): Error => new Error(`${op}: computes with the number of rows, so it is no model for any number of them`);
