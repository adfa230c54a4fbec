/**
 * One optimiser step on a group's flat block as tfjs operations: global-norm clipping, then the forms of ../optimisers.ts.
 * Called inside tf.tidy; gives the new block and slots, which the caller hands to the store.
 */
import * as tf from '@tensorflow/tfjs-core';
import { clippedTogether, momentScalars, type Slot } from '../optimisers.ts';
import { sizeOf } from '../shapes.ts';
import type { CompileOptions, Optimiser } from '../types.ts';
import type { GroupStore } from './store.ts';

export interface Step {
  readonly flat: tf.Tensor;
  readonly slots: ReadonlyMap<Slot, tf.Tensor>;
  /** Before clipping. */
  readonly norm: tf.Tensor;
}

/** decay a + (1 - decay) b */
const blend = (a: tf.Tensor, b: tf.Tensor, decay: number): tf.Tensor => tf.add(tf.mul(a, decay), tf.mul(b, 1 - decay));

const normOf = (gradient: tf.Tensor): tf.Tensor => tf.sqrt(tf.sum(tf.square(gradient)));

const clipped = (gradient: tf.Tensor, maxNorm: number): tf.Tensor =>
  tf.mul(gradient, tf.minimum(tf.div(maxNorm, tf.add(normOf(gradient), 1e-6)), 1));

/** `gradient` is flat; t counts from 1. */
export function step(
  store: GroupStore,
  optimiser: Optimiser,
  gradient: tf.Tensor,
  lr: number,
  t: number,
  { maxGradNorm, clipApart, decays }: Pick<CompileOptions, 'maxGradNorm' | 'clipApart' | 'decays'>,
): Step {
  const norm = normOf(gradient);
  const sizes = clippedTogether(store.group.params, clipApart).map((run) => run.reduce((n, { shape }) => n + sizeOf(shape), 0));
  let g = maxGradNorm === undefined ? gradient : tf.concat(tf.split(gradient, sizes).map((part) => clipped(part, maxGradNorm)));
  let w = store.all();
  // what weight decay sees of each parameter
  const all = w;
  const decayed =
    decays === undefined
      ? all
      : tf.mul(all, tf.concat(store.group.params.map((param) => tf.fill([sizeOf(param.shape)], Number(decays(param))))));
  const slots = new Map<Slot, tf.Tensor>();
  const keep = (name: Slot, value: tf.Tensor): tf.Tensor => {
    slots.set(name, value);
    return value;
  };
  switch (optimiser.kind) {
    case 'sgd':
      if (optimiser.weightDecay !== 0) g = tf.add(g, tf.mul(decayed, optimiser.weightDecay));
      if (optimiser.momentum > 0) {
        const b = keep('momentum', tf.add(tf.mul(store.slot('momentum'), optimiser.momentum), g));
        g = optimiser.nesterov ? tf.add(g, tf.mul(b, optimiser.momentum)) : b;
      }
      return { flat: tf.sub(w, tf.mul(g, lr)), slots, norm };
    case 'adam':
    case 'radam': {
      if (optimiser.kind === 'adam' && optimiser.weightDecay !== 0) {
        if (optimiser.decoupled)
          w = decays === undefined ? tf.mul(w, 1 - lr * optimiser.weightDecay) : tf.sub(w, tf.mul(decayed, lr * optimiser.weightDecay));
        else g = tf.add(g, tf.mul(decayed, optimiser.weightDecay));
      }
      const { rate, rootScale, adaptive } = momentScalars(optimiser, t, lr);
      const m = keep('mean', blend(store.slot('mean'), g, optimiser.beta1));
      const v = keep('square', blend(store.slot('square'), tf.square(g), optimiser.beta2));
      const direction = adaptive ? tf.div(m, tf.add(tf.mul(tf.sqrt(v), rootScale), optimiser.eps)) : m;
      return { flat: tf.sub(w, tf.mul(direction, rate)), slots, norm };
    }
    case 'rmsprop': {
      let v = keep('square', blend(store.slot('square'), tf.square(g), optimiser.decay));
      if (optimiser.centered) {
        const mean = keep('mean', blend(store.slot('mean'), g, optimiser.decay));
        // Rounding may take it below 0 where the gradient hardly changes.
        v = tf.relu(tf.sub(v, tf.square(mean)));
      }
      let d = tf.div(g, optimiser.epsInsideRoot ? tf.sqrt(tf.add(v, optimiser.eps)) : tf.add(tf.sqrt(v), optimiser.eps));
      if (optimiser.momentum > 0) d = keep('momentum', tf.add(tf.mul(store.slot('momentum'), optimiser.momentum), d));
      return { flat: tf.sub(w, tf.mul(d, lr)), slots, norm };
    }
  }
}
