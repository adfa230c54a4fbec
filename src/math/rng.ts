/**
 * The one generator: Philox 4x32-10 (Salmon et al. 2011), counter-based, so that streams split by purpose, agent and copy
 * never overlap and the whole state is four 32-bit words: key0, key1, and the position (in words) low, high.
 * Integer arithmetic only: the same words in every engine, in Node, in a worker, in WGSL.
 */
const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** High 32 bits of a 32x32-bit product, by 16-bit halves. */
function mulHigh(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const ll = al * bl;
  const mid = ah * bl + (ll >>> 16); // < 2^32: 0xffff^2 + 0xffff fits
  const low = al * bh + (mid & 0xffff); // likewise
  return (ah * bh + (mid >>> 16) + (low >>> 16)) >>> 0;
}

/** One Philox block: counter (c0..c3) under key (k0, k1), four words to out[at..at+3]. */
export function philox(c0: number, c1: number, c2: number, c3: number, k0: number, k1: number, out: Uint32Array, at: number): void {
  for (let round = 0; round < 10; round++) {
    const h0 = mulHigh(M0, c0);
    const l0 = Math.imul(M0, c0);
    const h1 = mulHigh(M1, c2);
    const l1 = Math.imul(M1, c2);
    c0 = (h1 ^ c1 ^ k0) >>> 0;
    c1 = l1 >>> 0;
    c2 = (h0 ^ c3 ^ k1) >>> 0;
    c3 = l0 >>> 0;
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  out[at] = c0;
  out[at + 1] = c1;
  out[at + 2] = c2;
  out[at + 3] = c3;
}

/** 32-bit FNV-1a of a string: names a purpose. */
export function hashName(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    h ^= name.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return h >>> 0;
}

export class Rng {
  /** key0, key1, position low, position high: the whole state. May be a view into a larger array (environment rows). */
  readonly state: Uint32Array;
  private readonly block = new Uint32Array(4);
  /** Index of the cached block (position >> 2), -1: none. */
  private cached = -1;

  constructor(state: Uint32Array) {
    this.state = state;
  }

  /** The stream of a seed. */
  static from(seed: number): Rng {
    return new Rng(Uint32Array.of(seed >>> 0, 0x52_4c_57_42, 0, 0));
  }

  /** Starts this generator's state over as the stream of a seed. */
  reseed(seed: number): void {
    this.state[0] = seed >>> 0;
    this.state[1] = 0x52_4c_57_42;
    this.state[2] = 0;
    this.state[3] = 0;
    this.cached = -1;
  }

  /** After `state` was written from outside (load). */
  refresh(): void {
    this.cached = -1;
  }

  /** An independent stream for a purpose, and optionally an agent or copy. Does not advance this one. */
  split(purpose: string, index = 0): Rng {
    const out = new Uint32Array(4);
    philox(hashName(purpose), index >>> 0, 0x73706c74, 0xffffffff, this.state[0]!, this.state[1]!, out, 0);
    return new Rng(Uint32Array.of(out[0]!, out[1]!, 0, 0));
  }

  /** Leaves out so many words (below 2^32): they were drawn elsewhere. */
  skip(words: number): void {
    const low = this.state[2]! + words;
    this.state[2] = low % 2 ** 32;
    this.state[3] = this.state[3]! + Math.floor(low / 2 ** 32);
    this.cached = -1;
  }

  /** Next 32 bits. */
  next(): number {
    const s = this.state;
    const low = s[2]!;
    const high = s[3]!;
    const index = high * 0x40000000 + (low >>> 2);
    if (index !== this.cached) {
      philox(low >>> 2, high, 0, 0, s[0]!, s[1]!, this.block, 0);
      this.cached = index;
    }
    const word = this.block[low & 3]!;
    const following = (low + 1) >>> 0;
    s[2] = following;
    if (following === 0) s[3] = (high + 1) >>> 0;
    return word;
  }

  /** Uniform in [0, 1), a multiple of 2^-32. */
  uniform(): number {
    return this.next() * 2.3283064365386963e-10;
  }

  /** Uniform integer in 0..n-1, without modulo bias (rejection). n in 1..2^32-1. */
  int(n: number): number {
    const limit = Math.floor(0x100000000 / n) * n; // quotients of such numbers are exact once rounded down, and far quicker than %
    for (;;) {
      const word = this.next();
      if (word < limit) return word - Math.floor(word / n) * n;
    }
  }

  /** Fisher-Yates, in place. */
  shuffle(items: Int32Array | Uint32Array | number[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      const t = items[i]!;
      items[i] = items[j]!;
      items[j] = t;
    }
  }
}
