import { expect, test } from 'vitest';
import { freeName, isFreeName } from './run-names.ts';

test('a name that is taken gets a number, and is still known as given by the page', () => {
  const base = 'PPO on CartPole';
  expect(freeName(base, [])).toBe(base);
  expect(freeName(base, [base, `${base} 2`, `${base} 4`])).toBe(`${base} 3`);
  for (const name of [base, `${base} 3`]) expect(isFreeName(name, base)).toBe(true);
  for (const name of [`${base} x`, `${base}3`, 'mine']) expect(isFreeName(name, base)).toBe(false);
});
