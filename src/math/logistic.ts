/**
 * Ridge logistic regression by Newton's method (iteratively reweighted least squares; Bishop 2006, 4.3.3), for a handful of examples with many
 * features: solved over the examples (the kernel form), so that a step costs n^3 whatever the number of features.
 *   minimise sum_i ln(1 + exp(-y_i (b + w x_i))) + ridge / 2 |w|^2,   y = +1 or -1;  b is not held
 */
import { exp } from './functions.ts';
import { dot, solveLinear } from './linear.ts';

const STEPS = 60;
/** Held a little, so that examples of one kind alone leave it finite. */
const BIAS_RIDGE = 0.01;

/** 1 / (1 + e^-z). */
export const sigmoid = (z: number): number => (z >= 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z)));

export interface Fit {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** Of examples [n][features], n of 1 to some hundred, and whether each is of the first kind. `ridge` above 0. Deterministic. */
export function logisticFit(examples: readonly (readonly number[])[], first: readonly boolean[], ridge: number): Fit {
  const n = examples.length;
  // w = sum_i a_i x_i; K includes the bias as a feature of size 1 / BIAS_RIDGE, held like the others
  const K = examples.map((a) => examples.map((b) => dot(a, b) / ridge + 1 / BIAS_RIDGE));
  const target = first.map((one) => (one ? 1 : 0));
  let alpha = new Array<number>(n).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const z = K.map((row) => dot(row, alpha));
    const p = z.map(sigmoid);
    const spread = p.map((q) => Math.max(q * (1 - q), 1e-6));
    // Newton: (K + S^-1) alpha = z + S^-1 (y - p)
    const matrix = K.map((row, i) => row.map((k, j) => k + (i === j ? 1 / spread[i]! : 0)));
    const next = solveLinear(
      matrix,
      z.map((one, i) => one + (target[i]! - p[i]!) / spread[i]!),
    );
    // half of the way while it still moves far: whole steps may swing where examples are far apart
    const far = next.reduce((most, x, i) => Math.max(most, Math.abs(x - alpha[i]!)), 0);
    const share = far > 0.5 ? 0.5 : 1;
    alpha = alpha.map((x, i) => x + share * (next[i]! - x));
    if (far < 1e-10) break;
  }
  const features = examples[0]?.length ?? 0;
  return {
    bias: alpha.reduce((sum, x) => sum + x, 0) / BIAS_RIDGE,
    weights: Array.from({ length: features }, (_, k) => examples.reduce((sum, x, i) => sum + alpha[i]! * x[k]!, 0) / ridge),
  };
}
