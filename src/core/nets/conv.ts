/**
 * Convolutional trunks for small images, rows flat in [H, W, C] order. Defaults: one layer of 16 filters 3x3, stride 1, no
 * padding, then 128 units, all ReLU: the network of MinAtar (Young & Tian 2019).
 */

import type { Rng } from '#math/rng.ts';
import { type Activation, conv2d, reshape } from '../engine/ops.ts';
import { windowCount } from '../engine/shapes.ts';
import type { ParamGroup } from '../engine/types.ts';
import { kaimingUniform, zeros } from './init.ts';
import { type Init, mlp, type Net, weights } from './mlp.ts';

export interface ConvLayer {
  readonly filters: number;
  readonly kernel: number;
  readonly stride?: number;
  readonly pad?: number;
}
export interface ConvOptions {
  readonly layers?: readonly ConvLayer[];
  /** Dense layers behind; their last size is the trunk's output. */
  readonly hidden?: readonly number[];
  readonly act?: Activation;
  readonly init?: Init;
}
export interface Trunk {
  readonly net: Net; // [B, H*W*C] -> [B, size]
  readonly size: number;
}

/** Throws Error if a window is larger than what it looks at. */
export function convTrunk(
  group: ParamGroup,
  name: string,
  rng: Rng,
  shape: readonly [h: number, w: number, c: number],
  options: ConvOptions = {},
): Trunk {
  const { layers = [{ filters: 16, kernel: 3 }], hidden = [128], act = 'relu', init = 'orthogonal' } = options;
  let [h, w, c] = shape;
  const convs = layers.map(({ filters, kernel, stride = 1, pad = 0 }, i) => {
    const fanIn = kernel * kernel * c;
    const k = group.param(`${name}.conv${i}.w`, [kernel, kernel, c, filters], weights(rng, fanIn, filters, init, Math.SQRT2));
    const b = group.param(`${name}.conv${i}.b`, [filters], init === 'torch' ? kaimingUniform(rng, fanIn, filters) : zeros(filters));
    h = windowCount(h, kernel, stride, pad);
    w = windowCount(w, kernel, stride, pad);
    c = filters;
    const layer: Net = (x) => conv2d(x, x.graph.read(k), x.graph.read(b), { stride, pad }, act);
    return layer;
  });
  const flat = h * w * c;
  const dense: Net = hidden.length > 0 ? mlp(group, `${name}.dense`, rng, [flat, ...hidden], { act, init, outAct: act }) : (x) => x;
  return {
    size: hidden.at(-1) ?? flat,
    net: (x) => {
      const image = reshape(x, [x.shape[0]!, ...shape]);
      const features = convs.reduce((y, layer) => layer(y), image);
      return dense(reshape(features, [x.shape[0]!, flat]));
    },
  };
}
