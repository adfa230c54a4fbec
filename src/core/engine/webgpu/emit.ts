/**
 * WGSL of values: what one element of a node is, as an expression of its place. Views (broadcast, reshape, transpose, slice, pad, concat,
 * gather, im2col) are never carried out; they turn the place of an element into the place of an operand's. Nodes with a place in memory
 * are loaded, all others are computed where they are read. A value is written once per scope and reused.
 */
import { isBinary, isUnary, sizeOf, stridesOf } from '../shapes.ts';
import type { Shape, Tensor, TensorOf } from '../types.ts';
import { BINARY_WGSL, UNARY_WGSL } from './functions.ts';

/** The storage buffers of a program: temporaries, parameters with optimiser state, this run's inputs, constants, outputs. */
export const BUFFERS = ['arena', 'params', 'feed', 'fixed', 'out'] as const;
export type BufferName = (typeof BUFFERS)[number];

/** Where a node's elements lie, row-major and without gaps; the offset in floats. */
export interface Place {
  readonly buffer: BufferName;
  offset: number;
}

/** A place of one element of a tensor of this shape: its flat number or its place on each axis, WGSL of type u32. */
export interface Index {
  readonly shape: Shape;
  readonly flat?: string;
  readonly parts?: readonly string[];
}

/** What a scope knows of an index. */
interface Memo {
  flat?: string;
  parts?: readonly string[];
  readonly values: Map<Tensor, string>;
  readonly derived: Map<string, Index>;
}

const NUMBER = /^\d+u$/;
/** a * b of u32 terms, b a number. */
export function times(a: string, b: number): string {
  if (b === 0 || a === '0u') return '0u';
  if (b === 1) return a;
  return NUMBER.test(a) ? `${Number.parseInt(a, 10) * b}u` : `(${a} * ${b}u)`;
}
export function plus(a: string, b: string): string {
  if (a === '0u') return b;
  if (b === '0u') return a;
  return NUMBER.test(a) && NUMBER.test(b) ? `${Number.parseInt(a, 10) + Number.parseInt(b, 10)}u` : `(${a} + ${b})`;
}
function over(a: string, b: number): string {
  if (b === 1 || a === '0u') return a;
  return NUMBER.test(a) ? `${Math.floor(Number.parseInt(a, 10) / b)}u` : `(${a} / ${b}u)`;
}
function rest(a: string, b: number): string {
  if (b === 1 || a === '0u') return '0u';
  return NUMBER.test(a) ? `${Number.parseInt(a, 10) % b}u` : `(${a} % ${b}u)`;
}

/** A finite float32 as WGSL. */
export const literal = (x: number): string => (x < 0 || Object.is(x, -0) ? `(${x === 0 ? '-0' : x}f)` : `${x}f`);
const LITERAL = /^\(?-?[\d.]+(e[+-]?\d+)?f\)?$/;

export class Emitter {
  /** Nodes whose value at the place in question is known: the sums a kernel has just formed. */
  readonly given = new Map<Tensor, string>();
  /** The node that is being computed, though it has a place. */
  computing: Tensor | undefined;
  private readonly lines: string[] = [];
  private scopes: Map<Index, Memo>[] = [new Map()];
  private count = 0;
  private readonly lookups = new Map<Tensor, Map<string, Index>>();
  private readonly placeOf: (t: Tensor) => Place | undefined;

  constructor(placeOf: (t: Tensor) => Place | undefined) {
    this.placeOf = placeOf;
  }

  get text(): string {
    return this.lines.join('\n');
  }
  line(text: string): void {
    this.lines.push(text);
  }
  fresh(prefix = 'v'): string {
    return `${prefix}${this.count++}`;
  }
  /** Names an expression. */
  let(expression: string): string {
    const name = this.fresh();
    this.line(`let ${name} = ${expression};`);
    return name;
  }
  /** `{ ... }` behind a head; what is named inside is forgotten outside. */
  block(head: string, body: () => void): void {
    this.line(`${head} {`);
    this.scopes.push(new Map());
    body();
    this.scopes.pop();
    this.line('}');
  }

