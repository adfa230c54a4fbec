import { expect, it, vi } from 'vitest';
import { stageStore } from '#stores/stage.ts';
import { shownStore } from './shown.ts';

it('follows a still stage at once and a playing one in steps', () => {
  vi.useFakeTimers();
  stageStore.setState({ playing: false, t: 3, returnSoFar: 1 });
  expect(shownStore.getState()).toEqual({ t: 3, total: 1 });
  let changes = 0;
  const stop = shownStore.subscribe(() => changes++);
  stageStore.setState({ playing: true });
  for (let t = 4; t <= 20; t++) {
    stageStore.setState({ t, returnSoFar: t });
    vi.advanceTimersByTime(15);
  }
  expect(changes).toBeGreaterThanOrEqual(2);
  expect(changes).toBeLessThanOrEqual(3);
  stageStore.setState({ playing: false });
  expect(shownStore.getState()).toEqual({ t: 20, total: 20 });
  stop();
  vi.useRealTimers();
});
