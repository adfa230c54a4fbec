/** Steps that move data: dense copies of views, and views put into a part of another buffer. */
import { sizeOf } from '../shapes.ts';
import type { Shape } from '../types.ts';
import type { Machine } from './memory.ts';
import type { Command, Context, Step } from './step.ts';
import { addressOf, type Buffer, coalesce, type View, wholeView } from './view.ts';

const TABLE_AXES = 5;

/** Byte offsets of every position of `shape` under strides in elements, row-major. */
export function offsetsOf(shape: Shape, strides: readonly number[]): Int32Array {
  const out = new Int32Array(sizeOf(shape));
  const at = new Array<number>(shape.length).fill(0);
  let offset = 0;
  for (let i = 0; i < out.length; i++) {
    out[i] = offset * 4;
    for (let d = shape.length - 1; d >= 0; d--) {
      offset += strides[d]!;
      if (++at[d]! < shape[d]!) break;
      offset -= strides[d]! * shape[d]!;
      at[d] = 0;
    }
  }
  return out;
}

/** Copies `from` into `to`, two views of one shape. */
export function putStep(ctx: Context, to: View, from: View): Step {
  const { shape, strides } = coalesce(to.shape, [to.strides, from.strides]);
  const lead = Math.max(0, shape.length - TABLE_AXES);
  const pad = Math.max(0, TABLE_AXES - shape.length);
  const ones = new Array<number>(pad).fill(1);
  const zeros = new Array<number>(pad).fill(0);
  const bytes = (s: readonly number[]): number[] => [...zeros, ...s.slice(lead)].map((e) => e * 4);
  // an innermost axis of size 1 is all that is left of a single element: any stride will do, the dense one is fastest
  const table = ctx.table([...ones, ...shape.slice(lead), ...bytes(strides[0]!), ...bytes(strides[1]!)]);
  const outer = shape.slice(0, lead);
  const outTo = offsetsOf(outer, strides[0]!.slice(0, lead));
  const outFrom = offsetsOf(outer, strides[1]!.slice(0, lead));
  const bind = ({ kernels: { copyStrided } }: Machine): Command => {
    const o = addressOf(to);
    const x = addressOf(from);
    if (lead === 0) return () => copyStrided(o, x, table);
    return () => {
      for (let i = 0; i < outTo.length; i++) copyStrided(o + outTo[i]!, x + outFrom[i]!, table);
    };
  };
  return { reads: [from], write: to.buffer, bind };
}

/** Fills `out` with the elements of `from` in row-major order. */
export function copyStep(ctx: Context, out: Buffer, from: View): Step {
  const { shape, strides } = coalesce(from.shape, [from.strides]);
  const s = strides[0]!;
  const rank = shape.length;
  const n = sizeOf(shape);
  const step = (bind: Step['bind']): Step => ({ reads: [from], write: out, bind });
  if (s.every((e) => e === 0))
    return step(({ kernels: { spread } }) => {
      const x = addressOf(from);
      return () => spread(out.address, x, n);
    });
  if (rank <= 2 && s[rank - 1] === 1) {
    const rows = rank === 2 ? shape[0]! : 1;
    const stride = rank === 2 ? s[0]! * 4 : 0;
    return step(({ kernels: { copy } }) => {
      const x = addressOf(from);
      return () => copy(out.address, x, stride, rows, n / rows);
    });
  }
  // The last two axes swapped: out [..., i, j] = x [..., j, i]
  if ((rank === 2 || rank === 3) && s[rank - 2] === 1) {
    const c = shape[rank - 2]!;
    const r = shape[rank - 1]!;
    const count = n / (r * c);
    const stride = s[rank - 1]! * 4;
    const hop = rank === 3 ? s[0]! * 4 : 0;
    return step(({ kernels: { transpose } }) => {
      const o = out.address;
      const x = addressOf(from);
      if (count === 1) return () => transpose(o, r * 4, x, stride, r, c);
      return () => {
        for (let i = 0; i < count; i++) transpose(o + i * r * c * 4, r * 4, x + i * hop, stride, r, c);
      };
    });
  }
  return putStep(ctx, wholeView(out, from.shape), from);
}
