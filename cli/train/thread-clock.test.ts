import { expect, test } from 'vitest';
import { threadMs } from './thread-clock.ts';

test('the time of a thread grows while it computes', () => {
  const from = threadMs();
  let x = 1;
  while (threadMs() - from < 20) for (let i = 0; i < 100_000; i++) x = (Math.imul(x, 5) + i) | 0;
  expect(x).not.toBe(0.5);
  expect(threadMs()).toBeGreaterThanOrEqual(from + 20);
});
