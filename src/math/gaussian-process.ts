/**
 * Gaussian-process regression on a line (Rasmussen & Williams 2006, algorithm 2.1), with the squared-exponential kernel
 * `variance * exp(-(a - b)^2 / (2 length^2))`, a prior mean of 0 and independent noise.
 */
import { exp, log, sqrt } from './functions.ts';

export interface Kernel {
  readonly variance: number;
  /** In the units of x. */
  readonly length: number;
}

export interface Posterior {
  readonly mean: number;
  /** Of the function itself, without the noise. */
  readonly deviation: number;
}

const covariance = ({ variance, length }: Kernel, a: number, b: number): number => {
  const z = (a - b) / length;
  return variance * exp(-0.5 * z * z);
};

/** The lower triangle L with L L^T = K + noise^2 I. */
function factor(x: readonly number[], kernel: Kernel, noise: number): readonly (readonly number[])[] {
  const rows: number[][] = [];
  x.forEach((a, i) => {
    const row: number[] = [];
    for (let j = 0; j <= i; j++) {
      let sum = covariance(kernel, a, x[j]!) + (i === j ? noise * noise : 0);
      for (let k = 0; k < j; k++) sum -= row[k]! * (i === j ? row : rows[j]!)[k]!;
      row.push(i === j ? sqrt(sum) : sum / rows[j]![j]!);
    }
    rows.push(row);
  });
  return rows;
}

/** Solves L z = right. */
function forward(lower: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const z: number[] = [];
  lower.forEach((row, i) => {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= row[k]! * z[k]!;
    z.push(sum / row[i]!);
  });
  return z;
}

/** Log marginal likelihood of y at x, equation 2.30, without the constant -n/2 log(2 pi). */
export function logLikelihood(x: readonly number[], y: readonly number[], kernel: Kernel, noise: number): number {
  const lower = factor(x, kernel, noise);
  const z = forward(lower, y);
  return lower.reduce((sum, row, i) => sum - 0.5 * z[i]! * z[i]! - log(row[i]!), 0);
}

/** Of some kernels the most likely one, the first of equals. Throws Error where there is none. */
export function likeliest(x: readonly number[], y: readonly number[], kernels: readonly Kernel[], noise: number): Kernel {
  const [first, ...others] = kernels;
  if (first === undefined) throw new Error('A choice of kernels needs one at least.');
  let best = { kernel: first, value: logLikelihood(x, y, first, noise) };
  for (const kernel of others) {
    const value = logLikelihood(x, y, kernel, noise);
    if (value > best.value) best = { kernel, value };
  }
  return best.kernel;
}

/** What is known of the function at each of `at`, once y [n] was seen at x [n] with noise of this deviation, above 0 (equations 2.25, 2.26). */
export function posterior(
  x: readonly number[],
  y: readonly number[],
  at: readonly number[],
  kernel: Kernel,
  noise: number,
): readonly Posterior[] {
  const lower = factor(x, kernel, noise);
  const z = forward(lower, y);
  return at.map((point) => {
    const v = forward(
      lower,
      x.map((a) => covariance(kernel, a, point)),
    );
    const mean = v.reduce((sum, vi, i) => sum + vi * z[i]!, 0);
    const variance = v.reduce((rest, vi) => rest - vi * vi, kernel.variance);
    return { mean, deviation: sqrt(Math.max(0, variance)) };
  });
}
