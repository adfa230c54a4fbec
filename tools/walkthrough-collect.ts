/** Stands in for vitest in the tests of a walk-through page: they are collected here and run by the test of the page. */
export { expect } from 'vitest';

export const collected: { readonly name: string; readonly body: () => void }[] = [];

export function test(name: string, body: () => void): void {
  collected.push({ name, body });
}
