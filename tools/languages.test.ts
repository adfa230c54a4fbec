import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { topicMap } from '#claims/topics.ts';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { familiesOf } from '#contract/catalog/families.ts';
import { frameSize } from '#contract/game/frames.ts';
import { getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Lesson } from '#lessons/define.ts';
import { lessons } from '#lessons/index.ts';
import { describeFrame } from '#scenes/index.ts';
import { plain } from '#scenes/lib/words.ts';
import { DOORS, PAGES } from '#stores/pages.ts';
import { LANGUAGES, languageOf } from '#text/languages.ts';
import { add, type Catalogue, show, t, tn } from '#text/text.ts';
import { EXPLORING, GREEDY_TEST } from '#ui/kit/format/returns.ts';
import { textsOf } from '#ui/lessons/language.ts';
import { catalog } from './facts/catalog.ts';
import { pluralsIn, pluralsOfPage, textsIn, textsOfPage } from './texts.mjs';

/** The first world of a first visit, and those of its settings that stand beside the scene. */
const FIRST_WORLD = 'cartpole';
const FIRST_EXPERIMENT = 'Balance a pole';
const FIRST_SETTINGS = ['gravity', 'cartMass', 'poleMass'];

/** Of every visit; then, beyond those, of lessons and class. */
let page: readonly string[] = [];
let taught: readonly string[] = [];
/** Of the panel Why. */
let explained: readonly string[] = [];

/** What a field says, and those that belong to one of its kinds. */
function wordsOf(field: FieldSchema | undefined): readonly string[] {
  if (field === undefined) return [];
  const { title = '', description = '', group = '', empty = '' } = field;
  const inner = [field, ...(field.oneOf ?? []), ...(field.anyOf ?? [])].flatMap(({ properties = {} }) => Object.values(properties));
  const tiles = [...(field.map?.tiles ?? []).map((tile) => tile.title), ...(field.map?.rules ?? []).map(({ says }) => says)];
  const actions = Object.values(field.payoffs?.games ?? {}).flatMap(({ rowActions, columnActions }) => [...rowActions, ...columnActions]);
  return [
    ...[title, description, group, empty].filter((text) => text !== ''),
    ...tiles,
    ...actions.filter((action) => action.length > 1),
    ...inner.flatMap(wordsOf),
  ];
}

/** Names and explanations of the settings that a lesson shows as the pupil's controls. */
function controlsOf(lesson: Lesson): readonly string[] {
  const { envs, algos } = catalog();
  const ids = lesson.config as unknown as Readonly<Record<'env' | 'algo', { readonly id: string }>>;
  return lesson.steps.flatMap(({ show, own = [] }) =>
    show.flatMap((path) => {
      const [room = '', name = ''] = path.split('.');
      const algoIds = [ids.algo.id, ...own.map(({ config }) => (config as { algo?: { id?: string } }).algo?.id ?? '')];
      const cards = room === 'env' ? envs.filter(({ id }) => id === ids.env.id) : algos.filter(({ id }) => algoIds.includes(id));
      return cards.flatMap(({ schema }) => wordsOf(schema.properties?.[name]));
    }),
  );
}

/** Names of the curves in the menu of a lesson that shows all of them, beside the returns. */
function curvesOf(lesson: Lesson): readonly string[] {
  if (lesson.curves !== 'all') return [];
  const { envs, algos } = catalog();
  const { env, algo } = lesson.config as unknown as Readonly<Record<'env' | 'algo', { readonly id: string }>>;
  const metrics = algos.find(({ id }) => id === algo.id)!.metrics;
  const measures = envs.find(({ id }) => id === env.id)!.measures;
  return [...metrics, ...measures].map(({ title }) => title);
}

/** Names of things that the scene of a world is described by, beside the sentences: of its first frames, and of what is there in other episodes. */
function thingsOf(id: string, given: unknown): readonly string[] {
  const entry = getEnv(id);
  const config = entry.parse(given);
  const env = entry.create(config, 1);
  const buffers = createBuffers(env.meta, 1);
  const actions = createActions(env.meta, 1);
  const { frame: layout } = env.meta;
  const frame = new Float32Array(frameSize(layout));
  const said = new Set<string>();
  env.reset(new Uint32Array([1]), buffers);
  for (let step = 0; step < 20; step++) {
    env.frame(0, frame);
    describeFrame(layout, frame, [], (english, values) => {
      said.add(english);
      return plain(english, values);
    });
    env.step(actions.fill(step % 2), buffers);
  }
  const looks = layout.kind === 'grid' ? layout.looks.filter((look) => look !== 'empty' && look !== 'unseen') : [];
  for (const look of looks) said.add(look);
  return [...said];
}

