/** Class names of components exist in their stylesheets: an element with any other name has no style, and no other check reports it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Names that a component takes of a stylesheet which has no such class. */
function missing(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8');
  return [...code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(([, name = '', from = '']) => {
    const sheet = from.startsWith('#') ? from.replace('#', 'src/') : join(dirname(file), from);
    const classes = new Set([...readFileSync(sheet, 'utf8').matchAll(/\.([A-Za-z_]\w*)/g)].map(([, one]) => one));
    const taken = [...code.matchAll(new RegExp(`(?<![\\w/])${name}\\.([A-Za-z_]\\w*)`, 'g'))].flatMap(([, one]) => one ?? []);
    return [...new Set(taken)].filter((one) => !classes.has(one)).map((one) => `${file}: ${name}.${one}`);
  });
}

test('every class that a component names is in its stylesheet', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.tsx') ? [join('src', file)] : [],
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(missing)).toEqual([]);
});
