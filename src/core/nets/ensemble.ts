/**
 * K networks of one shape side by side, [M, I] -> [M, K, N]: no weight is shared, all go through the same few products. The first layer is
 * one product for all of them, those behind it are batched over K.
 */
import type { Rng } from '#math/rng.ts';
import { add, linear, matmul, relu, reshape, transpose } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { lecunNormal, zeros } from './init.ts';

/** Sizes: inputs, hidden layers (ReLU), outputs. Weights as dm-haiku draws them, N(0, 1 / inputs) cut at two deviations; no biases at first. */
export function ensemble(group: ParamGroup, name: string, rng: Rng, members: number, sizes: readonly number[]): (x: Tensor) => Tensor {
  const [inputs, first] = [sizes[0]!, sizes[1]!];
  const w = group.param(`${name}.0.w`, [inputs, members * first], lecunNormal(rng, inputs, inputs * members * first));
  const b = group.param(`${name}.0.b`, [members * first], zeros(members * first));
  const layers = sizes.slice(2).map((outputs, i) => {
    const from = sizes[i + 1]!;
    return {
      w: group.param(`${name}.${i + 1}.w`, [members, from, outputs], lecunNormal(rng, from, members * from * outputs)),
      b: group.param(`${name}.${i + 1}.b`, [members, 1, outputs], zeros(members * outputs)),
    };
  });
  return (x) => {
    const M = x.shape[0]!;
    const g = x.graph;
    const all = linear(x, g.read(w), g.read(b), layers.length === 0 ? 'none' : 'relu'); // [M, K H]
    const apart = transpose(reshape(all, [M, members, first]), [1, 0, 2]); // [K, M, H]
    const out = layers.reduce((h, layer, i) => {
      const y = add(matmul(h, g.read(layer.w)), g.read(layer.b));
      return i < layers.length - 1 ? relu(y) : y;
    }, apart);
    return transpose(out, [1, 0, 2]);
  };
}
