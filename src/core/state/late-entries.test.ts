import { expect, it } from 'vitest';
import { lateEntries } from './late-entries.ts';

it('loads an entry once, when it is first used', async () => {
  let loads = 0;
  const one = { id: 'one' };
  const { get, load } = lateEntries(
    [
      {
        one: async () => {
          loads++;
          return one;
        },
      },
    ],
    'environment',
    'env.id',
  );
  expect(() => get('one')).toThrow('The environment "one" is not loaded.');
  expect(await load('one')).toBe(one);
  expect(await load('one')).toBe(one);
  expect(get('one')).toBe(one);
  expect(loads).toBe(1);
});

it('tries again where loading failed', async () => {
  let online = false;
  const { load } = lateEntries([{ one: async () => (online ? 1 : Promise.reject(new Error('offline'))) }], 'algorithm', 'algo.id');
  await expect(load('one')).rejects.toThrow('offline');
  online = true;
  expect(await load('one')).toBe(1);
});

it('names the ids there are, sorted, and no inherited name is an entry', async () => {
  const { get, load, loadAll } = lateEntries([{ b: async () => 2 }, { a: async () => 1 }], 'algorithm', 'algo.id');
  await expect(load('toString')).rejects.toMatchObject({ failure: { id: 'unknown-id', fix: 'Use one of: a, b.' } });
  expect(() => get('c')).toThrow('There is no algorithm "c".');
  expect(await loadAll()).toEqual([2, 1]);
});

it('refuses one id in two families', () => {
  const one = { one: async () => 1 };
  expect(() => lateEntries([one, one], 'environment', 'env.id')).toThrow('Two entries have the id "one".');
});
