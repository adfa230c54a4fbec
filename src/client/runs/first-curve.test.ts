import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { curves } from '#stores/curves.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { curveAwaited, curveBegins, firstCurve } from './first-curve.ts';

const config = runConfigSchema.parse({ env: { id: 'e' }, algo: { id: 'a' } });
const group = { id: 'r', config, seeds: [{ seed: 7 }] } as unknown as RunGroup;
const points = (n: number, from = 0): void =>
  curves.append('r', 7, ['episodicReturn'], Float64Array.from(Array.from({ length: n }, (_, i) => [from + i, 1]).flat()));

beforeEach(() => {
  vi.useFakeTimers();
  runsStore.setState({ groups: [group], activeId: 'r' });
});
afterEach(() => {
  curves.drop('r');
  vi.advanceTimersByTime(1000); // the page's update clock stands still again
  vi.useRealTimers();
});

test('no curve is awaited where no run was begun by one press', async () => {
  expect(curveAwaited()).toBe(false);
  await firstCurve();
});

test('the curve stands when it has twenty points', async () => {
  curveBegins();
  let stands = false;
  void firstCurve().then(() => {
    stands = true;
  });
  points(19);
  await vi.advanceTimersByTimeAsync(500);
  expect([stands, curveAwaited()]).toEqual([false, true]);
  points(1, 19);
  await vi.advanceTimersByTimeAsync(500);
  expect([stands, curveAwaited()]).toEqual([true, false]);
});

test('a curve that does not come is waited for four seconds', async () => {
  curveBegins();
  await vi.advanceTimersByTimeAsync(3999);
  expect(curveAwaited()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(curveAwaited()).toBe(false);
});

test('the end of an earlier wait does not end that for a later run', async () => {
  curveBegins();
  await vi.advanceTimersByTimeAsync(3000);
  curveBegins();
  await vi.advanceTimersByTimeAsync(1500);
  expect(curveAwaited()).toBe(true);
  await vi.advanceTimersByTimeAsync(2500);
  expect(curveAwaited()).toBe(false);
});
