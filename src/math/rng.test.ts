import { describe, expect, it } from 'vitest';
import { philox, Rng } from './rng.ts';

const block = (c: readonly number[], k: readonly number[]): number[] => {
  const out = new Uint32Array(4);
  philox(c[0]!, c[1]!, c[2]!, c[3]!, k[0]!, k[1]!, out, 0);
  return [...out];
};

describe('philox', () => {
  it('gives the published known answers of Philox 4x32-10', () => {
    // Random123 distribution, kat_vectors: counter, key -> block.
    expect(block([0, 0, 0, 0], [0, 0])).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
    const f = 0xffffffff;
    expect(block([f, f, f, f], [f, f])).toEqual([0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
    expect(block([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0])).toEqual([
      0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1,
    ]);
  });
});

describe('Rng', () => {
  it('goes on bit for bit from its four saved words, at any position inside a block', () => {
    for (let used = 0; used < 9; used++) {
      const a = Rng.from(7);
      for (let i = 0; i < used; i++) a.next();
      const b = new Rng(a.state.slice());
      for (let i = 0; i < 10; i++) expect(b.next()).toBe(a.next());
    }
  });

  it('carries the position over 2^32 words', () => {
    const a = new Rng(Uint32Array.of(1, 2, 0xfffffffe, 0));
    a.next();
    a.next();
    expect([...a.state]).toEqual([1, 2, 0, 1]);
    // Word 2^32 is the first of block 2^30, which the counter words hold as (0, 1).
    expect(a.next()).toBe(block([0, 1, 0, 0], [1, 2])[0]);
  });

  it('splits into streams that differ from each other and leave the parent alone', () => {
    const a = Rng.from(3);
    const before = [...a.state];
    const firsts = [a.split('act'), a.split('act', 1), a.split('env'), Rng.from(4).split('act')].map((r) => r.next());
    expect([...a.state]).toEqual(before);
    expect(new Set(firsts).size).toBe(4);
    expect(a.split('act').next()).toBe(firsts[0]);
  });

  it('is uniform: chi-square of 100,000 integers below 10 and of the low and high bits', () => {
    const rng = Rng.from(11);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const k = rng.int(10);
      counts[k] = counts[k]! + 1;
    }
    const chi = counts.reduce((s, c) => s + (c - 10_000) ** 2 / 10_000, 0);
    expect(chi).toBeLessThan(27.9); // 99.9 % point with 9 degrees of freedom
    let sum = 0;
    for (let i = 0; i < 100_000; i++) sum += rng.uniform();
    expect(Math.abs(sum / 100_000 - 0.5)).toBeLessThan(0.004); // 4 standard errors
  });

  it('shuffles to a permutation', () => {
    const items = Int32Array.from({ length: 100 }, (_, i) => i);
    Rng.from(5).shuffle(items);
    expect([...items].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect([...items]).not.toEqual(Array.from({ length: 100 }, (_, i) => i));
  });
});