  private memo(ix: Index): Memo {
    const scope = this.scopes[this.scopes.length - 1]!;
    let memo = scope.get(ix);
    if (memo === undefined) {
      memo = { values: new Map(), derived: new Map() };
      scope.set(ix, memo);
    }
    return memo;
  }
  private find<T>(ix: Index, what: (memo: Memo) => T | undefined): T | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const memo = this.scopes[i]!.get(ix);
      const found = memo && what(memo);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  private named(expression: string): string {
    return /^\w+$/.test(expression) ? expression : this.let(expression);
  }

  /** The element's number in row-major order. */
  flat(ix: Index): string {
    const known = ix.flat ?? this.find(ix, (m) => m.flat);
    if (known !== undefined) return known;
    const strides = stridesOf(ix.shape);
    const sum = this.parts(ix).reduce((s, p, d) => (ix.shape[d] === 1 ? s : plus(s, times(p, strides[d]!))), '0u');
    const name = this.named(sum);
    this.memo(ix).flat = name;
    return name;
  }
  /** The element's place on each axis. */
  parts(ix: Index): readonly string[] {
    const known = ix.parts ?? this.find(ix, (m) => m.parts);
    if (known !== undefined) return known;
    const flat = ix.flat ?? '0u';
    const strides = stridesOf(ix.shape);
    const first = ix.shape.findIndex((n) => n !== 1);
    const parts = ix.shape.map((n, d) => {
      if (n === 1) return '0u';
      const along = over(flat, strides[d]!);
      return this.named(d === first ? along : rest(along, n));
    });
    this.memo(ix).parts = parts;
    return parts;
  }
  private derive(ix: Index, key: string, make: () => Index): Index {
    const known = this.find(ix, (m) => m.derived.get(key));
    if (known !== undefined) return known;
    const made = make();
    this.memo(ix).derived.set(key, made);
    return made;
  }
  reshaped(ix: Index, shape: Shape): Index {
    return this.derive(ix, `reshape ${shape}`, () => ({ shape, flat: sizeOf(shape) === 1 ? '0u' : this.flat(ix) }));
  }

  /** The value of a node at a place, as a name or a literal. */
  value(t: Tensor, ix: Index): string {
    const given = this.given.get(t);
    if (given !== undefined) return given;
    const known = this.find(ix, (m) => m.values.get(t));
    if (known !== undefined) return known;
    const made = this.make(t, ix);
    this.memo(ix).values.set(t, made);
    return made;
  }

  /** The row that a gather reads by this element of its index; asked for outside of a loop, it is not looked up inside. */
  found(index: Tensor, row: string): string {
    let known = this.lookups.get(index);
    if (known === undefined) this.lookups.set(index, (known = new Map()));
    let ix = known.get(row);
    if (ix === undefined) known.set(row, (ix = { shape: index.shape, flat: row }));
    const at = ix;
    return this.flat(this.derive(at, 'row found', () => ({ shape: [1], flat: this.let(`u32(${this.value(index, at)})`) })));
  }

  private load({ buffer, offset }: Place, ix: Index): string {
    return this.let(`${buffer}[${plus(`${offset}u`, this.flat(ix))}]`);
  }
  /** What the shader's compiler must not compute itself: it refuses results that are not finite. */
  private operands(list: readonly string[]): readonly string[] {
    return list.every((x) => LITERAL.test(x)) ? list.map((x) => `opaque(${x})`) : list;
  }

