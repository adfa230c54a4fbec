/** What forgetting asks of the networks of a method: policy.ts, q.ts and soft.ts answer it. */
import { add } from '#core/engine/ops.ts';
import type { Graph, InputShapes, Shape, Tensor } from '#core/engine/types.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';
import type { Inputs, Places, Views } from '../../api/extension.ts';
import type { oneTransition } from './rehearsal.ts';
import type { Stack } from './resets.ts';

export type Transition = ReturnType<typeof oneTransition>;

/** The log-likelihood of one sample, for the Fisher information of a network. */
export interface Samples {
  readonly inputs: { readonly obs: Shape } & InputShapes;
  likelihood(x: { readonly obs: Tensor } & Inputs): Tensor; // []
  /** Feeds the inputs with a transition of the task that ended; what is drawn beside comes from `draws`. */
  feed(inputs: Views, one: Transition, draws: Rng): void;
}

/** What depends on the networks. */
export interface Side {
  /** By the names of the networks that learn, in their order. */
  samples(): readonly Samples[];
  /** Plain layers whose dormant units may start anew, and how the numbers that are fed are written. */
  readonly stacks: readonly Stack[];
  readonly width: number;
  write(one: Transition, into: Float32Array): void;
  /** The loss of one update, in which a change of task may show; null: another network's. */
  lossOf(network: string, outputs: Views): number | null;
  /** Steps between which an end of a task is due, after updates. */
  due(passed: { readonly before: number; readonly now: number; readonly next: number }): readonly [before: number, now: number];
  /** The newest transition of the task that ended, drawn into what is fed; made anew at each end. */
  ended(): { readonly one: Transition; read(draws: Rng): void };
  /** What rehearsal adds: inputs, loss, places; `held`: the penalty on weights. */
  readonly rehearsal: Rehearsed;
  /** An end that is found by the loss is part of checkpoints even where nothing waits for it. */
  readonly alwaysLooks: boolean;
}

export interface Rehearsed {
  inputs(): InputShapes;
  penalty(network: string, x: Inputs, g: Graph, now: Inputs, held: Tensor | null): Tensor | null;
  /** Compiled behind the programs of the loop. */
  places(): Pick<Places, 'recorded' | 'beforeUpdate' | 'sampled'>;
  readonly state: StateLayout;
}

/** Of methods without rehearsal. */
export const NOTHING_REHEARSED: Rehearsed = {
  inputs: () => ({}),
  penalty: (_network, _x, _g, _now, held) => held,
  places: () => ({}),
  state: {},
};

/** Two penalties, of which one or both may be missing. */
export const joined = (one: Tensor | null, other: Tensor | null): Tensor | null =>
  one === null ? other : other === null ? one : add(one, other);
