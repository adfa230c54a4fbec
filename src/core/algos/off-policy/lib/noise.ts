/**
 * Noise that a program makes from uniform numbers: drawing thousands of normal numbers one by one would cost as much as the
 * matrices of a small network. Uniforms are multiples of 2^-23 shifted by half of one: never 0 and never 1, exact in float32.
 */
import { concat, cos, log, mul, neg, reshape, sin, sliceAxis, sqrt } from '#core/engine/ops.ts';
import type { Graph, Tensor } from '#core/engine/types.ts';
import type { Rng } from '#math/rng.ts';

/** Uniform numbers in (0, 1). */
export function fillUniform(rng: Rng, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = ((rng.next() >>> 9) + 0.5) * 1.1920928955078125e-7;
}

/** Standard normal [rows, size] by Box-Muller, both halves used, from the input `name` that fillUniform fills. */
export function gaussianNoise(g: Graph, name: string, rows: number, size: number): Tensor {
  const count = rows * size;
  const pairs = Math.ceil(count / 2);
  const uniform = g.input(name, [2, pairs]);
  const radius = sqrt(mul(log(sliceAxis(uniform, 0, 0, 1)), -2));
  const angle = mul(sliceAxis(uniform, 0, 1, 1), 2 * Math.PI);
  const normal = reshape(concat([mul(radius, cos(angle)), mul(radius, sin(angle))], 1), [2 * pairs]);
  return reshape(sliceAxis(normal, 0, 0, count), [rows, size]);
}

/** Gumbel(0, 1) from uniforms: -ln(-ln u). */
export const gumbelNoise = (uniform: Tensor): Tensor => neg(log(neg(log(uniform))));
