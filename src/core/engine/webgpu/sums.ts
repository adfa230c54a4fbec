/** What a sum adds up (or takes the largest of), element by element: the term of number r, as WGSL. Equations in types.ts. */
import { present } from '#contract/kit/errors.ts';
import { sizeOf, stridesOf, windowCount } from '../shapes.ts';
import type { TensorOf } from '../types.ts';
import { type Emitter, type Index, plus, times } from './emit.ts';
import type { Sum } from './kernels.ts';
import { matrixOf } from './known.ts';

export const startOf = (sum: Sum): string => (sum.op === 'amax' ? '-3.4028234663852886e38f' : '0f');
export const combine = (sum: Sum, a: string, b: string): string => (sum.op === 'amax' ? `max(${a}, ${b})` : `${a} + ${b}`);

/** Adds term r of the element at `ix` to `acc`. */
export function accumulate(e: Emitter, sum: Sum, ix: Index, r: string, acc: string): void {
  if (sum.op === 'matmul') {
    const { left, right } = factorsAt(e, sum, ix, r);
    e.line(`${acc} = fma(${e.value(sum.inputs[0]!, left)}, ${e.value(sum.inputs[1]!, right)}, ${acc});`);
    return;
  }
  if (sum.op === 'scatterAdd') {
    const [index, rows] = sum.inputs as readonly [typeof sum, typeof sum];
    const [v, d] = e.parts(ix) as [string, string];
    const at = e.value(index, { shape: index.shape, flat: r });
    e.block(`if (u32(${at}) == ${v})`, () => {
      e.line(`${acc} += ${e.value(rows, { shape: rows.shape, parts: [r, d] })};`);
    });
    return;
  }
  if (sum.op === 'col2im') {
    window(e, sum, ix, r, acc);
    return;
  }
  e.line(`${acc} = ${combine(sum, acc, e.value(sum.inputs[0]!, reducedAt(e, sum, ix, r)))};`);
}

/** Where the two factors of term r of a product's element lie. */
export function factorsAt(e: Emitter, { shape, inputs }: TensorOf<'matmul'>, ix: Index, r: string): { left: Index; right: Index } {
  const [a, b] = inputs.map((x) => x.shape) as [readonly number[], readonly number[]];
  const K = matrixOf(a)[1];
  const N = matrixOf(shape)[1];
  if (shape.length === 2) {
    const [row, column] = e.parts(ix) as [string, string];
    return {
      left: { shape: a, parts: [row, r], flat: plus(times(row, K), r) },
      right: { shape: b, parts: [r, column], flat: plus(times(r, N), column) },
    };
  }
  const parts = e.parts(ix);
  const lead = parts.slice(0, -2);
  const [row, column] = parts.slice(-2) as [string, string];
  return { left: { shape: a, parts: [...lead, row, r] }, right: { shape: b, parts: [...lead, r, column] } };
}

function reducedAt(e: Emitter, sum: TensorOf<'sum' | 'amax'>, ix: Index, r: string): Index {
  const { axes } = sum.attrs;
  const { shape } = sum.inputs[0]!;
  const first = present(axes[0], 'an axis to sum over');
  const length = sizeOf(axes.map((a) => shape[a]!));
  if (axes.at(-1) === shape.length - 1) return { shape, flat: plus(times(e.flat(ix), length), r) };
  if (first === 0) return { shape, flat: plus(times(r, sizeOf(sum.shape)), e.flat(ix)) };
  const own = axes.map((a) => shape[a]!);
  const steps = stridesOf(own);
  const inner = own.map((n, i) => (own.length === 1 ? r : e.let(i === 0 ? `${r} / ${steps[i]}u` : `${r} / ${steps[i]}u % ${n}u`)));
  const outer = e.parts(ix);
  return { shape, parts: [...outer.slice(0, first), ...inner, ...outer.slice(first)] };
}

/** The r-th place of the window that takes in a pixel. */
function window(e: Emitter, sum: TensorOf<'col2im'>, ix: Index, r: string, acc: string): void {
  const { kh, kw, stride, pad, shape } = sum.attrs;
  const [, H = 1, W = 1, C = 1] = shape;
  const [b, y, x, c] = e.parts(ix) as [string, string, string, string];
  const patches = sum.inputs[0]!;
  // Before the first window the difference wraps to a number far beyond the last.
  const dy = e.let(`${y} + ${pad}u - ${r} / ${kw}u`);
  const dx = e.let(`${x} + ${pad}u - ${r} % ${kw}u`);
  const inside = [
    `${dy} < ${windowCount(H, kh, stride, pad) * stride}u`,
    `${dx} < ${windowCount(W, kw, stride, pad) * stride}u`,
    ...(stride === 1 ? [] : [`${dy} % ${stride}u == 0u`, `${dx} % ${stride}u == 0u`]),
  ];
  e.block(`if (${inside.join(' && ')})`, () => {
    const oy = e.let(`${dy} / ${stride}u`);
    const ox = e.let(`${dx} / ${stride}u`);
    const q = e.let(`${r} * ${C}u + ${c}`);
    e.line(`${acc} += ${e.value(patches, { shape: patches.shape, parts: [b, oy, ox, q] })};`);
  });
}
