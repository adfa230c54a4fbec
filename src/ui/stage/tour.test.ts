import { afterEach, expect, test } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { endTour, startTour, tourStore } from './tour.ts';

const config = runConfigSchema.parse({ env: { id: 'cartpole' }, algo: { id: 'ppo' }, run: { steps: 1000 } });

function run(createdAt: number): RunGroup {
  const rest = { hash: 'h', colour: 0, dash: 0, visible: true, note: '', parent: null, executorReason: '' };
  return { id: 'one', name: 'one', config, seeds: [], createdAt, ...rest };
}

afterEach(() => {
  endTour();
  runsStore.setState({ groups: [], activeId: null });
});

test('a run of an earlier visit that was opened before the tour would start shows that this is no first visit', () => {
  runsStore.setState({ groups: [run(performance.timeOrigin - 60_000)], activeId: 'one' });
  startTour(true);
  expect(tourStore.getState().step).toBeNull();
  startTour(); // asked for in the help
  expect(tourStore.getState().step).toBe('train');
});

test('a world that was pressed on the front page trains already: the tour is at its second step or past it', () => {
  runsStore.setState({ groups: [run(performance.timeOrigin + 100)], activeId: 'one' });
  startTour(true);
  expect(tourStore.getState().step).not.toBe('train');
});

test('a run of another world, such as a paper’s, is no step of the tour', () => {
  const other = runConfigSchema.parse({ env: { id: 'acrobot' }, algo: { id: 'ppo' }, run: { steps: 1000 } });
  runsStore.setState({ groups: [{ ...run(performance.timeOrigin + 100), config: other }], activeId: 'one' });
  startTour(true);
  expect(tourStore.getState().step).toBe('train');
});
