/** Stands in for vitest in the tests of a walk-through page: they are collected here and run by the test of the page. */
/** @public by the code of the page */
export { expect } from 'vitest';

export const collected: { readonly name: string; readonly body: () => void }[] = [];

/** @public by the code of the page */
export function test(name: string, body: () => void): void {
  collected.push({ name, body });
}
