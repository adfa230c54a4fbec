/**
 * Lowering of elementwise primitives. All operands are walked as rows by columns (with an outer loop for a third axis): an operand
 * has any row stride and either unit columns or one value per row; what fits neither is copied once.
 */
import { sizeOf } from '../shapes.ts';
import type { Shape, Tensor } from '../types.ts';
import type { BinaryName, UnaryName } from './kernels.ts';
import type { Slope } from './products.ts';
import type { Context } from './step.ts';
import { addressOf, coalesce, isContiguous, type View } from './view.ts';

interface Grid {
  readonly outer: number;
  readonly rows: number;
  readonly columns: number;
  /** Per operand: bytes from row to row and from one outer index to the next; whether columns are consecutive. */
  readonly row: readonly number[];
  readonly hop: readonly number[];
  readonly unit: readonly boolean[];
}

/** The grid, or which operands must be copied first. */
function tryGrid(shape: Shape, views: readonly View[]): Grid | number[] {
  const { shape: s, strides } = coalesce(
    shape,
    views.map((v) => v.strides),
  );
  const last = s.length - 1;
  const inner = strides.map((e) => e[last] ?? 1);
  const odd = inner.flatMap((e, i) => (e === 0 || e === 1 ? [] : [i]));
  if (odd.length > 0) return odd;
  if (s.length > 3) return views.flatMap((v, i) => (isContiguous(v) ? [] : [i]));
  return {
    outer: s[last - 2] ?? 1,
    rows: s[last - 1] ?? 1,
    columns: s[last] ?? 1,
    row: strides.map((e) => 4 * (e[last - 1] ?? 0)),
    hop: strides.map((e) => 4 * (e[last - 2] ?? 0)),
    unit: inner.map((e) => e === 1),
  };
}

/** `accepts` says for which unit flags there is a kernel; for others operand 0 is copied. */
function gridOf(ctx: Context, shape: Shape, operands: readonly View[], accepts: (unit: readonly boolean[]) => boolean) {
  const views = [...operands];
  for (;;) {
    const grid = tryGrid(shape, views);
    if (!Array.isArray(grid)) {
      if (accepts(grid.unit)) return { views, grid };
      views[0] = ctx.contiguous(views[0]!);
    } else for (const i of grid) views[i] = ctx.contiguous(views[i]!);
  }
}

export function lowerUnary(ctx: Context, t: Tensor, name: UnaryName): void {
  const { views, grid } = gridOf(ctx, t.shape, [ctx.view(t.inputs[0]!)], (unit) => unit[0]!);
  const x = views[0]!;
  const out = ctx.out(t);
  const { outer, rows, columns } = grid;
  const row = grid.row[0]!;
  const hop = grid.hop[0]!;
  ctx.emit({
    reads: views,
    write: out,
    bind({ kernels }) {
      const kernel = kernels[name];
      const o = out.address;
      const a = addressOf(x);
      if (outer === 1) return () => kernel(o, a, row, rows, columns);
      const step = rows * columns * 4;
      return () => {
        for (let i = 0; i < outer; i++) kernel(o + i * step, a + i * hop, row, rows, columns);
      };
    },
  });
}

const SWAPPED: Readonly<Record<string, 'lt' | 'le'>> = { gt: 'lt', ge: 'le' };
const ORDERED: ReadonlySet<string> = new Set(['sub', 'div', 'lt', 'le']);

export function lowerBinary(ctx: Context, t: Tensor): void {
  // a > b is b < a: half the comparisons need no kernel
  const op = (SWAPPED[t.op] ?? t.op) as 'add' | 'sub' | 'lt';
  const inputs = t.op === op ? t.inputs : [t.inputs[1]!, t.inputs[0]!];
  const { views, grid } = gridOf(
    ctx,
    t.shape,
    inputs.map((i) => ctx.view(i)),
    (unit) => unit[0]! || unit[1]!,
  );
  // without an order a column operand can always come second
  const swap = !grid.unit[0] && !ORDERED.has(op);
  const [i, j] = swap ? [1, 0] : [0, 1];
  const name: BinaryName = `${op}${grid.unit[i] ? 'V' : 'S'}${grid.unit[j] ? 'V' : 'S'}` as BinaryName;
  const { outer, rows, columns } = grid;
  const x = views[i]!;
  const y = views[j]!;
  const [sa, sb] = [grid.row[i]!, grid.row[j]!];
  const [ha, hb] = [grid.hop[i]!, grid.hop[j]!];
  const out = ctx.out(t);
  ctx.emit({
    reads: views,
    write: out,
    bind({ kernels }) {
      const kernel = kernels[name];
      const o = out.address;
      const a = addressOf(x);
      const b = addressOf(y);
      if (outer === 1) return () => kernel(o, a, sa, b, sb, rows, columns);
      const step = rows * columns * 4;
      return () => {
        for (let r = 0; r < outer; r++) kernel(o + r * step, a + r * ha, sa, b + r * hb, sb, rows, columns);
      };
    },
  });
}

export function lowerWhere(ctx: Context, t: Tensor): void {
  const { views, grid } = gridOf(
    ctx,
    t.shape,
    t.inputs.map((i) => ctx.view(i)),
    (unit) => unit[0]!,
  );
  const [c, a, b] = views as [View, View, View];
  const [sc, sa, sb] = grid.row as [number, number, number];
  const [hc, ha, hb] = grid.hop as [number, number, number];
  const unitA = Number(grid.unit[1]);
  const unitB = Number(grid.unit[2]);
  const { outer, rows, columns } = grid;
  const out = ctx.out(t);
  ctx.emit({
    reads: views,
    write: out,
    bind({ kernels: { where } }) {
      const o = out.address;
      const pc = addressOf(c);
      const pa = addressOf(a);
      const pb = addressOf(b);
      const step = rows * columns * 4;
      return () => {
        for (let r = 0; r < outer; r++) where(o + r * step, pc + r * hc, sc, pa + r * ha, sa, unitA, pb + r * hb, sb, unitB, rows, columns);
      };
    },
  });
}

/** t = g times the slope of an activation at its output h, in one pass. */
export function lowerBack(ctx: Context, t: Tensor, g: Tensor, { h, through }: Slope): void {
  const x = ctx.contiguous(ctx.view(g));
  const y = ctx.contiguous(ctx.view(h));
  const n = sizeOf(t.shape);
  const out = ctx.out(t);
  ctx.emit({
    reads: [x, y],
    write: out,
    bind({ kernels }) {
      const kernel = { tanh: kernels.tanhGrad, relu: kernels.reluGrad, sigmoid: kernels.sigmoidGrad }[through];
      const a = addressOf(x);
      const b = addressOf(y);
      return () => kernel(out.address, a, b, n);
    },
  });
}
