/** What README and CONTRIBUTING say about the code is so: symbols stand in the files named, links and commands lead somewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

const places = [...readme.matchAll(/\[`(\w+)`\]\((src\/[^)]+)\)/g)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);

test('the front page says where things are', () => {
  expect(places.map(([symbol]) => symbol)).toEqual(
    expect.arrayContaining(['mixMonotone', 'clippedSurrogate', 'toggle', 'permutationScheme']),
  );
});

test.each(places)('%s is defined in %s', (symbol, file) => {
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`(function|const) ${symbol}\\b`));
});

test.each([
  ['README.md', readme],
  ['CONTRIBUTING.md', contributing],
  ['CHANGELOG.md', readFileSync('CHANGELOG.md', 'utf8')],
])('%s: every link of the repository leads to a file, every command is one', (_, text) => {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('package, citation, Python package and changelog are of one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const first = (file: string, pattern: RegExp): string | undefined => pattern.exec(readFileSync(file, 'utf8'))?.[1];
  expect(first('CITATION.cff', /^version: (.+)$/m)).toBe(version);
  expect(first('python/pyproject.toml', /^version = "(.+)"$/m)).toBe(version);
  expect(first('CHANGELOG.md', /^## (\S+)/m)).toBe(version);
  const day = first('CITATION.cff', /^date-released: (.+)$/m) ?? '';
  const words = new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  expect(first('CHANGELOG.md', /^## \S+ \((.+)\)/m)).toBe(words);
});
