/** Conjugate gradients (Hestenes and Stiefel 1952): linear systems whose matrix is known by its products alone. */
import { dot } from './linear.ts';

/** Below this square of the residual's norm a solution is good enough (sb3-contrib). */
const SOLVED = 1e-10;

/** Solves A x = b for a positive definite A, given by its products, by at most `steps` conjugate gradients from x = 0. */
export async function conjugateGradient(
  product: (v: Float64Array) => Promise<Float64Array>,
  b: Float64Array,
  steps: number,
): Promise<Float64Array> {
  const x = new Float64Array(b.length);
  const residual = b.slice();
  const direction = b.slice();
  let left = dot(residual, residual);
  for (let k = 0; k < steps && left > SOLVED; k++) {
    const image = await product(direction);
    const curved = dot(direction, image);
    if (curved <= 0) break; // rounding, where A is nearly singular
    const length = left / curved;
    for (let i = 0; i < x.length; i++) {
      x[i] = x[i]! + length * direction[i]!;
      residual[i] = residual[i]! - length * image[i]!;
    }
    const next = dot(residual, residual);
    for (let i = 0; i < x.length; i++) direction[i] = residual[i]! + (next / left) * direction[i]!;
    left = next;
  }
  return x;
}
