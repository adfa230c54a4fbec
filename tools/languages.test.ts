import { beforeAll, expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import { DOORS, PAGES } from '#stores/pages.ts';
import { LANGUAGES, languageOf } from '#text/languages.ts';
import { type Catalogue, show, t, tn } from '#text/text.ts';
import { familiesOf } from '#ui/catalogue/environments/finding.ts';
import { EXPLORING, GREEDY_TEST } from '#ui/kit/format/returns.ts';
import { catalog } from '../cli/catalog.ts';
import { textsIn, textsOfPage } from './texts.mjs';

/** The first world of a first visit, and those of its settings that stand beside the scene. */
const FIRST_WORLD = 'cartpole';
const FIRST_EXPERIMENT = 'Balance a pole';
const FIRST_SETTINGS = ['gravity', 'cartMass', 'poleMass'];

let texts: readonly string[] = [];
beforeAll(() => {
  const { envs } = catalog();
  const first = envs.find(({ id }) => id === FIRST_WORLD)!;
  const settings = FIRST_SETTINGS.map((name) => first.schema.properties?.[name] ?? {});
  texts = [
    ...textsOfPage(),
    // What stands in data and is translated where it is shown.
    ...DOORS.map(({ title }) => title),
    ...Object.values(PAGES).map(({ title }) => title),
    ...['Share', 'Help', 'Open a file', 'Storage', 'Print this run'],
    ...[GREEDY_TEST, EXPLORING, 'steps', 'updates', 'episodes', 's'],
    ...[...familiesOf(envs).flatMap(({ title, sign }) => [title, sign.title, sign.summary]), first.title, first.summary],
    ...settings.flatMap(({ title = '', description = '', group = '' }) => [title, description, group]),
    FIRST_EXPERIMENT,
    ...lessons.flatMap(({ title, goal }) => [title, goal]),
  ];
}, 120_000);

const others = LANGUAGES.filter(({ load }) => load !== null);
const catalogueOf = async (id: string): Promise<Catalogue> => (await LANGUAGES.find((language) => language.id === id)!.load!()).default;
const placeholders = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
/** Digits of a text; marks between them differ by language. */
const numbers = (text: string): readonly string[] =>
  [...text.matchAll(/\d+(?:[.,\u00a0\u202f]\d+)*/g)].map(([n]) => n.replace(/\D/g, '')).sort();

test('the texts of the page are found', () => {
  expect(textsIn("t('It\\'s {n}', { n }); msg(\n 'two'); tn('{n} game', '{n} games', n); at('no'); x.t('no')")).toEqual([
    "It's {n}",
    'two',
    '{n} games',
  ]);
  expect(texts.length).toBeGreaterThan(300);
});

test.each(others)('$id: no text is missing, none is left over', async ({ id }) => {
  const catalogue = await catalogueOf(id);
  expect(texts.filter((text) => !(text in catalogue))).toEqual([]);
  expect(Object.keys(catalogue).filter((text) => !texts.includes(text))).toEqual([]);
});

test.each(others)('$id: the same placeholders, numbers and marks as in English', async ({ id }) => {
  for (const [english, text] of Object.entries(await catalogueOf(id))) {
    expect(placeholders(text), english).toEqual(placeholders(english));
    expect(text.match(/<\/?b>/g), english).toEqual(english.match(/<\/?b>/g));
    expect(numbers(text), english).toEqual(numbers(english));
    expect(text.trim(), english).not.toBe('');
  }
});

test('a text that a language lacks shows in English, with its values', async () => {
  await show('es', { 'Next {n}': 'Siguiente {n}', '{n} games': '{n, plural, one {# partida} other {# partidas}}' });
  expect(t('Next {n}', { n: 3 })).toBe('Siguiente 3');
  expect(t('Last {n}', { n: 3 })).toBe('Last 3');
  expect([1, 2].map((n) => tn('{n} game', '{n} games', n))).toEqual(['1 partida', '2 partidas']);
  expect(tn('{n} try', '{n} tries', 1)).toBe('1 try');
  await show('en', null);
  expect([1, 2].map((n) => tn('{n} game', '{n} games', n))).toEqual(['1 game', '2 games']);
});

test('every message of every language can be read', async () => {
  for (const { id } of others) {
    const catalogue = await catalogueOf(id);
    await show(id, catalogue);
    for (const english of Object.keys(catalogue)) {
      const values = Object.fromEntries([...placeholders(english), '{n}'].map((name) => [name.slice(1, -1), name === '{n}' ? 2 : 'x']));
      expect(t(english, values), `${id}: ${english}`).not.toMatch(/[{}]|undefined/);
    }
  }
  await show('en', null);
});

test('tags of browsers and addresses name a language', () => {
  expect(['de-AT', 'ZH', 'zh-CN', 'fr', 'en-GB', 'pt'].map((tag) => languageOf(tag)?.id)).toEqual([
    'de',
    'zh-Hans',
    'zh-Hans',
    'fr',
    'en',
    undefined,
  ]);
});