  private make(t: Tensor, ix: Index): string {
    const { op, shape, attrs, inputs } = t;
    if (op === 'const' && attrs.data.length === 1 && Number.isFinite(attrs.data[0])) return literal(attrs.data[0]!);
    if (t !== this.computing) {
      const place = this.placeOf(t);
      if (place !== undefined) return this.load(place, ix);
    }
    const x = inputs[0]!;
    if (isUnary(op)) return this.let(UNARY_WGSL[op](this.operands([this.value(x, ix)])[0]!));
    if (isBinary(op)) {
      const both = this.operands([this.value(x, ix), this.value(inputs[1]!, ix)]);
      return this.let(BINARY_WGSL[op](both[0]!, both[1]!));
    }
    switch (op) {
      case 'where': {
        const [c, a, b] = this.operands(inputs.map((i) => this.value(i, ix)));
        return this.let(`select(${b}, ${a}, ${c} != 0f)`);
      }
      case 'stopGradient':
        return this.value(x, ix);
      case 'reshape':
        return this.value(x, this.reshaped(ix, x.shape));
      case 'broadcast':
        return this.value(x, this.repeated(ix, x.shape));
      case 'transpose': {
        const { perm } = attrs;
        const to = this.derive(ix, `transpose ${perm}`, () => {
          const from = this.parts(ix);
          const parts: string[] = [];
          perm.forEach((axis, i) => {
            parts[axis] = from[i]!;
          });
          return { shape: x.shape, parts };
        });
        return this.value(x, to);
      }
      case 'slice': {
        const { begin } = attrs;
        const to = this.derive(ix, `slice ${begin} of ${x.shape}`, () => ({
          shape: x.shape,
          parts: this.parts(ix).map((p, i) => this.named(plus(p, `${begin[i]}u`))),
        }));
        return this.value(x, to);
      }
      case 'pad': {
        const { begin } = attrs;
        const from = this.parts(ix);
        const inside = x.shape.flatMap((n, i) => (n === shape[i] ? [] : [`${from[i]} - ${begin[i]}u < ${n}u`]));
        return this.guarded(inside.join(' && '), () =>
          this.value(x, { shape: x.shape, parts: from.map((p, i) => (begin[i] === 0 ? p : this.let(`${p} - ${begin[i]}u`))) }),
        );
      }
      case 'concat':
        return this.joined(t, ix);
      case 'gather': {
        const [row, column] = this.parts(ix) as [string, string];
        return this.value(x, { shape: x.shape, parts: [this.found(inputs[1]!, row), column] });
      }
      case 'im2col':
        return this.patch(t, ix);
      default:
        throw new Error(`webgpu: ${op} must have a place in memory`);
    }
  }

  private repeated(ix: Index, shape: Shape): Index {
    return this.derive(ix, `repeat ${shape}`, () => {
      if (sizeOf(shape) === 1) return { shape, flat: '0u' };
      const from = this.parts(ix).slice(ix.shape.length - shape.length);
      return { shape, parts: from.map((p, i) => (shape[i] === 1 ? '0u' : p)) };
    });
  }
  /** A value where the condition holds, 0 elsewhere. */
  guarded(condition: string, value: () => string): string {
    if (condition === '') return value();
    const name = this.fresh();
    this.line(`var ${name} = 0f;`);
    this.block(`if (${condition})`, () => this.line(`${name} = ${value()};`));
    return name;
  }
  private joined({ attrs: { axis }, inputs }: TensorOf<'concat'>, ix: Index): string {
    const from = this.parts(ix);
    const name = this.fresh();
    this.line(`var ${name}: f32;`);
    let at = 0;
    inputs.forEach((part, k) => {
      const begin = at;
      at += part.shape[axis]!;
      const last = k === inputs.length - 1;
      this.block(`${k === 0 ? '' : 'else '}${last ? '' : `if (${from[axis]} < ${at}u)`}`, () => {
        const along = begin === 0 ? from[axis]! : this.let(`${from[axis]} - ${begin}u`);
        this.line(`${name} = ${this.value(part, { shape: part.shape, parts: from.map((p, i) => (i === axis ? along : p)) })};`);
      });
    });
    return name;
  }
  private patch({ attrs: { kw, stride, pad }, inputs }: TensorOf<'im2col'>, ix: Index): string {
    const x = inputs[0]!;
    const [, H = 1, W = 1, C = 1] = x.shape;
    const [b, oy, ox, q] = this.parts(ix) as [string, string, string, string];
    // Above the picture and left of it the difference wraps to a number far beyond its size.
    const y = this.let(`${plus(times(oy, stride), over(q, kw * C))} - ${pad}u`);
    const z = this.let(`${plus(times(ox, stride), rest(over(q, C), kw))} - ${pad}u`);
    const c = this.named(rest(q, C));
    const inside = pad === 0 ? '' : `${y} < ${H}u && ${z} < ${W}u`;
    return this.guarded(inside, () => this.value(x, { shape: x.shape, parts: [b, y, z, c] }));
  }
}
