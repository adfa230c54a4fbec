import { expect, test } from 'vitest';
import { taskNames } from './task-names.ts';

const env = (id: string, config: Record<string, number> = {}, version = 1) => ({ id, version, config });
const title = (id: string): string => id.toUpperCase();

test('an environment is called by its title; in several forms by what differs, whatever their order', () => {
  const list = [
    env('catch', { rows: 10, balls: 1 }),
    env('catch', { rows: 20, balls: 1 }),
    env('catch', { rows: 20, balls: 1 }),
    env('cliff'),
  ];
  for (const envs of [list, list.toReversed()]) {
    const nameOf = taskNames(envs, title);
    expect(list.map(nameOf)).toEqual(['CATCH (rows 10)', 'CATCH (rows 20)', 'CATCH (rows 20)', 'CLIFF']);
  }
  expect([env('a'), env('a', {}, 2)].map(taskNames([env('a'), env('a', {}, 2)], title))).toEqual(['A (version 1)', 'A (version 2)']);
});
