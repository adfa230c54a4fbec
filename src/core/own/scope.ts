/**
 * What a person's code sees by name: `defineEnv` and the other define functions, a `Math` that gives the same bits in every engine, and nothing that differs from run to
 * run: clock, timers, network and the engine's own random numbers are not there. In Node and in tests this keeps results equal and is no
 * protection; the page runs such code only in a sandbox (docs/reliability.md).
 */
import { fail } from '#contract/kit/errors.ts';
import { DEFINERS, OWN_SCOPE } from '#contract/own/text.ts';
import * as exact from '#math/functions.ts';
import type { Given } from './definition.ts';
import { wrong } from './form.ts';

const SAME_EVERYWHERE = ['abs', 'ceil', 'clz32', 'floor', 'fround', 'imul', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'] as const;
const CONSTANTS = ['E', 'LN10', 'LN2', 'LOG10E', 'LOG2E', 'PI', 'SQRT1_2', 'SQRT2'] as const;

const asin = (x: number): number => exact.atan2(x, Math.sqrt(1 - x * x));
const acos = (x: number): number => exact.atan2(Math.sqrt(1 - x * x), x);
const length = (...numbers: readonly number[]): number => numbers.reduce((sum, x) => exact.hypot(sum, x), 0);

/** In place of `Math`: its functions that IEEE 754 fixes, and the project's own for the others. */
export const exactMath: { readonly [name: string]: unknown } = Object.freeze({
  ...Object.fromEntries([...SAME_EVERYWHERE, ...CONSTANTS].map((name) => [name, Math[name]])),
  sin: exact.sin,
  cos: exact.cos,
  tan: exact.tan,
  asin,
  acos,
  atan: (x: number) => exact.atan2(x, 1),
  atan2: exact.atan2,
  exp: exact.exp,
  expm1: exact.expm1,
  log: exact.log,
  log1p: exact.log1p,
  log2: (x: number) => exact.log(x) / Math.LN2,
  log10: (x: number) => exact.log(x) / Math.LN10,
  pow: exact.pow,
  tanh: exact.tanh,
  sinh: (x: number) => (exact.exp(x) - exact.exp(-x)) / 2,
  cosh: (x: number) => (exact.exp(x) + exact.exp(-x)) / 2,
  cbrt: (x: number) => Math.sign(x) * exact.pow(Math.abs(x), 1 / 3),
  hypot: length,
  random() {
    throw fail(
      'world-invalid',
      'Math.random() is not there: runs could not be repeated.',
      'Use the generator that reset and step are given: random.uniform().',
      'random',
    );
  },
});

/** Values for OWN_SCOPE, and what one of the define functions was called with. */
export function scopeOf(): { readonly values: readonly unknown[]; given(): Given } {
  const calls: Given[] = [];
  const definers = Object.values(DEFINERS).map(
    (kind) =>
      (form: unknown): void =>
        void calls.push({ kind, form }),
  );
  return {
    values: [...definers, exactMath, ...OWN_SCOPE.slice(definers.length + 1).map(() => undefined)],
    given() {
      const [only, more] = calls;
      if (only !== undefined && more === undefined) return only;
      const names = Object.keys(DEFINERS).join(', ');
      throw only === undefined
        ? wrong(
            'defineEnv',
            'The code defines no world, reward, player or method.',
            `Call one of ${names} once: defineEnv({ .. }) makes a world.`,
          )
        : wrong('defineEnv', `The code defines ${calls.length} things.`, `Call one of ${names} once: a file holds one of them.`);
    },
  };
}