/** Names of actions and of numbers that are seen in the world of a lesson. */
function namesIn({ config }: Lesson): readonly string[] {
  const world = catalog().envs.find(({ id }) => id === (config.env as { id?: string }).id);
  if (world === undefined || world.tokens !== undefined) return [];
  const { obs, action } = world;
  const names = [...action.labels, ...(obs.kind === 'box' ? (obs.labels ?? []) : [])];
  return names.filter((name) => !/\d/.test(name));
}

beforeAll(() => {
  const { envs } = catalog();
  const code = textsOfPage();
  const first = envs.find(({ id }) => id === FIRST_WORLD)!;
  const settings = FIRST_SETTINGS.map((name) => first.schema.properties?.[name] ?? {});
  page = [
    ...code.page,
    // What stands in data and is translated where it is shown.
    ...DOORS.map(({ title }) => title),
    ...Object.values(PAGES).map(({ title }) => title),
    ...topicMap.flatMap(({ title, topics }) => [title, ...topics]),
    ...['Share', 'Help', 'Open a file', 'Storage', 'Print this run'],
    ...[GREEDY_TEST, EXPLORING, 'steps', 'updates', 'episodes', 's'],
    ...[...familiesOf(envs).flatMap(({ title, sign }) => [title, sign.title, sign.summary]), first.title, first.summary],
    ...settings.flatMap(({ title = '', description = '', group = '' }) => [title, description, group]),
    FIRST_EXPERIMENT,
    ...thingsOf(FIRST_WORLD, {}),
    ...lessons.flatMap(({ title, goal }) => [title, goal]),
  ];
  const worlds = lessons.flatMap(({ config }) =>
    envs.filter(({ id }) => id === (config.env as { id?: string }).id).map(({ title }) => title),
  );
  const things = lessons.flatMap(({ config: { env } }) => thingsOf(String(env.id), env.config ?? {}));
  const all = [
    ...code.lessons,
    ...things,
    ...lessons.flatMap(textsOf),
    ...lessons.flatMap(controlsOf),
    ...lessons.flatMap(curvesOf),
    ...worlds,
  ];
  taught = [...new Set(all)].filter((text) => !page.includes(text));
  explained = [...new Set([...code.why, ...lessons.flatMap(namesIn)])].filter((text) => !page.includes(text));
}, 120_000);

const others = LANGUAGES.filter(({ load }) => load !== null);
/** Texts of every visit, of the lessons, of the panel Why. */
async function cataloguesOf(id: string): Promise<{ readonly [P in 'ofPage' | 'ofLessons' | 'ofWhy']: Catalogue }> {
  const file = await LANGUAGES.find((language) => language.id === id)!.load!();
  return { ofPage: file.default, ofLessons: (await file.lessons?.())?.default ?? {}, ofWhy: (await file.why?.())?.default ?? {} };
}
async function catalogueOf(id: string): Promise<Catalogue> {
  const { ofPage, ofLessons, ofWhy } = await cataloguesOf(id);
  return { ...ofWhy, ...ofLessons, ...ofPage };
}
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
  expect(page.length).toBeGreaterThan(300);
  expect(taught.length).toBeGreaterThan(500);
  expect(explained.length).toBeGreaterThan(100);
});

test.each(others)('$id: no text is missing, none is left over', async ({ id }) => {
  const { ofPage, ofLessons, ofWhy } = await cataloguesOf(id);
  expect(page.filter((text) => !(text in ofPage))).toEqual([]);
  expect(Object.keys(ofPage).filter((text) => !page.includes(text))).toEqual([]);
  expect(taught.filter((text) => !(text in ofLessons))).toEqual([]);
  expect(Object.keys(ofLessons).filter((text) => !taught.includes(text))).toEqual([]);
  expect(explained.filter((text) => !(text in ofWhy))).toEqual([]);
  expect(Object.keys(ofWhy).filter((text) => !explained.includes(text))).toEqual([]);
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
  const { ofLessons } = await cataloguesOf(id);
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
  const { ofLessons, ofWhy } = await cataloguesOf(id);
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
    const others = textsIn(source).reduce((text, own) => text.replaceAll(own, ''), source);
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

test('French has a no-break space before its double punctuation and inside its quotation marks', () => {
  const files = ['fr.ts', 'lessons/fr.ts', 'why/fr.ts'].map((name) => readFileSync(`src/text/catalogues/${name}`, 'utf8'));
  const breaking = / [:;?!»]|« /;
  expect(breaking.test('Vraiment ?')).toBe(true);
  expect(files.flatMap((text) => text.split('\n').filter((line) => breaking.test(line)))).toEqual([]);
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
