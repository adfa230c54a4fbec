import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rest } from './rest.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('it ends after the time without a question, and not while an answer is worked out', async () => {
  const end = vi.fn();
  const rest = new Rest(1000, end);
  let answer = (): void => {};
  const asked = rest.during(() => new Promise<void>((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(end).not.toHaveBeenCalled();
  answer();
  await asked;
  await vi.advanceTimersByTimeAsync(999);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(end).toHaveBeenCalledOnce();
});

test('a question that fails counts as one, and what was stopped never ends', async () => {
  const end = vi.fn();
  const rest = new Rest(1000, end);
  await vi.advanceTimersByTimeAsync(900);
  await expect(rest.during(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  await vi.advanceTimersByTimeAsync(900);
  rest.stop();
  await vi.advanceTimersByTimeAsync(9000);
  expect(end).not.toHaveBeenCalled();
});
