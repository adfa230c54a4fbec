/**
 * The network of one agent together with what its policy does around it: what another program needs to act as the policy does.
 * `Policy.network` gives it; onnx.ts writes it to a file.
 */
import type { RunningMoments } from '#math/normalise.ts';
import type { Program } from '../engine/types.ts';

/** Observations are normalised by these and clipped to +-`clip`. */
export interface Normaliser {
  readonly moments: RunningMoments;
  readonly clip: number;
}

/** How a mean becomes an action in the environment's units. */
export type ActionBox =
  /** Cut to the bounds. */
  | { readonly form: 'clipped'; readonly low: readonly number[]; readonly high: readonly number[] }
  /** centre + half * mean, or centre + half * tanh(mean) where there is a log std. */
  | { readonly form: 'scaled'; readonly centre: readonly number[]; readonly half: readonly number[] };

export interface AgentNetwork {
  /**
   * The network at so many rows. Inputs: `obs` [rows, O] and, as far as it has them, `mask` [rows, N], `state` [rows, S] and others of the
   * method's own. Outputs: `logits`, `q` [rows, N] or `mean` [rows, D] with or without `logStd`; `value` [rows]; `state` [rows, S].
   */
  program(rows: number): Program;
  /** Columns of the agent's observation, the first of `obs`. */
  readonly obsWidth: number;
  /** The one-hot number of the agent that follows its observation in `obs`; empty: none does. */
  readonly number: readonly number[];
  readonly normaliser: Normaliser | null;
  /** Values in units of the reward, in place, where the network's own numbers are others. */
  restore?(values: Float32Array): void;
  /** null: discrete actions. */
  readonly box: ActionBox | null;
}
