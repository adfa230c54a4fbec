/**
 * Lowering of matrix products. A transposed left operand goes to the kernel for a^T d, a transposed right one is transposed once
 * per run; slices of matrices and heads of attention are read in place by their row strides. bias and activation ride along.
 */
import { present } from '#contract/kit/errors.ts';
import { sizeOf } from '../shapes.ts';
import type { Tensor } from '../types.ts';
import { offsetsOf } from './copies.ts';
import { SLOPES } from './kernels.ts';
import { productsOf, WORTH } from './memory.ts';
import type { CodeLists, Context } from './step.ts';
import type { Stack } from './threads.ts';
import { addressOf, type Buffer, type View } from './view.ts';

/** What flows back through an activation is multiplied by its slope at its output h. */
export interface Back {
  readonly h: Tensor;
  readonly through: keyof typeof SLOPES;
}

/** The same in a pass of its own; sigmoid's does not ride along with a product. */
export interface Slope {
  readonly h: Tensor;
  readonly through: Back['through'] | 'sigmoid';
}

export interface Epilogue {
  /** [N] */
  readonly bias?: Tensor;
  readonly act: number;
  /** h of the product's size. Then neither bias nor act. */
  readonly back?: Back;
}

interface Matrix {
  readonly view: View;
  /** Bytes from row to row of what is stored. */
  readonly stride: number;
}

/** The operand as stored rows, or undefined if neighbouring columns are not neighbours in memory. */
function rowsOf(v: View): Matrix | undefined {
  const rank = v.shape.length;
  return v.strides[rank - 1] === 1 || v.shape[rank - 1] === 1 ? { view: v, stride: 4 * v.strides[rank - 2]! } : undefined;
}
/** The same, of the transpose. */
function columnsOf(v: View): Matrix | undefined {
  const rank = v.shape.length;
  return v.strides[rank - 2] === 1 || v.shape[rank - 2] === 1 ? { view: v, stride: 4 * v.strides[rank - 1]! } : undefined;
}
const dense = (ctx: Context, v: View): Matrix => present(rowsOf(ctx.contiguous(v)), 'the row stride of a contiguous operand');

/** Codes times a matrix. */
function lowerCodeProduct(ctx: Context, t: Tensor, product: Tensor, lists: CodeLists, { bias: biasNode, act }: Epilogue): void {
  const right = ctx.view(product.inputs[1]!);
  const b = rowsOf(right) ?? dense(ctx, right);
  const bias = biasNode && ctx.contiguous(ctx.view(biasNode));
  const out = ctx.out(t);
  const n = product.shape[1]!;
  const { rows, columns, tail, tailView, byRow, ones } = lists;
  ctx.countFlops(2 * rows * n * (ones + tail));
  ctx.emit({
    reads: [byRow.list, byRow.order, b.view, ...(bias ? [bias] : []), ...(tailView ? [tailView] : [])],
    write: out,
    bind({ kernels: { codeMatmul } }) {
      const list = addressOf(byRow.list);
      const order = addressOf(byRow.order);
      const pb = addressOf(b.view);
      const pBias = bias === undefined ? 0 : addressOf(bias);
      const x = tailView === null ? 0 : addressOf(tailView);
      const sx = tailView === null ? 0 : 4 * tailView.strides[0]!;
      return () => codeMatmul(out.address, list, order, pb, b.stride, pBias, act, x, sx, tail, rows, columns, n);
    },
  });
}

/** target = codes^T d, or target += that. */
function lowerCodeGradient(ctx: Context, target: Buffer, product: Tensor, lists: CodeLists, accumulate: 0 | 1): void {
  const right = ctx.view(product.inputs[1]!);
  const d = rowsOf(right) ?? dense(ctx, right);
  const n = product.shape[1]!;
  const { rows, columns, tail, tailView, ones } = lists;
  const { list: byColumn, order: whole } = lists.byColumn();
  const order = accumulate === 0 ? whole : null;
  ctx.countFlops(2 * rows * n * (ones + tail));
  ctx.emit({
    reads: [byColumn, ...(order ? [order] : []), d.view, ...(tailView ? [tailView] : [])],
    write: target,
    bind({ kernels: { codeMatmulTN } }) {
      const list = addressOf(byColumn);
      const pOrder = order === null ? 0 : addressOf(order);
      const pd = addressOf(d.view);
      const x = tailView === null ? 0 : addressOf(tailView);
      const sx = tailView === null ? 0 : 4 * tailView.strides[0]!;
      return () => codeMatmulTN(target.address, n * 4, list, pOrder, pd, d.stride, x, sx, tail, rows, columns, n, accumulate);
    },
  });
}

