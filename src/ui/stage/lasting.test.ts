import { beforeEach, expect, test } from 'vitest';
import { removeAllRuns, removeRun, restoreRuns } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { lasting } from './lasting.ts';

const run = (id: string, world: string): RunGroup => ({ id, config: { env: { id: world } } }) as RunGroup;

beforeEach(removeAllRuns);

test('what is chosen in one world is not chosen in another, and a part of it leaves the rest', () => {
  const views = lasting({ view: 'group', prompt: 1 });
  views.change('t-reason', { prompt: 2 });
  views.change('t-reason', { view: 'best' });
  expect(views.of('t-reason')).toEqual({ view: 'best', prompt: 2 });
  expect(views.of('w-stories')).toEqual({ view: 'group', prompt: 1 });
});

test('the last run of a world takes what was chosen there with it; a world without runs, whose policy came as a file, keeps it', () => {
  const views = lasting({ view: 'group' });
  restoreRuns([run('a', 't-reason'), run('b', 't-reason'), run('c', 'w-stories')]);
  for (const world of ['t-reason', 'w-stories', 't-talk']) views.change(world, { view: 'wall' });
  removeRun('a');
  expect(views.of('t-reason').view).toBe('wall');
  removeRun('b');
  expect(['t-reason', 'w-stories', 't-talk'].map((world) => views.of(world).view)).toEqual(['group', 'wall', 'wall']);
});
