/** The dense network as one writes it in tfjs: its own gradients and Adam, clipping by global norm. Layers API left out: it is slower. */
import * as tf from '@tensorflow/tfjs';
import { uniform } from './engine-programs.ts';

export interface Peer {
  readonly forward: () => Promise<unknown>;
  readonly train: () => Promise<unknown>;
  dispose(): void;
}

/** The backend must be active. */
export function tfjsMlp(sizes: readonly number[], rows: number): Peer {
  const x = tf.tensor2d(uniform(rows * sizes[0]!, 1), [rows, sizes[0]!]);
  const layers = sizes.slice(1).map((n, i) => ({
    w: tf.variable(tf.tensor2d(uniform(sizes[i]! * n, 1 / Math.sqrt(sizes[i]!)), [sizes[i]!, n])),
    b: tf.variable(tf.zeros<tf.Rank.R1>([n])),
  }));
  const optimiser = tf.train.adam(1e-5, 0.9, 0.999, 1e-5);
  const net = (): tf.Tensor =>
    layers.reduce<tf.Tensor>((h, { w, b }, i) => {
      const y = tf.add(tf.matMul(h as tf.Tensor2D, w as tf.Tensor2D), b);
      return i < layers.length - 1 ? tf.tanh(y) : y;
    }, x);
  return {
    async forward() {
      const y = tf.tidy(net);
      await y.data();
      y.dispose();
    },
    async train() {
      const value = tf.tidy(() => {
        const { value, grads } = tf.variableGrads(() => tf.mean(tf.square(tf.sub(net(), 0.1))) as tf.Scalar);
        const norm = tf.sqrt(tf.addN(Object.values(grads).map((g) => tf.sum(tf.square(g)))));
        const factor = tf.minimum(1, tf.div(0.5, tf.add(norm, 1e-6)));
        optimiser.applyGradients(Object.fromEntries(Object.entries(grads).map(([name, g]) => [name, tf.mul(g, factor)])));
        return value;
      });
      await value.data();
      value.dispose();
    },
    dispose() {
      optimiser.dispose();
      tf.dispose([x, ...layers.flatMap(({ w, b }) => [w, b])]);
    },
  };
}

export async function selectBackend(backend: string): Promise<void> {
  await tf.setBackend(backend);
  await tf.ready();
}
