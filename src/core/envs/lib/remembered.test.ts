import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

test('equal configs are made once, until more than the most are held', () => {
  const made: number[] = [];
  const get = remembered(({ n }: { readonly n: number }) => {
    made.push(n);
    return { n };
  }, 2);
  expect(get({ n: 1 })).toBe(get({ n: 1 }));
  get({ n: 2 });
  expect(made).toEqual([1, 2]);
  get({ n: 3 }); // lets 1 and 2 go
  get({ n: 3 });
  get({ n: 1 });
  expect(made).toEqual([1, 2, 3, 1]);
});

test('what is thrown is thrown again, and nothing is held of it', () => {
  let times = 0;
  const get = remembered((n: number): number => {
    if (++times === 1) throw new Error('not yet');
    return n;
  });
  expect(() => get(5)).toThrow('not yet');
  expect(get(5)).toBe(5);
  expect(times).toBe(2);
});
