import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lessons } from '#lessons/index.ts';
import { LANGUAGES, languageOf, PARTS, type Part } from '#text/languages.ts';
import { add, type Catalogue, show, t, tn } from '#text/text.ts';
import { textsOf } from '#ui/lessons/language.ts';
import { pluralsIn, pluralsOfPage, textsIn } from './texts/code.ts';
import { collectTexts, curvesOf } from './texts/collect.ts';

const { page, lessons: taught, why: explained, papers: ofPapers } = collectTexts();

const others = LANGUAGES.filter(({ load }) => load !== null);
const catalogueOf = async (id: string, ...parts: readonly Part[]): Promise<Catalogue> => {
  const { load } = LANGUAGES.find((language) => language.id === id)!;
  const files = await Promise.all((parts.length > 0 ? parts : PARTS).map((part) => load!(part)));
  return Object.assign({}, ...files.map((file) => file.default));
};
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
  expect(page.size).toBeGreaterThan(300);
  expect(taught.size).toBeGreaterThan(500);
  expect(explained.size).toBeGreaterThan(100);
  expect(ofPapers.size).toBeGreaterThan(70);
});

test.each(others)('$id: no text is missing, none is left over', async ({ id }) => {
  for (const [part, texts] of [
    ['page', page],
    ['lessons', taught],
    ['why', explained],
    ['papers', ofPapers],
  ] as const)
    expect(Object.keys(await catalogueOf(id, part)).sort(), `${part}: npm run texts`).toEqual([...texts.keys()].sort());
});

test.each(others)('$id: the same placeholders, numbers and marks as in English', async ({ id }) => {
  for (const [english, text] of Object.entries(await catalogueOf(id))) {
    expect(placeholders(text), english).toEqual(placeholders(english));
    expect(text.match(/<\/?b>/g), english).toEqual(english.match(/<\/?b>/g));
    expect(numbers(text), english).toEqual(numbers(english));
    expect(text.trim(), english).not.toBe('');
  }
});

test('where a language has a wording for one of something, English has one', async () => {
  expect(pluralsIn("tn('{n} game', '{n} games', n); t('{n} times', { n })")).toEqual(['{n} games']);
  const plurals = pluralsOfPage();
  for (const { id } of others) {
    const byNumber = Object.entries(await catalogueOf(id)).filter(([, text]) => text.includes('{n, plural,'));
    const counted = byNumber.map(([english]) => english).filter((english) => /\{(n|count)\} [a-z]+s\b/.test(english));
    expect(counted.length, id).toBeGreaterThan(id === 'zh-Hans' ? -1 : 5);
    expect(counted.filter((english) => !plurals.includes(english))).toEqual([]);
  }
});

test.each(others)('$id: the buttons that start, pause, hold and end something have words of their own', async ({ id }) => {
  const catalogue = await catalogueOf(id);
  const words = ['Train', 'Pause', 'Resume', 'Play', 'Hold', 'Stop'].map((english) => catalogue[english]);
  expect(words).not.toContain(undefined);
  expect(new Set(words).size, words.join(', ')).toBe(words.length);
});

test.each(others)('$id: a lesson names a curve as the menu of curves does', async ({ id }) => {
  const ofLessons = await catalogueOf(id, 'lessons');
  const named = lessons.flatMap((lesson) => {
    const titles = curvesOf(lesson);
    return textsOf(lesson).flatMap((text) =>
      titles
        .filter((title) => new RegExp(`\\bcurves? (?:of )?(?:the )?(?:[\\w-]+ and )?${title.replace(/\W/g, '\\$&')}\\b`).test(text))
        .map((title) => ({ text, title })),
    );
  });
  expect(named.map(({ title }) => title).sort()).toEqual(['learned reward', 'mean Q', 'solved', 'well-formed']);
  for (const { text, title } of named) expect(ofLessons[text], text).toContain(ofLessons[title]);
});

test.each(others)('$id: a text that two parts hold is the same in both', async ({ id }) => {
  const [ofLessons, ofWhy] = [await catalogueOf(id, 'lessons'), await catalogueOf(id, 'why')];
  const shared = Object.keys(ofLessons).filter((text) => text in ofWhy);
  expect(shared.map((text) => ofLessons[text])).toEqual(shared.map((text) => ofWhy[text]));
});

