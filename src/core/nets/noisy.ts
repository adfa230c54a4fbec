/**
 * Dense layers whose weights are drawn anew by factored Gaussian noise (Fortunato et al. 2018, "Noisy networks for exploration"):
 *   y = x (mu_w + sigma_w * f(e_in) f(e_out)^T) + mu_b + sigma_b * f(e_out),   f(e) = sign(e) sqrt |e|
 * mu starts in U(+-1/sqrt(inputs)), sigma at sigma0 / sqrt(inputs). The noise of all layers of a network is one vector, an input of its program.
 */
import type { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { type Activation, add, linear, mul, reshape, sliceAxis } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { constant, kaimingUniform } from './init.ts';

/** [B, I] and the noise of the network [S], or null: its mean weights -> [B, O] */
export type NoisyNet = (x: Tensor, noise: Tensor | null) => Tensor;

/** Layers of one network in the order in which they are made; `size` numbers of noise are theirs. */
export class NoisyLayers {
  size = 0;
  readonly #group: ParamGroup;
  readonly #rng: Rng;
  readonly #sigma: number;

  constructor(group: ParamGroup, rng: Rng, sigma: number) {
    this.#group = group;
    this.#rng = rng;
    this.#sigma = sigma;
  }

  dense(name: string, inputs: number, outputs: number, act: Activation = 'none'): NoisyNet {
    const w = this.#group.param(`${name}.w`, [inputs, outputs], kaimingUniform(this.#rng, inputs, inputs * outputs));
    const b = this.#group.param(`${name}.b`, [outputs], kaimingUniform(this.#rng, inputs, outputs));
    const spread = this.#sigma / Math.sqrt(inputs);
    const wSigma = this.#group.param(`${name}.wSigma`, [inputs, outputs], constant(inputs * outputs, spread));
    const bSigma = this.#group.param(`${name}.bSigma`, [outputs], constant(outputs, spread));
    const from = this.size;
    this.size += inputs + outputs;
    return (x, noise) => {
      const read = x.graph.read.bind(x.graph);
      if (noise === null) return linear(x, read(w), read(b), act);
      const rows = reshape(sliceAxis(noise, 0, from, inputs), [inputs, 1]);
      const columns = sliceAxis(noise, 0, from + inputs, outputs);
      const weight = add(read(w), mul(mul(read(wSigma), rows), columns));
      return linear(x, weight, add(read(b), mul(read(bSigma), columns)), act);
    };
  }
}

/** Writes f(e) of standard normal e into `out`. */
export function drawNoise(rng: Rng, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) {
    const e = normal(rng);
    out[i] = Math.sign(e) * Math.sqrt(Math.abs(e));
  }
}
