/**
 * The lock must work on every platform: each optional (platform) package that a package names has to resolve to an entry of the lock,
 * by Node's lookup (nearest node_modules upwards). A missing one breaks `npm ci` on other machines only.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Locked>> };

function resolves(from: string, name: string): boolean {
  for (let at = from; ; ) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`]) return true;
    if (at === '') return false;
    const parent = at.lastIndexOf('/node_modules/');
    at = parent < 0 ? '' : at.slice(0, parent);
  }
}

test('every optional dependency of every package is in the lock', () => {
  const all = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).map((name) => ({ path, name })),
  );
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter(({ path, name }) => !resolves(path, name))).toEqual([]);
});
