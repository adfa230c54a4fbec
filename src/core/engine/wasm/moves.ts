/** Lowering of concat, pad, gather, scatterAdd, im2col and col2im. */
import { sizeOf, stridesOf } from '../shapes.ts';
import type { Tensor, TensorOf } from '../types.ts';
import { putStep } from './copies.ts';
import type { Context } from './step.ts';
import { addressOf, type View } from './view.ts';

export function lowerConcat(ctx: Context, t: TensorOf<'concat'>): void {
  const buffer = ctx.out(t);
  const strides = stridesOf(t.shape);
  let from = 0;
  for (const part of t.inputs) {
    const to: View = { buffer, offset: from * strides[t.attrs.axis]!, shape: part.shape, strides };
    ctx.emit(putStep(ctx, to, ctx.view(part)));
    from += part.shape[t.attrs.axis]!;
  }
}

export function lowerPad(ctx: Context, t: TensorOf<'pad'>): void {
  const x = ctx.view(t.inputs[0]!);
  const buffer = ctx.out(t);
  const strides = stridesOf(t.shape);
  const n = sizeOf(t.shape);
  ctx.emit({
    reads: [],
    write: buffer,
    bind:
      ({ kernels: { fill } }) =>
      () =>
        fill(buffer.address, 0, n),
  });
  const offset = t.attrs.begin.reduce((sum, b, i) => sum + b * strides[i]!, 0);
  ctx.emit(putStep(ctx, { buffer, offset, shape: x.shape, strides }, x));
}

export function lowerGather(ctx: Context, t: Tensor): void {
  const table = ctx.contiguous(ctx.view(t.inputs[0]!));
  const index = ctx.contiguous(ctx.view(t.inputs[1]!));
  const [rows, width] = t.shape as [number, number];
  const tableRows = table.shape[0]!;
  const out = ctx.out(t);
  ctx.emit({
    reads: [table, index],
    write: out,
    bind({ kernels: { gather } }) {
      const from = addressOf(table);
      const at = addressOf(index);
      return () => gather(out.address, from, at, rows, width, tableRows);
    },
  });
}

export function lowerScatterAdd(ctx: Context, t: Tensor): void {
  const index = ctx.contiguous(ctx.view(t.inputs[0]!));
  const x = ctx.contiguous(ctx.view(t.inputs[1]!));
  const [tableRows, width] = t.shape as [number, number];
  const rows = index.shape[0]!;
  const out = ctx.out(t);
  ctx.emit({
    reads: [index, x],
    write: out,
    bind({ kernels: { scatterAdd } }) {
      const at = addressOf(index);
      const from = addressOf(x);
      return () => scatterAdd(out.address, at, from, rows, width, tableRows);
    },
  });
}

export function lowerPatches(ctx: Context, t: TensorOf<'im2col' | 'col2im'>): void {
  const x = ctx.contiguous(ctx.view(t.inputs[0]!));
  const { kh, kw, stride, pad } = t.attrs;
  const [b, h, w, c] = (t.op === 'im2col' ? x.shape : t.shape) as [number, number, number, number];
  const name = t.op === 'im2col' ? 'im2col' : 'col2im';
  const out = ctx.out(t);
  ctx.emit({
    reads: [x],
    write: out,
    bind({ kernels }) {
      const kernel = kernels[name];
      const from = addressOf(x);
      return () => kernel(out.address, from, b, h, w, c, kh, kw, stride, pad);
    },
  });
}
