import { expect, test } from 'vitest';
import { createActions, createBuffers } from '../api/buffers.ts';
import { bitFlip } from './bit-flip.ts';

test.each([2, 5, 15])('%i bits: the optimal play returns what is stated, and stays at the goal', (bits) => {
  const episodes = 4000;
  const env = bitFlip.create({ bits }, episodes);
  const buffers = createBuffers(env.meta, episodes);
  const actions = createActions(env.meta, episodes);
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => i),
    buffers,
  );
  let sum = 0;
  for (let t = 1; t <= bits; t++) {
    bitFlip.policies({ bits }).optimal!.act(env, buffers, actions);
    env.step(actions, buffers);
    sum += buffers.reward.reduce((a, b) => a + b, 0);
    expect(buffers.truncated.every((flag) => flag === (t === bits ? 1 : 0))).toBe(true);
  }
  const stated = env.meta.references.find(({ name }) => name === 'optimal')!.value;
  expect(Math.abs(sum / episodes - stated)).toBeLessThan(0.12); // 4 standard errors: sd of the number of differing bits below 2
  const success = new Float64Array(1);
  for (let row = 0; row < episodes; row++) {
    env.measure?.(row, success, 0);
    expect(success[0]).toBe(1);
  }
});

test('a bit that is turned changes alone, and the last action changes none', () => {
  const env = bitFlip.create({ bits: 3 }, 1);
  const buffers = createBuffers(env.meta, 1);
  const { state } = env.meta;
  env.reset(Uint32Array.of(1), buffers);
  const json = state.toJSON(env.save(0)) as { readonly rng: number[] };
  env.load(0, state.fromJSON({ ...json, bits: [0, 1, 0], wanted: [1, 1, 0], steps: 0 }), buffers);
  const seen = (action: number) => {
    env.step(Int32Array.of(action), buffers);
    return [...buffers.obs, buffers.reward[0]];
  };
  expect(seen(2)).toEqual([0, 1, 1, 1, 1, 0, -1]);
  expect(seen(3)).toEqual([0, 1, 1, 1, 1, 0, -1]);
  env.load(0, state.fromJSON({ ...json, bits: [0, 1, 0], wanted: [1, 1, 0], steps: 0 }), buffers);
  expect(seen(0)).toEqual([1, 1, 0, 1, 1, 0, 0]);
});
