/** Minibatches of whole steps: what a critic sees of a step stands beside all rows of that step. */
import { expect, it } from 'vitest';
import type { Program } from '#core/engine/types.ts';
import { Rng } from '#math/rng.ts';
import { createValueRollout, type EpochOptions, updateEpochs } from './collect.ts';

const options: EpochOptions = {
  advantages: 'none',
  lr: 1e-3,
  epochs: 3,
  minibatches: 4,
  clip: 0.2,
  entropyCoef: 0,
  valueCoef: 1,
};
const T = 4;
const B = 2;
const M = 3;
const WIDTH = 2;

it('every step once in an epoch, its rows together and in their order', async () => {
  const rows = B * M;
  const input = { own: false, serves: M, width: WIDTH, inputs: WIDTH, encode: () => { throw new Error('not encoded'); }, fill: () => {} }; // biome-ignore format: one line
  const rollout = { ...createValueRollout(T, rows, input), obs: Float32Array.from({ length: T * rows }, (_, i) => i) };
  expect(rollout.critic.length).toBe(T * B * WIDTH);
  for (let s = 0; s < T * B; s++) rollout.critic.set([s, 100 + s], s * WIDTH);
  const size = (T * rows) / options.minibatches;
  const feed = { obs: new Float32Array(size), critic: new Float32Array((size / M) * WIDTH) };
  const seen: number[][] = [];
  const learn = {
    in: feed,
    out: {},
    run() {
      for (let i = 0; i < size; i++) {
        const step = Math.floor(i / M);
        expect(feed.obs[i]).toBe(feed.critic[step * WIDTH]! * M + (i % M));
        expect(feed.critic[step * WIDTH + 1]).toBe(100 + feed.critic[step * WIDTH]!);
      }
      seen.push(Array.from({ length: size / M }, (_, s) => feed.critic[s * WIDTH]!));
    },
  } as unknown as Program;
  const order = Int32Array.from({ length: T * rows }, (_, i) => i);
  const stepOrder = Int32Array.from({ length: T * B }, (_, i) => i);
  await updateEpochs({ learn, rollout, order, stepOrder }, options, Rng.from(3));
  expect(seen.length).toBe(options.epochs * options.minibatches);
  const epochs = [0, 1, 2].map((e) => seen.slice(e * 4, (e + 1) * 4).flat());
  for (const epoch of epochs) expect(epoch.toSorted((a, b) => a - b)).toEqual(Array.from({ length: T * B }, (_, i) => i));
  expect(epochs[0]).not.toEqual(epochs[1]);
});
