import { expect, it } from 'vitest';
import { z } from 'zod';
import { cartpole } from '../classic/cartpole.ts';
import { defineEnv } from './define.ts';

it('prepares once, and again after a failure; nothing is made before', async () => {
  let calls = 0;
  const { id, version, title, summary, source, presets } = cartpole;
  const entry = defineEnv({
    spec: { id, version, title, summary, source, presets, config: z.strictObject({}), meta: () => cartpole.meta({}) },
    async prepare() {
      calls++;
      if (calls === 1) throw new Error('offline');
    },
    create: (_, batch) => cartpole.create({}, batch),
  });
  expect(entry.meta({}).agentCount).toBe(1);
  expect(() => entry.create({}, 1)).toThrow('is not loaded yet');
  await expect(entry.prepare?.()).rejects.toThrow('offline');
  await Promise.all([entry.prepare?.(), entry.prepare?.()]);
  await entry.prepare?.();
  expect(calls).toBe(2);
  expect(entry.create({}, 3).batch).toBe(3);
});

it('an environment without a prepare step has none', () => expect(cartpole.prepare).toBeUndefined());
