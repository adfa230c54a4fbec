import { expect, it } from 'vitest';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { cued } from '#core/testing/probes.ts';
import { SequenceMemory } from './sequences.ts';

it('stretches overlap, begin with what was remembered, and go on through ends', () => {
  const memory = new SequenceMemory({ capacity: 3, rows: 1, steps: 4, every: 3, obsSize: 1, maskSize: 0, stateSize: 1 });
  const buffers = createBuffers(cued.meta({}), 1);
  const kept: number[] = [];
  for (let t = 0; t < 14; t++) {
    buffers.obs[0] = t;
    const starts = Uint8Array.of(t % 5 === 0 ? 1 : 0);
    memory.before(buffers, Float32Array.of(100 + t), starts);
    buffers.reward[0] = t / 10;
    buffers.terminated[0] = t % 5 === 4 ? 1 : 0;
    buffers.obs[0] = t + 1;
    const next = Uint8Array.of((t + 1) % 5 === 0 ? 1 : 0);
    memory.after(buffers, Int32Array.of(t), Float32Array.of(101 + t), next, (id) => kept.push(id));
  }
  expect(kept).toEqual([0, 1, 2, 3]);
  const { obs, action, state, starts, ended, reward } = memory.stretches;
  // the fourth took the place of the first: steps 9 to 12
  expect(Array.from(obs.subarray(0, 5))).toEqual([9, 10, 11, 12, 13]);
  expect(Array.from(action.subarray(0, 4))).toEqual([9, 10, 11, 12]);
  expect(Array.from(state)).toEqual([109, 103, 106]);
  expect(Array.from(starts.subarray(0, 5))).toEqual([0, 1, 0, 0, 0]);
  expect(Array.from(ended.subarray(0, 4))).toEqual([1, 0, 0, 0]);
  expect(reward[4]).toBeCloseTo(0.3);
  expect(memory.size).toBe(3);
});
