/**
 * Joint values from the agents' own. VDN (Sunehag et al. 2018): the sum. QMIX (Rashid et al. 2018): a network of two layers whose
 * weights come from the state through hypernetworks and are made non-negative, so that a better value of any agent never lowers
 * the joint one and the best joint action is everybody's best action:
 *   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s)
 */
import { abs, add, elu, matmul, mul, reshape, sum } from '#core/engine/ops.ts';
import type { ParamGroup, Tensor } from '#core/engine/types.ts';
import { column, mlp, type Net } from '#core/nets/mlp.ts';
import type { Rng } from '#math/rng.ts';

/** [R, A] -> [R] */
export const sumOfValues = (q: Tensor): Tensor => sum(q, -1);

export interface MixingWeights {
  readonly w1: Tensor; // [R, A, E] any sign
  readonly b1: Tensor; // [R, E]
  readonly w2: Tensor; // [R, E] any sign
  readonly v: Tensor; // [R]
}

/** q [R, A] -> [R]. */
export function monotoneMix(q: Tensor, { w1, b1, w2, v }: MixingWeights): Tensor {
  const [R, A] = q.shape as [number, number];
  const E = b1.shape[1]!;
  const hidden = elu(add(reshape(matmul(reshape(q, [R, 1, A]), abs(w1)), [R, E]), b1));
  return add(sum(mul(hidden, abs(w2)), -1), v);
}

export interface MixerOptions {
  readonly agents: number; // A
  readonly stateSize: number; // S
  readonly units: number; // E
  readonly hyperUnits: number;
  /** Scale of the hypernetworks' last layers; JaxMARL starts with 0.001, close to a joint value that ignores the agents. */
  readonly scale: number;
}
/** q [R, A], state [R, S] -> [R]. */
export type Mixer = (q: Tensor, state: Tensor) => Tensor;

/** Hypernetworks of two layers for both weights, one layer for the first bias, two for the last (as PyMARL). */
export function monotoneMixer(group: ParamGroup, rng: Rng, options: MixerOptions): Mixer {
  const { agents: A, stateSize: S, units: E, hyperUnits, scale } = options;
  const hyper = (name: string, sizes: readonly number[]): Net =>
    mlp(group, `mixer.${name}`, rng, [S, ...sizes], { act: 'relu', outGain: scale });
  const first = hyper('w1', [hyperUnits, A * E]);
  const bias = hyper('b1', [E]);
  const last = hyper('w2', [hyperUnits, E]);
  const value = hyper('v', [E, 1]);
  return (q, state) => {
    const w1 = reshape(first(state), [q.shape[0]!, A, E]);
    return monotoneMix(q, { w1, b1: bias(state), w2: last(state), v: column(value(state)) });
  };
}
