import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { environmentsPage, kindOf } from './environments-page.ts';
import { readLearned } from './learned.ts';

const idsOf = (page: string) => [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);

test('docs/environments.md names every environment there is (if not: npm run docs:environments)', () => {
  const { envs } = buildCatalog();
  const written = readFileSync('docs/environments.md', 'utf8');
  expect(idsOf(written)).toEqual(envs.map(({ id }) => id));
  const fresh = environmentsPage(envs, '.');
  // All but what is measured anew with every benchmark is the same text.
  const stable = (page: string) =>
    page
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split(' | ')
          .filter((_, i) => i < 5 || i > 7)
          .join(' | '),
      );
  expect(stable(written)).toEqual(stable(fresh));
});

test('what is learned stands in the page as it was measured, and what is not says why (if not: npm run docs:environments)', () => {
  const { envs } = buildCatalog();
  const learned = readLearned('.');
  const section = (page: string) => page.slice(page.indexOf('## What is learned first'));
  expect(section(readFileSync('docs/environments.md', 'utf8'))).toBe(section(environmentsPage(envs, '.')));
  expect(Object.keys(learned).length).toBeGreaterThan(0);
  const says = (learnNote: string | undefined) => learnNote?.startsWith('Not learned by anything here yet: ') ?? false;
  // an offer that was changed since it was measured must only say something
  const known = envs.flatMap(({ id, learnNote, recommended }) => {
    const found = learned[id];
    if (found?.fraction == null) return [];
    const [below, same] = [found.fraction < 0.25, found.offered === recommended.steps];
    return [{ id, below, says: same ? says(learnNote) : below && learnNote !== undefined }];
  });
  expect(known.filter((one) => one.below !== one.says).map(({ id }) => id)).toEqual([]);
});

test('every preset has its picture (if not: npm run pictures ENV/PRESET)', () => {
  const { pictures } = JSON.parse(readFileSync('public/pictures/index.json', 'utf8')) as {
    readonly pictures: readonly { readonly env: string; readonly preset: string; readonly file: string }[];
  };
  const drawn = pictures.map(({ env, preset }) => `${env}/${preset}`);
  const presets = buildCatalog().envs.flatMap((env) => env.presets.map(({ id }) => `${env.id}/${id}`));
  expect(drawn.sort()).toEqual(presets.sort());
  expect(readdirSync('public/pictures').sort()).toEqual(['index.json', ...pictures.map(({ file }) => file)].sort());
});

test('a row has the figures of its environment', () => {
  const { envs } = buildCatalog();
  const line = environmentsPage(envs, '.')
    .split('\n')
    .find((text) => text.startsWith('| `frozen-lake`'));
  const cells = line?.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
  expect(cells).toHaveLength(12);
  expect(cells?.[4]).toBe('7');
  expect(cells?.slice(5, 8).every((cell) => Number(cell) > 0)).toBe(true);
  expect(cells?.[9]).toBe('0.7442 (optimal)');
  expect(cells?.[11]).toBe('optimal');
});

test('references are distinguished by their names', () => {
  const kind = (name: string) => kindOf({ name, value: 0, source: '' });
  expect(['random', 'without looking', 'published PPO', 'solved', 'optimal', 'scripted pair'].map(kind)).toEqual([
    'random',
    'weak',
    'published',
    'published',
    'expert',
    'expert',
  ]);
});
