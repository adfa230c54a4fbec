/**
 * Networks of action values that know more than a mean, or explore by noise of their own: heads for DQN's variants. `out` of a network is
 *   categorical        logits of K atoms between `low` and `high` (C51, Bellemare et al. 2017)
 *   quantile           K quantiles at the middles of K equal shares (QR-DQN, Dabney et al. 2018)
 *   implicit quantile  a quantile for every level asked: features times relu(W cos(pi i tau), i < 64) (IQN, Dabney et al. 2018b)
 * for every action, [M, N, K]; its mean is the action value. Dueling heads (Wang et al. 2016) subtract the mean over actions.
 */

import type { ObsSpace } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import { add, cos, iota, mean, mul, reshape, softmax, sub, sum, transpose } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { type BodySettings, bodyFront } from './body.ts';
import { midpoints, support } from './distribution.ts';
import { encode, encodedSize } from './encoder.ts';
import { dense, qNetwork } from './mlp.ts';
import { NoisyLayers, type NoisyNet } from './noisy.ts';

export type Distribution =
  | { readonly kind: 'none' }
  | { readonly kind: 'categorical'; readonly atoms: number; readonly low: number; readonly high: number }
  | { readonly kind: 'quantile'; readonly atoms: number }
  | { readonly kind: 'implicit quantile' };

export interface ValueNetworkConfig extends BodySettings {
  readonly distribution: Distribution;
  readonly dueling: boolean;
  readonly noisy: { readonly kind: 'off' } | { readonly kind: 'on'; readonly sigma: number };
  readonly hidden: readonly number[];
}

/** What an application of the network is drawn with: `noise` [S] (null: mean weights), `taus` [M, K] in (0, 1) (null: 32 middles). */
export interface ValueDraws {
  readonly noise: Tensor | null;
  readonly taus: Tensor | null;
}

export interface ActionValues {
  readonly q: Tensor; // [M, N]
  readonly out: Tensor | null; // [M, N, K]; null without a distribution
}

export interface ValueNetwork {
  /** Numbers of noise an application takes; 0: it is not noisy. */
  readonly noise: number;
  /** Rows [M, >= obsSize(space)]. */
  apply(obs: Tensor, draws: ValueDraws): ActionValues;
}

const COSINES = 64;
/** Levels at which implicit quantiles are asked for where no draw is given (K of Dabney et al. 2018b). */
const ASKED = 32;

export function valueNetwork(group: ParamGroup, rng: Rng, space: ObsSpace, actions: number, c: ValueNetworkConfig): ValueNetwork {
  const front = bodyFront(space, c, { act: 'relu', init: 'torch' });
  const inputs = encodedSize(space);
  const { distribution, noisy } = c;
  if (distribution.kind === 'none' && noisy.kind === 'off') {
    const net = qNetwork(group, rng, [inputs, ...c.hidden, actions], { dueling: c.dueling, front });
    return { noise: 0, apply: (obs) => ({ q: net(encode(obs.graph, obs, space)), out: null }) };
  }
  const first = front?.(group, 'q', rng, inputs);
  const sizes = [first?.size ?? inputs, ...c.hidden];
  const top = present(sizes.at(-1), 'the number of inputs');
  const layers = noisy.kind === 'on' ? new NoisyLayers(group, rng, noisy.sigma) : plainLayers(group, rng);
  const trunk = c.hidden.map((units, i) => layers.dense(`trunk.${i}`, present(sizes[i], 'a width'), units, 'relu'));
  const K = 'atoms' in distribution ? distribution.atoms : 1;
  const embedding =
    distribution.kind === 'implicit quantile' ? dense(group, 'taus', rng, COSINES, top, { act: 'relu', init: 'torch' }) : null;
  const advantage = layers.dense('advantage', top, actions * K);
  const value = c.dueling ? layers.dense('value', top, K) : null;

  /** [R, top] -> [R, N, K] */
  function heads(h: Tensor, noise: Tensor | null): Tensor {
    const R = h.shape[0]!;
    const a = reshape(advantage(h, noise), [R, actions, K]);
    return value === null ? a : add(reshape(value(h, noise), [R, 1, K]), sub(a, mean(a, 1, true)));
  }

  return {
    noise: layers.size,
    apply(obs, { noise, taus }) {
      const g = obs.graph;
      const M = obs.shape[0]!;
      const seen = encode(g, obs, space);
      const h = trunk.reduce((x, layer) => layer(x, noise), first?.net(seen) ?? seen);
      if (embedding !== null) {
        const levels = taus ?? reshape(midpoints(g, ASKED), [1, ASKED]);
        const [rows, T] = [levels.shape[0]!, levels.shape[1]!];
        const waves = cos(mul(reshape(levels, [rows * T, 1]), mul(iota(g, COSINES), Math.PI)));
        const features = mul(reshape(h, [M, 1, top]), reshape(embedding(waves), [rows, T, top])); // [M, T, top]
        const out = transpose(reshape(heads(reshape(features, [M * T, top]), noise), [M, T, actions]));
        return { q: mean(out, -1), out };
      }
      const out = heads(h, noise);
      if (distribution.kind === 'none') return { q: reshape(out, [M, actions]), out: null };
      if (distribution.kind !== 'categorical') return { q: mean(out, -1), out };
      return { q: sum(mul(softmax(out), support(g, distribution.low, distribution.high, K)), -1), out };
    },
  };
}

/** Layers without noise under the same interface. */
function plainLayers(group: ParamGroup, rng: Rng): { readonly size: number; dense: NoisyLayers['dense'] } {
  return {
    size: 0,
    dense: (name, inputs, outputs, act = 'none'): NoisyNet => {
      const net = dense(group, name, rng, inputs, outputs, { act, init: 'torch' });
      return (x) => net(x);
    },
  };
}
