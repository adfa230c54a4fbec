/**
 * Layers whose weights are -1, 0 or 1 times one scale (BitNet b1.58: Ma et al. 2024): 2 bits a weight where they are packed.
 *   scale = mean |w|;   ternary(w) = scale round(clip(w / scale, -1, 1))
 * They learn straight through: forward the ternary weights, backward as if they were the float ones behind them (Bengio et al. 2013), which are kept
 * while it learns. Biases stay float.
 */
import { abs, activate, add, gt, linear, lt, mean, mul, neg, stopGradient, sub } from '../engine/ops.ts';
import type { Tensor } from '../engine/types.ts';
import { zeros } from './init.ts';
import { type MakeTrunk, type Net, weights } from './mlp.ts';

/** The ternary weights of float ones, of the same shape. */
function quantised(w: Tensor): Tensor {
  const scale = mean(abs(w));
  const half = mul(scale, 0.5);
  return mul(scale, sub(gt(w, half), lt(w, neg(half))));
}

/** The same numbers outside of a program. Float32, as executors compute it but for the order of the sum. */
export function ternaryWeights(w: Float32Array): Float32Array {
  const scale = Math.fround(w.reduce((sum, x) => sum + Math.abs(x), 0) / w.length);
  return w.map((x) => (Math.abs(x) > scale / 2 ? Math.sign(x) * scale : 0));
}

/** Dense layers, orthogonal weights made ternary as they are read; parameters are named like those of a dense trunk. */
export const ternaryTrunk: MakeTrunk = (group, rng, sizes, act) => {
  const layers = sizes.slice(1).map((outputs, i): Net => {
    const inputs = sizes[i]!;
    const w = group.param(`trunk.${i}.w`, [inputs, outputs], weights(rng, inputs, outputs, 'orthogonal', Math.SQRT2));
    const b = group.param(`trunk.${i}.b`, [outputs], zeros(outputs));
    return (x) => {
      const float = x.graph.read(w);
      const straight = add(float, stopGradient(sub(quantised(float), float)));
      return activate(linear(x, straight, x.graph.read(b)), act);
    };
  });
  return (x) => layers.reduce((h, layer) => layer(h), x);
};

/** Bytes of dense layers of these sizes, inputs first: 4 for a float, 2 bits for a ternary weight and one scale a layer. */
export function layerBytes(sizes: readonly number[], ternary: boolean): number {
  return sizes.slice(1).reduce((sum, outputs, i) => {
    const count = sizes[i]! * outputs;
    return sum + 4 * outputs + (ternary ? Math.ceil(count / 4) + 4 : 4 * count);
  }, 0);
}
