/**
 * Operands as views: a buffer, an offset and a stride per axis, in elements; stride 0 repeats. Broadcast, reshape, slice and
 * transpose change views and compute nothing.
 */
import { sizeOf, stridesOf } from '../shapes.ts';
import type { Op, Operation, Shape } from '../types.ts';

/** A block of float32 in linear memory; the address is known once the program is planned. */
export interface Buffer {
  readonly size: number; // elements
  address: number; // bytes
  /** false: part of the arena, lives from step `first` to step `last`. */
  readonly pinned: boolean;
  first: number;
  last: number;
}

export interface View {
  readonly buffer: Buffer;
  readonly offset: number;
  readonly shape: Shape;
  readonly strides: readonly number[];
}

export function newBuffer(size: number, pinnedAt?: number): Buffer {
  return { size, address: pinnedAt ?? -1, pinned: pinnedAt !== undefined, first: -1, last: -1 };
}

export function wholeView(buffer: Buffer, shape: Shape): View {
  return { buffer, offset: 0, shape, strides: stridesOf(shape) };
}

export const addressOf = (v: View): number => v.buffer.address + 4 * v.offset;

/** Elements in row-major order without holes; axes of size 1 do not matter. */
export function isContiguous(v: View): boolean {
  const wanted = stridesOf(v.shape);
  return v.shape.every((n, i) => n === 1 || v.strides[i] === wanted[i]);
}

/** Dense and the whole buffer. */
export function isWhole(v: View): boolean {
  return v.offset === 0 && sizeOf(v.shape) === v.buffer.size && isContiguous(v);
}

/** Fewest axes that walk all operands alike: axes of size 1 go, neighbours merge where every operand allows it. */
export function coalesce(shape: Shape, operands: readonly (readonly number[])[]): { shape: number[]; strides: number[][] } {
  const out: number[] = [];
  const strides: number[][] = operands.map(() => []);
  shape.forEach((n, axis) => {
    if (n === 1) return;
    const last = out.length - 1;
    if (last >= 0 && operands.every((s, k) => strides[k]![last] === s[axis]! * n)) {
      out[last]! *= n;
      operands.forEach((s, k) => {
        strides[k]![last] = s[axis]!;
      });
    } else {
      out.push(n);
      operands.forEach((s, k) => {
        strides[k]!.push(s[axis]!);
      });
    }
  });
  return { shape: out, strides };
}

/** Strides of the same elements under another shape, or undefined if they must be copied. */
function reshapeStrides(v: View, to: Shape): number[] | undefined {
  const { shape, strides } = coalesce(v.shape, [v.strides]);
  const out = new Array<number>(to.length).fill(0);
  let group = shape.length - 1;
  let left = shape[group] ?? 1;
  let step = strides[0]![group] ?? 0;
  for (let i = to.length - 1; i >= 0; i--) {
    const n = to[i]!;
    if (n === 1) continue;
    if (left === 1) {
      group--;
      left = shape[group] ?? 1;
      step = strides[0]![group] ?? 0;
    }
    if (left % n !== 0) return undefined;
    out[i] = step;
    step *= n;
    left /= n;
  }
  return out;
}

/** The view that a view operation gives; undefined where a reshape needs a copy first. */
export function applyView({ op, attrs }: Operation, v: View, shape: Shape): View | undefined {
  switch (op) {
    case 'stopGradient':
      return v;
    case 'broadcast': {
      const extra = shape.length - v.shape.length;
      const strides = shape.map((n, i) => (i < extra || (v.shape[i - extra] === 1 && n !== 1) ? 0 : v.strides[i - extra]!));
      return { ...v, shape, strides };
    }
    case 'transpose':
      return { ...v, shape, strides: attrs.perm.map((p) => v.strides[p]!) };
    case 'slice':
      return { ...v, shape, offset: attrs.begin.reduce((sum, b, i) => sum + b * v.strides[i]!, v.offset) };
    case 'reshape': {
      const strides = reshapeStrides(v, shape);
      return strides && { ...v, shape, strides };
    }
    default:
      throw new Error(`${op} is not a view`);
  }
}

export const VIEW_OPS: ReadonlySet<Op> = new Set<Op>(['broadcast', 'reshape', 'transpose', 'slice', 'stopGradient']);

/** Identifies a view among those of one program, to copy each at most once. */
export function viewKey(v: View, bufferId: number): string {
  return `${bufferId}+${v.offset}:${v.shape}/${v.strides}`;
}
