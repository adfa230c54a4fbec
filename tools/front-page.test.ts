/** What README and CONTRIBUTING say about the code is so: symbols stand in the files named, links and commands lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };

const places = [...contributing.matchAll(/\[`(\w+)`\]\((src\/[^)]+)\)/g)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);

test('CONTRIBUTING says where things are: two links from README', () => {
  expect(places.map(([symbol]) => symbol)).toEqual(
    expect.arrayContaining(['mixMonotone', 'clippedSurrogate', 'intrinsicReward', 'decodeLink', 'decide', 'buildPart']),
  );
  expect(readme).toContain('](CONTRIBUTING.md)');
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

test('every link of the documents and notes leads to a file', () => {
  const files = ['docs', 'docs/adr', 'bench/notes'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(40);
  const broken = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8')
        .replaceAll(/^```[\s\S]*?^```/gm, '')
        .matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
    ].flatMap(([, link = '']) => (existsSync(join(dirname(file), link)) ? [] : [`${file}: ${link}`])),
  );
  expect(broken).toEqual([]);
});

/** What a benchmark measured. */
const results = <T>(name: string): T => JSON.parse(readFileSync(`bench/results/${name}.json`, 'utf8')).results as T;
interface Shape {
  readonly name: string;
  readonly rows: number;
  readonly train: Readonly<Record<string, { readonly us: number }>>;
}

test('README is a page of 350 words, and its figures are those of bench/results', () => {
  expect(readme.split(/\s+/).length).toBeLessThan(375);
  const training = results<{ readonly results: Readonly<Record<string, { readonly stepsPerSecond: number }>> }>('ppo').results;
  const ppo = training['ppo cartpole, chromium worker']!.stepsPerSecond;
  const { shapes } = results<{ readonly shapes: readonly Shape[] }>('engine');
  const step = (name: string, rows: number, library: string): number =>
    (shapes.find((shape) => shape.name === name && shape.rows === rows)?.train[library]?.us ?? Number.NaN) / 1000;
  const dense = (library: string): number => step('mlp 4-64-64-2', 256, library);
  const image = (library: string): number => step('conv 10x10x4', 32, library);
  const { sizes } = results<{ readonly sizes: readonly { readonly numbers: number; readonly perSecond: number; readonly shap: number }[] }>(
    'explain',
  );
  const values = sizes.find(({ numbers }) => numbers === 18)!;
  const bodies = results<{ readonly results: Readonly<Record<string, { readonly stepsPerSecond: number; readonly bare: number }>> }>(
    'mujoco',
  );
  const ant = bodies.results['raw mujoco-ant, chromium worker']!;
  const thousands = (n: number): string => n.toLocaleString('en');
  for (const cells of [
    `${Math.round(ppo / 1000)},000 steps/s`,
    `${dense('wasm').toFixed(2)} ms | jax-js ${dense('jax-js wasm').toFixed(1)}, tfjs ${dense('tfjs wasm').toFixed(1)} |`,
    `${image('wasm').toFixed(1)} ms | tfjs ${image('tfjs-wasm executor').toFixed(0)} |`,
    `${thousands(Math.round(values.perSecond / 100) * 100)}/s | shap: ${values.shap} |`,
    `${thousands(ant.stepsPerSecond)} steps/s | bare \`mj_step\`: ${thousands(ant.bare)} |`,
  ])
    expect(readme).toContain(cells);
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
