import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atNextUpdate, setProcessorDraws } from './update-clock.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  setProcessorDraws(false);
  vi.useRealTimers();
});

/** Asks again and again, from two places out of step, for this long; answers the moments at which it was called back. */
function moments(ms: number): number[] {
  const seen: number[] = [];
  for (const offset of [0, 37]) {
    const again = (): void => {
      seen.push(performance.now());
      atNextUpdate(again);
    };
    setTimeout(() => atNextUpdate(again), offset);
  }
  vi.advanceTimersByTime(ms);
  return seen;
}

test('what asks at different times is called at the same moments, ten a second', () => {
  const seen = moments(2000);
  expect(new Set(seen).size).toBeGreaterThanOrEqual(19);
  expect(new Set(seen).size).toBeLessThanOrEqual(20);
  expect(seen.length).toBeGreaterThanOrEqual(2 * new Set(seen).size - 2);
  vi.clearAllTimers();
});

test('four a second where the processor draws', () => {
  setProcessorDraws(true);
  expect(new Set(moments(2000)).size).toBeLessThanOrEqual(8);
  vi.clearAllTimers();
});