/** The lists of a left operand that is codes, as they are or transposed. */
function codesOf(ctx: Context, left: Tensor): { readonly lists: CodeLists; readonly turned: boolean } | undefined {
  const turned = left.op === 'transpose';
  const lists = ctx.codes(turned ? left.inputs[0]! : left);
  return lists && { lists, turned };
}

export function lowerMatmul(ctx: Context, t: Tensor, product: Tensor, epilogue: Epilogue): void {
  const codes = codesOf(ctx, product.inputs[0]!);
  if (codes !== undefined) {
    if (codes.turned) lowerCodeGradient(ctx, ctx.out(t), product, codes.lists, 0);
    else lowerCodeProduct(ctx, t, product, codes.lists, epilogue);
    return;
  }
  const a = ctx.view(product.inputs[0]!);
  const right = ctx.view(product.inputs[1]!);
  const rank = product.shape.length;
  const [m, n] = product.shape.slice(-2) as [number, number];
  const k = a.shape[rank - 1]!;
  const lead = product.shape.slice(0, -2);
  const count = sizeOf(lead);
  const { back } = epilogue;
  const act = back === undefined ? epilogue.act : SLOPES[back.through];
  const biasNode = back?.h ?? epilogue.bias;
  const plain = biasNode === undefined && act === 0;
  // h goes along with its matrix of a stack, a bias serves all
  const hopBias = back === undefined ? 0 : m * n * 4;
  const b = rowsOf(right) ?? dense(ctx, right);
  const turned = plain && rowsOf(a) === undefined ? columnsOf(a) : undefined;
  const left = turned ?? rowsOf(a) ?? dense(ctx, a);
  const bias = biasNode && ctx.contiguous(ctx.view(biasNode));
  const out = ctx.out(t);
  ctx.countFlops(2 * count * m * n * k);
  const offA = offsetsOf(lead, left.view.strides);
  const offB = offsetsOf(lead, b.view.strides);
  const sa = left.stride;
  const sb = b.stride;
  // threads read the offsets of a stack in memory
  const { threads } = ctx.machine;
  const shared = threads !== null && count > 1 && count * m * n * k >= WORTH ? threads : null;
  shared?.want();
  const tables = shared === null ? null : ([ctx.table([...offA]), ctx.table([...offB])] as const);
  ctx.emit({
    reads: bias === undefined ? [left.view, b.view] : [left.view, b.view, bias],
    write: out,
    bind(machine) {
      const { matmul, matmulTN } = productsOf(machine, m * n * k);
      const o = out.address;
      const pa = addressOf(left.view);
      const pb = addressOf(b.view);
      const pBias = bias === undefined ? 0 : addressOf(bias);
      const so = n * 4;
      const hop = m * so;
      if (shared !== null && tables !== null) {
        const stack: Stack = { count, hop, hopBias, offA: tables[0], offB: tables[1] };
        if (turned !== undefined) return shared.matmulTNStack(stack, o, so, pa, sa, pb, sb, k, m, n, 0);
        return shared.matmulStack(stack, o, so, pa, sa, pb, sb, pBias, act, m, k, n);
      }
      if (turned !== undefined) {
        if (count === 1) return () => matmulTN(o, so, pa, sa, pb, sb, k, m, n, 0);
        return () => {
          for (let i = 0; i < count; i++) matmulTN(o + i * hop, so, pa + offA[i]!, sa, pb + offB[i]!, sb, k, m, n, 0);
        };
      }
      if (count === 1) return () => matmul(o, so, pa, sa, pb, sb, pBias, act, m, k, n);
      return () => {
        for (let i = 0; i < count; i++) matmul(o + i * hop, so, pa + offA[i]!, sa, pb + offB[i]!, sb, pBias + i * hopBias, act, m, k, n);
      };
    },
  });
}

/** target += product, where product is a plain matrix product whose left operand is a transpose. */
export function lowerAccumulate(ctx: Context, target: Buffer, product: Tensor): void {
  const codes = codesOf(ctx, product.inputs[0]!);
  if (codes !== undefined) {
    lowerCodeGradient(ctx, target, product, codes.lists, 1);
    return;
  }
  const a = ctx.view(product.inputs[0]!);
  const right = ctx.view(product.inputs[1]!);
  const b = rowsOf(right) ?? dense(ctx, right);
  const [m, n] = product.shape as [number, number];
  const k = a.shape[1]!;
  const swapped = { ...a, shape: [k, m], strides: [a.strides[1]!, a.strides[0]!] };
  const left = columnsOf(a) ?? dense(ctx, swapped);
  ctx.countFlops(2 * m * n * k);
  ctx.emit({
    reads: [left.view, b.view],
    write: target,
    bind(machine) {
      const { matmulTN } = productsOf(machine, m * n * k);
      const pa = addressOf(left.view);
      const pb = addressOf(b.view);
      return () => matmulTN(target.address, n * 4, pa, left.stride, pb, b.stride, k, m, n, 1);
    },
  });
}
