import { afterEach, expect, test, vi } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { meantForPause } from './ended.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } });
const seed = (state: SeedRun['state']): SeedRun => ({
  ...{ seed: 1, state, step: 1000, seconds: 2, stepsPerSecond: 500, checkpointStep: -1, result: null, failure: null, marks: [] },
});
const group = (state: SeedRun['state']): RunGroup => ({
  ...{ id: 'a', name: 'a', config, seeds: [seed(state)], hash: 'h', colour: 0, dash: 0, createdAt: 0, visible: true, note: '' },
  ...{ parent: null, executorReason: '' },
});

afterEach(() => {
  vi.useRealTimers();
});

test('a press as the run ends under it is still one on Pause; one made later is one on Train', () => {
  vi.useFakeTimers();
  runsStore.setState({ groups: [group('running')], activeId: 'a' });
  expect(meantForPause()).toBe(false);
  runsStore.setState({ groups: [group('done')] });
  vi.advanceTimersByTime(250);
  expect(meantForPause()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(meantForPause()).toBe(false);
});

test('after Stop, and when another run becomes the active one, the place is Train at once', () => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(10_000);
  runsStore.setState({ groups: [group('running')], activeId: 'a' });
  runsStore.setState({ groups: [group('stopped')] });
  expect(meantForPause()).toBe(false);
  runsStore.setState({ groups: [group('running'), { ...group('done'), id: 'b' }], activeId: 'a' });
  runsStore.setState({ activeId: 'b' });
  expect(meantForPause()).toBe(false);
});
