/**
 * Joint values of a team from its agents' values, so that the agents' greedy actions are together the greedy joint action.
 *   sum (VDN; Sunehag et al. 2018)        Q_tot = sum_i q_i
 *   monotone (QMIX; Rashid et al. 2018)   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s)
 * The weights of the monotone one come from the state s through hypernetworks; their absolute values make it monotone.
 */
import type { Rng } from '#math/rng.ts';
import { abs, add, elu, matmul, mul, reshape, sum } from '../engine/ops.ts';
import type { ParamGroup, Tensor } from '../engine/types.ts';
import { column, mlp, type Net } from './mlp.ts';

/** The joint value: agents' values q [R, A] and state [R, S] -> [R]; of V lists of values for each state, q [R, V, A] -> [R, V]. */
export type Mixer = (q: Tensor, state: Tensor) => Tensor;

/** Makes a mixer, its parameters in `group`. */
export type MakeMixer = (group: ParamGroup, rng: Rng, sizes: { readonly agents: number; readonly stateSize: number }) => Mixer;

/** Agents' values q [..., A] -> [...]. */
export const sumOfValues = (q: Tensor): Tensor => sum(q, -1);

export interface MixingWeights {
  readonly w1: Tensor; // [R, A, E] any sign
  readonly b1: Tensor; // [R, E]
  readonly w2: Tensor; // [R, E] any sign
  readonly v: Tensor; // [R]
}

/** The monotone Q_tot: agents' values q [R, A] -> [R], or [R, V, A] -> [R, V]. */
export function mixMonotone(q: Tensor, { w1, b1, w2, v }: MixingWeights): Tensor {
  const [R, A] = [q.shape[0]!, q.shape[q.shape.length - 1]!];
  const V = q.shape.length === 3 ? q.shape[1]! : 1;
  const E = b1.shape[1]!;
  const hidden = elu(add(matmul(reshape(q, [R, V, A]), abs(w1)), reshape(b1, [R, 1, E])));
  const mixed = add(sum(mul(hidden, reshape(abs(w2), [R, 1, E])), -1), reshape(v, [R, 1]));
  return q.shape.length === 3 ? mixed : reshape(mixed, [R]);
}

export interface MonotoneMixerOptions {
  /** Width of the mixing network. */
  readonly mixerUnits: number;
  /** Width of the hypernetworks. */
  readonly hyperUnits: number;
  /** Scale of the hypernetworks' initial output weights. */
  readonly mixerScale: number;
}

/** Hypernetworks of two layers for both weights, one layer for the first bias, two for the last (as PyMARL). */
export const monotoneMixer =
  (c: MonotoneMixerOptions): MakeMixer =>
  (group, rng, { agents: A, stateSize }) => {
    const E = c.mixerUnits;
    const hypernetwork = (name: string, sizes: readonly number[]): Net =>
      mlp(group, `mixer.${name}`, rng, [stateSize, ...sizes], { act: 'relu', outGain: c.mixerScale });
    const w1 = hypernetwork('w1', [c.hyperUnits, A * E]);
    const b1 = hypernetwork('b1', [E]);
    const w2 = hypernetwork('w2', [c.hyperUnits, E]);
    const v = hypernetwork('v', [E, 1]);
    return (q, state) =>
      mixMonotone(q, {
        w1: reshape(w1(state), [q.shape[0]!, A, E]),
        b1: b1(state),
        w2: w2(state),
        v: column(v(state)),
      });
  };
