/**
 * Initial weights, float32, drawn in float64 by the one generator and by own functions, so that a seed gives the same
 * weights in every engine. Matrices are [inputs, outputs], row-major, as `linear` wants them.
 * Orthogonal: Saxe et al. 2014 (QR with positive diagonal of R); Xavier: Glorot & Bengio 2010; Kaiming: He et al. 2015.
 */
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';

export const zeros = (n: number): Float32Array => new Float32Array(n);
export const constant = (n: number, value: number): Float32Array => new Float32Array(n).fill(value);

/** n numbers in [-bound, bound). */
export function uniform(rng: Rng, n: number, bound: number): Float32Array {
  return Float32Array.from({ length: n }, () => (2 * rng.uniform() - 1) * bound);
}
/** U(+-gain sqrt(6 / (fanIn + fanOut))). */
export function xavierUniform(rng: Rng, fanIn: number, fanOut: number, gain = 1): Float32Array {
  return uniform(rng, fanIn * fanOut, xavierBound(fanIn, fanOut, gain));
}
export const xavierBound = (fanIn: number, fanOut: number, gain = 1): number => gain * Math.sqrt(6 / (fanIn + fanOut));
/** U(+-1 / sqrt(fanIn)): Kaiming with a = sqrt(5), what torch.nn.Linear does to weights (n = fanIn * outputs) and biases (n = outputs). */
export function kaimingUniform(rng: Rng, fanIn: number, n: number): Float32Array {
  return uniform(rng, n, kaimingBound(fanIn));
}
export const kaimingBound = (fanIn: number): number => 1 / Math.sqrt(fanIn);
/** N(0, std^2). */
export const gaussian = (rng: Rng, n: number, std: number): Float32Array => Float32Array.from({ length: n }, () => normal(rng) * std);
/** N(0, 2 / fanIn). */
export const heNormal = (rng: Rng, fanIn: number, n: number): Float32Array => gaussian(rng, n, heStd(fanIn));
export const heStd = (fanIn: number): number => Math.sqrt(2 / fanIn);
/** Variance 1 / fanIn, from a normal cut off at two of its own deviations (flax's default). */
export function lecunNormal(rng: Rng, fanIn: number, n: number): Float32Array {
  const std = lecunStd(fanIn);
  const draw = (): number => {
    for (;;) {
      const z = normal(rng);
      if (Math.abs(z) <= 2) return z * std;
    }
  };
  return Float32Array.from({ length: n }, draw);
}
/** Deviation before the cut, which takes it down by this factor. */
export const lecunStd = (fanIn: number): number => 1 / Math.sqrt(fanIn) / 0.87962566103423978;

/**
 * Orthonormal columns (rows, if there are more columns than rows) times gain, from a matrix of normal numbers: the Q of its
 * QR decomposition with a positive diagonal of R. By Gram-Schmidt, twice, which is as exact as Householder here.
 */
export function orthonormalise(gaussian: ArrayLike<number>, rows: number, cols: number, gain = 1): Float64Array {
  const wide = cols > rows;
  const count = wide ? rows : cols; // vectors
  const length = wide ? cols : rows;
  const vectors = Array.from({ length: count }, (_, j) =>
    Float64Array.from({ length }, (_, i) => gaussian[wide ? j * cols + i : i * cols + j]!),
  );
  vectors.forEach((v, j) => {
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < j; k++) {
        const u = vectors[k]!;
        let dot = 0;
        for (let i = 0; i < length; i++) dot += u[i]! * v[i]!;
        for (let i = 0; i < length; i++) v[i] = v[i]! - dot * u[i]!;
      }
    }
    let square = 0;
    for (let i = 0; i < length; i++) square += v[i]! * v[i]!;
    const norm = Math.sqrt(square);
    for (let i = 0; i < length; i++) v[i] = v[i]! / norm;
  });
  const out = new Float64Array(rows * cols);
  for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) out[r * cols + c] = gain * (wide ? vectors[r]![c]! : vectors[c]![r]!);
  return out;
}
/** A random matrix with orthonormal columns (or rows), times gain: sqrt(2) hidden, 0.01 policy head, 1 value head. */
export function orthogonal(rng: Rng, rows: number, cols: number, gain = 1): Float32Array {
  const gaussian = Float64Array.from({ length: rows * cols }, () => normal(rng));
  return Float32Array.from(orthonormalise(gaussian, rows, cols, gain));
}
