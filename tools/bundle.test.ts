import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundle, bundleHome } from './bundle.mjs';

test('checkouts that share node_modules by a link keep their builds apart', () => {
  const [a, b] = [bundleHome('cli', '/work/a'), bundleHome('cli', '/work/b')];
  expect(a.slice('/work/a'.length)).not.toBe(b.slice('/work/b'.length));
  expect(bundleHome('cli', '/work/a')).toBe(a);
  expect(bundleHome('bench', '/work/a')).not.toBe(a);
});

/** A built file and all that it imports at its start. */
function withImports(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, path] of text.matchAll(/^(?:import|export)\b[^;'"]*["'](\.[^"']+)["']/gm)) withImports(join(dirname(file), path!), found);
  return found;
}

test('the thread that trains a seed loads no other world or method: every run would wait half a second for them', {
  timeout: 60_000,
}, async () => {
  const folder = await bundle('cli');
  const texts = [...withImports(join(folder, 'seed.mjs')).values()];
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.some((text) => text.includes('async function loadRun('))).toBe(true);
  expect(texts.filter((text) => /await load(Envs|Algos|All)\(\)/.test(text))).toEqual([]);
});
