import { expect, test } from 'vitest';
import { late } from './late.ts';

test('loaded once however often it is asked for, and again after a failure', async () => {
  let loads = 0;
  const part = late(async () => {
    loads++;
    if (loads === 1) throw new Error('offline');
    return { loads };
  });
  await expect(part()).rejects.toThrow('offline');
  const [first, second] = await Promise.all([part(), part()]);
  expect(first).toBe(second);
  expect(first).toEqual({ loads: 2 });
});
