import { expect, test } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { playScripted } from '#core/run/replay.ts';
import { Stopping } from './stopping.ts';

test('a short computation is not disturbed; a long one lets messages in and can be stopped, one that begins later goes on', async () => {
  let now = 0;
  let hops = 0;
  const stopping = new Stopping(
    () => now,
    async () => void hops++,
  );
  const first = stopping.begin();
  expect(first()).toBe(false);
  now = 300;
  expect(await first()).toBe(false);
  expect(hops).toBe(1);
  expect(first()).toBe(false); // within the slice
  stopping.stop();
  const second = stopping.begin();
  now = 1000;
  expect(await first()).toBe(true);
  expect(await second()).toBe(false);
});

test('two computations at once both go on', async () => {
  let now = 0;
  const stopping = new Stopping(() => now);
  const both = [stopping.begin(), stopping.begin()];
  now = 1000;
  expect(await Promise.all(both.map((ask) => ask()))).toEqual([false, false]);
});

test('an episode that is stopped is a replay of what was played', async () => {
  let steps = 0;
  const whole = await playScripted('expert', getEnv('cartpole'), { maxSteps: 50 }, 3);
  const part = await playScripted('expert', getEnv('cartpole'), { maxSteps: 50 }, 3, async () => ++steps === 20);
  expect(whole.ended).toBe('truncated');
  expect(part.ended).toBe('cut');
  expect(part.reward).toEqual(whole.reward.slice(0, 20));
});
