import { expect, test } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import { replacementOf } from './replacement.ts';

test('a random stand-in for continuous actions stays inside the box, differs by number and step, and leaves those present alone', async () => {
  const env = getEnv('mpe-simple-spread').create({ continuousActions: true }, 2);
  const { meta } = env;
  const buffers = createBuffers(meta, 2);
  env.reset(Uint32Array.of(1, 2), buffers);
  const space = meta.agents[0]!.action;
  if (space.kind !== 'box') throw new Error('not continuous');
  const replacement = replacementOf({ kind: 'random' }, meta, [0, 1, 2], null);
  const present = Uint8Array.of(1, 0, 1, 0, 0, 1);
  const drawn = async (step: number): Promise<number[]> => {
    const actions = createActions(meta, 2).fill(0.25);
    await replacement.apply(env, buffers, { seed: Uint32Array.of(7, 8), step: Int32Array.of(step, step) }, present, actions);
    return [...actions];
  };
  const first = await drawn(0);
  const D = meta.actionSize;
  first.forEach((value, i) => {
    if (present[Math.floor(i / D)] === 1) expect(value).toBe(0.25);
    else {
      expect(value).toBeGreaterThanOrEqual(space.low[i % D]!);
      expect(value).toBeLessThanOrEqual(space.high[i % D]!);
    }
  });
  expect(new Set(first).size).toBeGreaterThan(3 * D);
  expect(await drawn(0)).toEqual(first);
  expect(await drawn(1)).not.toEqual(first);
});
