// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machineStore } from '#stores/machine.ts';
import { serverAnswers } from './machine.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (reply: () => Promise<Response>) => vi.stubGlobal('fetch', reply);
const online = (): boolean => machineStore.getState().online;

test('a server that cannot be reached is offline, whatever the browser says; it is asked again until it answers', async () => {
  const reply = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  answer(reply);
  expect(await serverAnswers()).toBe(false);
  expect(online()).toBe(false);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(reply).toHaveBeenCalledTimes(2);
  answer(async () => new Response('ok\n'));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(online()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('a network that answers every address with its own page is offline', async () => {
  answer(async () => new Response('<h1>Please log in</h1>'));
  expect(await serverAnswers()).toBe(false);
  answer(async () => new Response('ok', { status: 503 }));
  expect(await serverAnswers()).toBe(false);
});
