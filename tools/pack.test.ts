import { expect, test } from 'vitest';
import type { Json } from '../src/contract/kit/json.ts';
import { unpack } from '../src/contract/kit/packed.ts';
import { pack } from './pack.ts';

const settings = { lr: { type: 'number', minimum: 0, maximum: 1 }, gamma: { type: 'number', minimum: 0, maximum: 1 } };
const value: Json = {
  algos: [
    { id: 'a', settings, notes: null },
    { id: 'b', settings, notes: ['a sentence that stands in both of them', 1, true] },
    { id: 'c', settings: { ...settings, more: settings }, notes: ['a sentence that stands in both of them'] },
  ],
  empty: {},
  list: [],
};

test('packed and unpacked it is the same, also after it was written as text', () => {
  const again = unpack(JSON.parse(JSON.stringify(pack(value))));
  expect(JSON.stringify(again)).toBe(JSON.stringify(value)); // the order of keys too
  for (const small of [null, 1, 'text', [], {}] as const) expect(unpack(pack(small))).toEqual(small);
});

test('what occurs several times is written once', () => {
  const text = JSON.stringify(pack(value));
  for (const key of ['maximum', 'settings', 'notes']) expect(text.split(key)).toHaveLength(2);
  expect(text.split('stands in both')).toHaveLength(2);
  expect(text.length).toBeLessThan(JSON.stringify(value).length);
});