test('a text that a language lacks shows in English, with its values', async () => {
  await add('es', { 'Next {n}': 'Siguiente {n}', '{n} games': '{n, plural, one {# partida} other {# partidas}}' });
  show('es');
  expect(t('Next {n}', { n: 3 })).toBe('Siguiente 3');
  expect(t('Last {n}', { n: 3 })).toBe('Last 3');
  expect([1, 2].map((n) => tn('{n} game', '{n} games', n))).toEqual(['1 partida', '2 partidas']);
  expect(tn('{n} try', '{n} tries', 1)).toBe('1 try');
  show('en');
  expect([1, 2].map((n) => tn('{n} game', '{n} games', n))).toEqual(['1 game', '2 games']);
});

test('a number and its % stay together at the end of a line', async () => {
  await add('de', { '{n} % learned': '{n} % gelernt' });
  show('de');
  expect(t('{n} % learned', { n: 3 })).toBe('3\u00a0% gelernt');
  show('en');
  expect(t('{n} % learned', { n: 3 })).toBe('3\u00a0% learned');
  // Other texts are written so: \u00a0 in strings, &nbsp; between tags.
  const parted = /[\d}] %(?= [a-z]|[.,:;)'"`<\]]|$)/;
  expect(['`{n} %`', '<b>95 %</b>', 'in 95 % of runs'].filter((line) => !parted.test(line))).toEqual([]);
  expect(['i % 8', 'size(n) % 7', '95\\u00a0% of'].filter((line) => parted.test(line))).toEqual([]);
  const files = readdirSync('src/ui', { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  const found = files.flatMap((name) => {
    const source = readFileSync(`src/ui/${name}`, 'utf8');
    const others = textsIn(source)
      .toSorted((a, b) => b.length - a.length)
      .reduce((text, own) => text.replaceAll(own, ''), source);
    return others.split('\n').filter((line) => parted.test(line) && !/^\s*(\/?\*|\/\/)/.test(line));
  });
  expect(found).toEqual([]);
  // a number that is computed is written by percent(), which knows how the language writes it; only a head of a table names what its % are of
  const byHand = /\}(\\u00a0|&nbsp;)%/;
  expect(['{share}\\u00a0%', '{share}&nbsp;%'].filter((line) => !byHand.test(line))).toEqual([]);
  const computed = files.flatMap((name) =>
    readFileSync(`src/ui/${name}`, 'utf8')
      .split('\n')
      .filter((line) => byHand.test(line)),
  );
  expect(computed.map((line) => line.trim())).toEqual(['{glyphOf(env, id)}&nbsp;%']);
});

test('every message of every language can be read', async () => {
  for (const { id } of others) {
    const catalogue = await catalogueOf(id);
    await add(id, catalogue);
    show(id);
    for (const english of Object.keys(catalogue)) {
      const values = Object.fromEntries([...placeholders(english), '{n}'].map((name) => [name.slice(1, -1), name === '{n}' ? 2 : 'x']));
      expect(t(english, values), `${id}: ${english}`).not.toMatch(/[{}]|undefined/);
    }
  }
  show('en');
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

/** Properties and values that do not turn with the direction of the text. */
const ONE_SIDED =
  /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)\s*:|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear)\s*:\s*(?:left|right)/;

test('French has a no-break space before its double punctuation and inside its quotation marks', async () => {
  const breaking = / [:;?!»]|« /;
  expect(breaking.test('Vraiment ?')).toBe(true);
  expect(Object.values(await catalogueOf('fr')).filter((text) => breaking.test(text))).toEqual([]);
});

test('no sentence is made by adding a full stop to a text, which may end with a mark of its own', async () => {
  const bare = /^\{\w+\}[.!?:]$/;
  expect(bare.test('{title}.')).toBe(true);
  expect(Object.keys(await catalogueOf('de')).filter((text) => bare.test(text))).toEqual([]);
});

test('styles turn with the direction of the text', () => {
  expect(['left: 0', 'margin-left: 1px', 'text-align: right'].filter((style) => !ONE_SIDED.test(style))).toEqual([]);
  expect(['inset-inline-start: 0', 'margin-inline: 1px', 'text-align: start', 'to right'].filter((style) => ONE_SIDED.test(style))).toEqual(
    [],
  );
  const files = readdirSync('src', { recursive: true }).filter((name) => String(name).endsWith('.css'));
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((name) =>
    readFileSync(`src/${name}`, 'utf8')
      .split('\n')
      .flatMap((line, i) => (ONE_SIDED.test(line) ? [`src/${name}:${i + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
