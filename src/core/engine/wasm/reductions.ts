/** Lowering of sum and amax over one run of neighbouring axes: rows of a matrix, or columns of one or many. */
import { present } from '#contract/kit/errors.ts';
import { sizeOf } from '../shapes.ts';
import type { TensorOf } from '../types.ts';
import { offsetsOf } from './copies.ts';
import type { Context } from './step.ts';
import { addressOf, coalesce, type View } from './view.ts';

interface Run {
  readonly size: number;
  readonly stride: number;
}

/** The axes as one run of equal steps, if they are. */
function runOf(v: View, from: number, to: number): Run | undefined {
  const { shape, strides } = coalesce(v.shape.slice(from, to), [v.strides.slice(from, to)]);
  if (shape.length > 1) return undefined;
  return { size: shape[0] ?? 1, stride: strides[0]![0] ?? 1 };
}

export function lowerReduction(ctx: Context, t: TensorOf<'sum' | 'amax'>): void {
  const axes = t.attrs.axes;
  const first = axes[0]!;
  const last = axes[axes.length - 1]! + 1;
  if (last - first !== axes.length) throw new Error(`${t.op}: axes [${axes}] are not neighbours`);
  const source = ctx.view(t.inputs[0]!);
  const fits = plan(source, first, last) !== undefined;
  const x = fits ? source : ctx.contiguous(source);
  const { kind, middle, inner } = present(plan(x, first, last), 'a plan of a contiguous operand');
  const sum = t.op === 'sum';
  const out = ctx.out(t);
  const emit = (bind: Parameters<Context['emit']>[0]['bind']): void => ctx.emit({ reads: [x], write: out, bind });
  const outer = runOf(x, 0, first);
  if (kind === 'rows' && outer !== undefined) {
    const stride = outer.stride * 4;
    emit(({ kernels }) => {
      const kernel = sum ? kernels.sumRows : kernels.maxRows;
      const from = addressOf(x);
      return () => kernel(out.address, from, stride, outer.size, middle.size);
    });
    return;
  }
  if (kind === 'turned' && outer !== undefined) {
    emit(({ kernels }) => {
      const kernel = sum ? kernels.sumColumns : kernels.maxColumns;
      const from = addressOf(x);
      return () => kernel(out.address, from, middle.stride * 4, 1, middle.size, outer.size);
    });
    return;
  }
  const offsets = offsetsOf(x.shape.slice(0, first), x.strides);
  const stride = middle.stride * 4;
  const dense = outer !== undefined && (outer.size === 1 || outer.stride === middle.stride * middle.size);
  emit(({ kernels }) => {
    const kernel = sum ? kernels.sumColumns : kernels.maxColumns;
    const from = addressOf(x);
    if (dense) return () => kernel(out.address, from, stride, offsets.length, middle.size, inner.size);
    const hop = inner.size * 4;
    return () => {
      for (let i = 0; i < offsets.length; i++) kernel(out.address + i * hop, from + offsets[i]!, stride, 1, middle.size, inner.size);
    };
  });
}

/**
 * rows: the reduced axes are consecutive elements. columns: what follows them is. turned: they are the last ones, but it is the
 * axes before them that are consecutive, so that summing columns gives the same elements without a copy.
 */
function plan(v: View, first: number, last: number) {
  const outer = runOf(v, 0, first);
  const middle = runOf(v, first, last);
  const inner = runOf(v, last, v.shape.length);
  if (middle === undefined || inner === undefined) return undefined;
  if (inner.size > 1) return inner.stride === 1 ? { kind: 'columns' as const, middle, inner } : undefined;
  if (outer === undefined) return undefined;
  if (middle.stride === 1 || middle.size === 1) return { kind: 'rows' as const, middle, inner };
  return outer.stride === 1 && sizeOf(v.shape) > 1 ? { kind: 'turned' as const, middle, inner } : undefined;
}
