import { expect } from 'vitest';

/**
 * Fails unless both hold the same numbers, told apart as Object.is does. `expect` on arrays of many thousand numbers would take most of the
 * suites' time.
 */
export function expectSame(found: ArrayLike<number>, wanted: ArrayLike<number>, what: string): void {
  let at = 0;
  while (at < wanted.length && Object.is(found[at], wanted[at])) at++;
  if (at < wanted.length || found.length !== wanted.length)
    expect.fail(`${what}: number ${at} of ${found.length} is ${found[at]}, wanted ${wanted[at]} of ${wanted.length}`);
}

/** The same for named arrays, whose names must be the same too. */
export function expectSameArrays(
  found: { readonly [name: string]: ArrayLike<number> },
  wanted: { readonly [name: string]: ArrayLike<number> },
  what: string,
): void {
  expect(Object.keys(found)).toEqual(Object.keys(wanted));
  for (const [name, data] of Object.entries(wanted)) expectSame(found[name] ?? [], data, `${name} ${what}`);
}
