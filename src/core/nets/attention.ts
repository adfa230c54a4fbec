/**
 * Masked scaled dot-product attention (Vaswani et al. 2017) over rows [B, T, D], and a pre-norm transformer block.
 * A mask is 1 where looking is allowed, [T, S] or [B, T, S]; a row that may look nowhere looks everywhere alike.
 */

import type { Rng } from '#math/rng.ts';
import { add, broadcastTo, matmul, mul, reshape, softmax, split, transpose, where } from '../engine/ops.ts';
import type { Graph, ParamGroup, Tensor } from '../engine/types.ts';
import { dense, mlp, type Net, norm } from './mlp.ts';

/** 1 where the key is not later than the query: [T, T]. */
export function causalMask(g: Graph, steps: number): Tensor {
  return g.constant(
    Float32Array.from({ length: steps * steps }, (_, i) => Number(i % steps <= Math.floor(i / steps))),
    [steps, steps],
  );
}

interface AttentionOptions {
  readonly mask?: Tensor;
  readonly heads?: number;
}

/** `mixed` [B, T, E] and the weights it was mixed with [B, heads, T, S]; shapes as in `attention`. */
export function attend(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  options: AttentionOptions = {},
): { readonly mixed: Tensor; readonly weights: Tensor } {
  const { mask, heads = 1 } = options;
  const [B, T, D] = q.shape as [number, number, number];
  const S = k.shape[1]!;
  const E = v.shape[2]!;
  if (q.shape.length !== 3 || D % heads !== 0 || E % heads !== 0)
    throw new Error(`attention: [${q.shape}] is not [B, T, D] with D a multiple of ${heads} heads`);
  const cut = (x: Tensor): Tensor => transpose(reshape(x, [B, x.shape[1]!, heads, x.shape[2]! / heads]), [0, 2, 1, 3]);
  const scores = mul(matmul(cut(q), transpose(cut(k))), 1 / Math.sqrt(D / heads)); // [B, heads, T, S]
  const allowed = mask === undefined ? undefined : reshape(broadcastTo(mask, [B, T, S]), [B, 1, T, S]);
  const weights = softmax(allowed === undefined ? scores : where(allowed, scores, -1e8));
  return { mixed: reshape(transpose(matmul(weights, cut(v)), [0, 2, 1, 3]), [B, T, E]), weights };
}

/** q [B, T, D], k [B, S, D], v [B, S, E] -> [B, T, E]; with `heads`, D and E are cut into that many parts, each by itself. */
export const attention = (q: Tensor, k: Tensor, v: Tensor, options: AttentionOptions = {}): Tensor => attend(q, k, v, options).mixed;

/** Queries, keys and values from one input, heads joined by an output layer: x [B, T, D] -> [B, T, D]. */
export function selfAttention(
  group: ParamGroup,
  name: string,
  rng: Rng,
  size: number,
  heads: number,
): (x: Tensor, mask?: Tensor) => Tensor {
  const qkv = dense(group, `${name}.qkv`, rng, size, 3 * size, { init: 'xavier', gain: 1 });
  const out = dense(group, `${name}.out`, rng, size, size, { init: 'xavier', gain: 1 });
  return (x, mask) => {
    const [q, k, v] = split(qkv(x), [size, size, size]) as [Tensor, Tensor, Tensor];
    return out(attention(q, k, v, { heads, ...(mask === undefined ? {} : { mask }) }));
  };
}

/** x + attention(norm x), then + mlp(norm x) with gelu and four times the width. */
export function transformerBlock(
  group: ParamGroup,
  name: string,
  rng: Rng,
  size: number,
  heads: number,
): (x: Tensor, mask?: Tensor) => Tensor {
  const before = norm(group, `${name}.norm1`, size);
  const look = selfAttention(group, `${name}.attention`, rng, size, heads);
  const between = norm(group, `${name}.norm2`, size);
  const think: Net = mlp(group, `${name}.mlp`, rng, [size, 4 * size, size], { act: 'gelu', init: 'xavier', gain: 1, outGain: 1 });
  return (x, mask) => {
    const y = add(x, look(before(x), mask));
    return add(y, think(between(y)));
  };
}
