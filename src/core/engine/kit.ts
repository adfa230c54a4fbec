/**
 * A small language for what runs once per thread: dynamics of environments, draws, advantages, shuffling. A rule is written once as a
 * generic function over a kit; the kit decides what it means. `numbersKit` computes at once, in float64 and 32-bit words; the executor
 * `webgpu` has a kit that writes WGSL (webgpu/wgsl-kit.ts). The trial that led to it: docs/adr/0014-rollouts-on-the-device.md.
 *
 *   function fall<F, W, B>(k: Kit<F, W, B>, thread: W): void {
 *     const v = k.sub(k.float('speed', thread), k.mul(9.8, dt));
 *     k.setFloat('speed', thread, v);
 *   }
 *
 * F floats, W words (unsigned 32 bits, arithmetic modulo 2^32), B truth. What is made inside a block (when, loop, whilst) is not known
 * outside it: results leave through variables or memory. Memory is named arrays; reading outside of them is an error that is not reported.
 */
import { cos, exp, log, sin } from '#math/functions.ts';
import { philox } from '#math/rng.ts';

export interface Variable<In, Out> {
  get(): Out;
  set(value: In): void;
}

export interface Kit<F, W, B> {
  add(a: F | number, b: F | number): F;
  sub(a: F | number, b: F | number): F;
  mul(a: F | number, b: F | number): F;
  div(a: F | number, b: F | number): F;
  max(a: F | number, b: F | number): F;
  /** Of arguments >= 0. */
  sqrt(a: F): F;
  /** Polynomials of our own on a device too; good to 1e-7 for |a| < 1e4. */
  sin(a: F): F;
  cos(a: F): F;
  exp(a: F): F;
  /** Of normal numbers above 0. */
  log(a: F): F;
  below(a: F | number, b: F | number): B;
  atMost(a: F | number, b: F | number): B;
  pick(condition: B, yes: F | number, no: F | number): F;

  plus(a: W | number, b: W | number): W;
  minus(a: W | number, b: W | number): W;
  times(a: W | number, b: W | number): W;
  /** Rounded down; b is not 0. */
  over(a: W | number, b: W | number): W;
  rest(a: W | number, b: W | number): W;
  and(a: W | number, b: W | number): W;
  or(a: W | number, b: W | number): W;
  xor(a: W | number, b: W | number): W;
  /** Shifts by less than 32. */
  left(a: W | number, by: number): W;
  right(a: W | number, by: number): W;
  same(a: W | number, b: W | number): B;
  less(a: W | number, b: W | number): B;
  choose(condition: B, yes: W | number, no: W | number): W;

  not(a: B): B;
  both(a: B, b: B): B;
  either(a: B, b: B): B;
  toFloat(a: W): F;
  /** Of a number from 0 to 2^32, rounded down. */
  toWord(a: F): W;
  /** Word number (low, high) of the stream of a key: the very integers of math/rng.ts. */
  random(key0: W, key1: W, low: W, high: W): W;

  float(memory: string, at: W | number): F;
  setFloat(memory: string, at: W | number, value: F | number): void;
  word(memory: string, at: W | number): W;
  setWord(memory: string, at: W | number, value: W | number): void;
  floatVariable(start: F | number): Variable<F | number, F>;
  wordVariable(start: W | number): Variable<W | number, W>;

  when(condition: B, yes: () => void, no?: () => void): void;
  loop(count: W | number, body: (i: W) => void): void;
  /** Repeats while the condition holds; it is computed anew each time. */
  whilst(condition: () => B, body: () => void): void;
}

/** A rule for every thread. */
export type KernelBody = <F, W, B>(k: Kit<F, W, B>, thread: W) => void;

/** Arrays by name; words are unsigned integers, whatever array keeps them. */
export interface Memories {
  readonly [name: string]: Float32Array | Float64Array | Uint32Array;
}

/** Computes at once. Throws Error for a memory that is not there. @internal Tests compare rollouts on other executors with it. */
export function numbersKit(memories: Memories): Kit<number, number, boolean> {
  const find = (name: string): Float32Array | Float64Array | Uint32Array => {
    const memory = memories[name];
    if (memory === undefined) throw new Error(`kit: there is no memory "${name}"`);
    return memory;
  };
  const block = new Uint32Array(4);
  const variable = (start: number): Variable<number, number> => {
    let now = start;
    return {
      get: () => now,
      set: (value) => {
        now = value;
      },
    };
  };
  const read = (name: string, at: number): number => find(name)[at]!;
  const write = (name: string, at: number, value: number): void => {
    find(name)[at] = value;
  };
  return {
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    max: (a, b) => (a > b ? a : b),
    sqrt: (a) => Math.sqrt(a),
    sin,
    cos,
    exp,
    log,
    below: (a, b) => a < b,
    atMost: (a, b) => a <= b,
    pick: (condition, yes, no) => (condition ? yes : no),
    plus: (a, b) => (a + b) >>> 0,
    minus: (a, b) => (a - b) >>> 0,
    times: (a, b) => Math.imul(a, b) >>> 0,
    over: (a, b) => Math.floor(a / b),
    rest: (a, b) => a % b,
    and: (a, b) => (a & b) >>> 0,
    or: (a, b) => (a | b) >>> 0,
    xor: (a, b) => (a ^ b) >>> 0,
    left: (a, by) => (a << by) >>> 0,
    right: (a, by) => a >>> by,
    same: (a, b) => a === b,
    less: (a, b) => a < b,
    choose: (condition, yes, no) => (condition ? yes : no),
    not: (a) => !a,
    both: (a, b) => a && b,
    either: (a, b) => a || b,
    toFloat: (a) => a,
    toWord: (a) => Math.floor(a),
    random(key0, key1, low, high) {
      philox(low >>> 2, high, 0, 0, key0, key1, block, 0);
      return block[low & 3]!;
    },
    float: read,
    setFloat: write,
    word: read,
    setWord: write,
    floatVariable: variable,
    wordVariable: variable,
    when(condition, yes, no) {
      if (condition) yes();
      else no?.();
    },
    loop(count, body) {
      for (let i = 0; i < count; i++) body(i);
    },
    whilst(condition, body) {
      while (condition()) body();
    },
  };
}
