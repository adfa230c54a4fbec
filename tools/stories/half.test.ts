import { expect, it } from 'vitest';
import { fromHalf } from '#core/nets/half.ts';
import { toHalf } from './half.ts';

const all = Array.from({ length: 0x7c00 }, (_, bits) => bits);

it('reads every number of 16 bits back as the same bits, either sign', () => {
  expect(all.filter((bits) => toHalf(fromHalf(bits)) !== bits)).toEqual([]);
  expect(all.filter((bits) => toHalf(fromHalf(bits | 0x8000)) !== (bits | 0x8000))).toEqual([]);
});

it('grows with the bits, and has the numbers that the standard names', () => {
  expect(all.slice(1).filter((bits) => fromHalf(bits) <= fromHalf(bits - 1))).toEqual([]);
  expect([0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400].map(fromHalf)).toEqual([1, -2, 65_504, 2 ** -24, 2 ** -14]);
});

it('takes the nearer of two neighbours, and of two as near the even one', () => {
  for (const bits of all.slice(0, -1).filter((_, i) => i % 7 === 0)) {
    const [low, high] = [fromHalf(bits), fromHalf(bits + 1)];
    expect(toHalf(low + 0.4 * (high - low))).toBe(bits);
    expect(toHalf(low + 0.6 * (high - low))).toBe(bits + 1);
    expect(toHalf((low + high) / 2)).toBe(bits % 2 === 0 ? bits : bits + 1);
  }
  expect(toHalf(1e6)).toBe(0x7c00);
  expect(fromHalf(toHalf(Number.NaN))).toBeNaN();
});
