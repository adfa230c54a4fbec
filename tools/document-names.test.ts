/** Commands, options and scripts that README and docs/ name exist. What the commands do is tried in document-commands.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Command } from '#cli/kit/context.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Options of other commands that a section speaks of. */
const OF_OTHERS: { readonly [section: string]: readonly string[] } = { transfer: ['config'], claims: ['set'] };

/** Options of `npm run rl -- COMMAND` by command, as its help lists them. */
async function optionsByCommand(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const modules = import.meta.glob<{ readonly [name: string]: unknown }>('../cli/commands/*.ts');
  const loaded = await Promise.all(Object.values(modules).map((load) => load()));
  const commands = loaded.flatMap((module) =>
    Object.values(module).filter(
      (value): value is Command => typeof value === 'object' && value !== null && 'usage' in value && 'help' in value,
    ),
  );
  return new Map(
    commands.map(({ usage, help }) => [
      /^[a-z]+/.exec(usage)?.[0] ?? '',
      new Set([...`${usage} ${help}`.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name)),
    ]),
  );
}

let known: ReadonlyMap<string, ReadonlySet<string>> = new Map();
beforeAll(async () => {
  known = await optionsByCommand();
}, 120_000); // the commands bring every environment and method

/** Pieces of a page that are typed: lines of code blocks without a language, and spans. */
function typed(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans];
}

test('every option of a command in the documents is one of that command', () => {
  expect(known.size).toBeGreaterThan(20);
  const wrong: string[] = [];
  let tried = 0;
  for (const page of PAGES) {
    for (const line of typed(readFileSync(page, 'utf8'))) {
      const [, command = ''] = /^(?:npm run rl -- )?([a-z]+)(?= |$)/.exec(line.trim()) ?? [];
      const options = known.get(command);
      if (options === undefined) {
        if (line.trim().startsWith('npm run rl -- ') && !/^npm run rl -- (COMMAND|$)/.test(line.trim())) wrong.push(`${page}: ${line}`);
        continue;
      }
      for (const [, name = ''] of line.matchAll(/(?<= |\[|\()--([a-z][a-z-]*)(?![a-z.-])/g)) {
        tried++;
        if (!options.has(name)) wrong.push(`${page}: ${command} --${name}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

test('a section of docs/cli.md names only options of its commands', () => {
  const wrong: string[] = [];
  for (const section of readFileSync('docs/cli.md', 'utf8').split(/^## /m).slice(1)) {
    const [title = ''] = section.split('\n');
    const names = title.split(', ').map((name) => name.trim());
    for (const name of names) if (!known.has(name)) wrong.push(`"${name}" is no command`);
    const own = [...names.flatMap((name) => [...(known.get(name) ?? [])]), ...(OF_OTHERS[title] ?? [])];
    for (const span of typed(section)) {
      const [, name = ''] = /^--([a-z][a-z-]*)/.exec(span) ?? [];
      if (name !== '' && !own.includes(name)) wrong.push(`${title}: --${name}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('scripts of npm that the documents name exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
  const wrong: string[] = [];
  for (const page of PAGES) {
    for (const line of typed(readFileSync(page, 'utf8'))) {
      const [, name] = /^npm run ([a-z][a-z:]*)/.exec(line) ?? [];
      if (name !== undefined && !Object.hasOwn(scripts, name)) wrong.push(`${page}: ${line}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('every command has its section in docs/cli.md', () => {
  const sections = [...readFileSync('docs/cli.md', 'utf8').matchAll(/^## (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
  expect([...known.keys()].filter((name) => !sections.includes(name))).toEqual([]);
});
