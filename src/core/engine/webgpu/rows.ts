/**
 * Which rows of an operand a row of a node depends on. Cut into M rows, a tensor of n elements has row r in its elements r n / M ..
 * (r + 1) n / M - 1. Where row r of a node needs only row r of an operand, a workgroup that owns some rows may compute one after the
 * other, with a barrier in between and no dispatch. M = 1 is always right: one workgroup owns everything.
 */
import { isBinary, isUnary, sizeOf } from '../shapes.ts';
import type { Shape, Tensor } from '../types.ts';

/** Numbers of rows. */
export type Cuts = ReadonlySet<number>;

/** How many leading axes tell the row of an element; undefined if M rows do not fit. */
function leading(shape: Shape, M: number): number | undefined {
  if (M === 1) return 0;
  let product = 1;
  for (let i = 0; i < shape.length; i++) {
    product *= shape[i]!;
    if (product % M === 0) return i + 1;
  }
  return undefined;
}

/** The numbers of rows that a tensor offers: products of its leading axes, and one row. */
export function cutsOf(shape: Shape): Set<number> {
  const out = new Set([1]);
  let product = 1;
  for (const n of shape) out.add((product *= n));
  return out;
}

/** Those cuts of a node for which its row needs the same row of its k-th operand only. */
export function keptBy(t: Tensor, k: number, cuts: Cuts): Cuts {
  const { op, shape, attrs, inputs } = t;
  if (isUnary(op) || isBinary(op) || op === 'where' || op === 'stopGradient' || op === 'reshape') return cuts;
  const x = inputs[k]!;
  const fits = (i: number): boolean => {
    const same = (): boolean => x.shape.slice(0, i).every((n, d) => n === shape[d]);
    switch (op) {
      case 'broadcast':
        return x.shape.length === shape.length && same();
      case 'transpose':
        return attrs.perm.slice(0, i).every((p, d) => p === d);
      case 'slice':
      case 'pad':
        return same();
      case 'concat':
        return attrs.axis >= i;
      case 'gather':
        return k === 1 && i <= 1;
      case 'im2col':
      case 'col2im':
        return i <= 1;
      case 'sum':
      case 'amax':
        return attrs.axes[0]! >= i;
      case 'matmul':
        return i <= shape.length - (k === 0 ? 1 : 2);
      default:
        return false;
    }
  };
  return new Set(
    [...cuts].filter((M) => {
      const i = leading(shape, M);
      return i !== undefined && (i === 0 || fits(i)) && sizeOf(x.shape) % M === 0;
    }),
  );
}
