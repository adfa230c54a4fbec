/**
 * Convolutional trunks for small images, rows flat in [H, W, C] order. Defaults: one layer of 16 filters 3x3, stride 1, no
 * padding, then 128 units, all ReLU: the network of MinAtar (Young & Tian 2019).
 */

import type { ObsSpace } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import { type Activation, concat, conv2d, reshape, sliceAxis } from '../engine/ops.ts';
import { windowCount } from '../engine/shapes.ts';
import type { ParamGroup } from '../engine/types.ts';
import { encodedImage } from './encoder.ts';
import { kaimingUniform, zeros } from './init.ts';
import { type Front, type Init, mlp, type Net, weights } from './mlp.ts';

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

/** The least height and width that a window of 3x3 fits into. */
const WINDOW = 3;

/** Whether observations of this space hold something that a window of 3x3 can slide over. */
export function hasImage(space: ObsSpace): boolean {
  const image = encodedImage(space);
  return image !== undefined && Math.min(image[0], image[1]) >= WINDOW;
}

/**
 * One convolution (`filters` of 3x3, stride 1, no padding) over the image or grid in front of encoded rows; the numbers behind it are put
 * next to its outputs as they are. undefined for 0 filters: the rows pass as they are. Throws Error for a space without an image.
 */
export function convFront(
  space: ObsSpace,
  filters: number,
  options: { readonly act: Activation; readonly init?: Init },
): Front | undefined {
  if (filters === 0) return undefined;
  const shape = present(hasImage(space) ? encodedImage(space) : undefined, 'an image to convolve');
  const image = shape[0] * shape[1] * shape[2];
  return (group, name, rng, inputs) => {
    const conv = convTrunk(group, name, rng, shape, { ...options, layers: [{ filters, kernel: WINDOW }], hidden: [] });
    const rest = inputs - image;
    return {
      size: conv.size + rest,
      net: (x) => {
        const features = conv.net(sliceAxis(x, 1, 0, image));
        return rest === 0 ? features : concat([features, sliceAxis(x, 1, image, rest)], 1);
      },
    };
  };
}
