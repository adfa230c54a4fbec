import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCatalog } from '#core/catalog.ts';
import { readLearned } from '../../tools/facts/learned.ts';
import { environmentsPage, kindOf } from './environments.ts';

const idsOf = (page: string) => [...page.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]);

test('the list names every environment there is', () => {
  const { envs } = buildCatalog();
  expect(idsOf(environmentsPage(envs, '.'))).toEqual(envs.map(({ id }) => id));
}, 120_000); // it loads every environment and method

test('what was measured of a recommendation is listed, and what is not learned says why', () => {
  const { envs } = buildCatalog();
  const learned = readLearned('.');
  const section = environmentsPage(envs, '.').split('## What is learned first')[1] ?? '';
  const measured = envs.filter(({ id }) => learned[id] !== undefined).map(({ id }) => id);
  expect([...section.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, id]) => id)).toEqual(measured);
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

const wanted = (): readonly string[] => buildCatalog().envs.flatMap((env) => env.presets.map(({ id }) => `${env.id}-${id}.webp`));

const drawnIn = (folder: string): readonly string[] => readdirSync(folder).filter((file) => file.endsWith('.webp'));

test('every picture is one of a preset, and drawn for both themes (if not: npm run pictures -- --missing)', () => {
  const [drawn, of] = [drawnIn('public/pictures'), new Set(wanted())];
  expect(drawn.length).toBeGreaterThan(400);
  expect(drawn.filter((file) => !of.has(file))).toEqual([]);
  expect(drawnIn('public/pictures/dark')).toEqual(drawn);
});

test('every preset has its picture: they are drawn for many environments at once, by a browser (npm run pictures -- --missing) @night', () => {
  const drawn = new Set(readdirSync('public/pictures'));
  expect(wanted().filter((file) => !drawn.has(file))).toEqual([]);
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
