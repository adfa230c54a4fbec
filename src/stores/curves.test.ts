import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { curves, curvesStore } from './curves.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  curves.drop('r');
  vi.runAllTimers();
  vi.useRealTimers();
});

test('rows grow past any capacity, unmeasured values take no place', () => {
  for (let block = 0; block < 10; block++) {
    const rows = new Float64Array(100 * 3);
    for (let i = 0; i < 100; i++) {
      const step = block * 100 + i;
      rows.set([step, step * 2, step % 10 === 0 ? step : Number.NaN], i * 3);
    }
    curves.append('r', 1, ['return', 'eval'], rows);
  }
  const dense = curves.series('r', 1, 'return');
  expect(dense?.steps.length).toBe(1000);
  expect(dense?.values[999]).toBe(1998);
  const rare = curves.series('r', 1, 'eval');
  expect(Array.from(rare?.steps ?? []).slice(0, 3)).toEqual([0, 10, 20]);
  expect(rare?.steps.length).toBe(100);
  expect(curves.metrics('r')).toEqual(['return', 'eval']);
  expect(curves.series('r', 2, 'return')).toBeNull();
});

test('cut forgets what a resumed run does again', () => {
  curves.append('r', 1, ['a'], Float64Array.of(10, 1, 20, 2, 30, 3));
  curves.cut('r', 1, 20);
  curves.append('r', 1, ['a'], Float64Array.of(30, 3.5));
  expect(Array.from(curves.series('r', 1, 'a')?.values ?? [])).toEqual([1, 2, 3.5]);
});

test('the version ticks at once, then at most ten times a second, and always for the last change', () => {
  vi.runAllTimers();
  const start = curvesStore.getState().version;
  for (let ms = 0; ms < 1000; ms += 5) {
    curves.append('r', 1, ['a'], Float64Array.of(ms, 1));
    if (ms === 0) expect(curvesStore.getState().version).toBe(start + 1);
    vi.advanceTimersByTime(5);
  }
  vi.runAllTimers();
  const ticks = curvesStore.getState().version - start;
  expect(ticks).toBeGreaterThanOrEqual(9);
  expect(ticks).toBeLessThanOrEqual(11);
});

test('smoothing stays below one', () => {
  curvesStore.getState().setSmoothing(1);
  expect(curvesStore.getState().smoothing).toBe(0.999);
});

test('what is held is drawn once, when it is let go', () => {
  vi.runAllTimers();
  const start = curvesStore.getState().version;
  const first = curves.hold();
  const second = curves.hold();
  for (let i = 0; i < 20; i++) {
    curves.append('r', 1, ['a'], Float64Array.of(i, 1));
    vi.advanceTimersByTime(100);
  }
  first();
  first();
  expect(curvesStore.getState().version).toBe(start);
  second();
  expect(curvesStore.getState().version).toBe(start + 1);
  curves.append('r', 1, ['a'], Float64Array.of(20, 1));
  vi.runAllTimers();
  expect(curvesStore.getState().version).toBe(start + 2);
});
