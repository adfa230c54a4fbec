import { expect, test } from 'vitest';
import { bundleHome } from './bundle.mjs';

test('checkouts that share node_modules by a link keep their builds apart', () => {
  const [a, b] = [bundleHome('cli', '/work/a'), bundleHome('cli', '/work/b')];
  expect(a.slice('/work/a'.length)).not.toBe(b.slice('/work/b'.length));
  expect(bundleHome('cli', '/work/a')).toBe(a);
  expect(bundleHome('bench', '/work/a')).not.toBe(a);
});
