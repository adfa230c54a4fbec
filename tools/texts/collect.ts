/**
 * Every text that is translated, part by part: what the code of the page shows, and what stands in data and is translated where it is shown (worlds,
 * settings, lessons, doors, topics).
 */
import { topicMap } from '#claims/topics.ts';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { FINEST, familiesOf } from '#contract/catalog/families.ts';
import { frameSize } from '#contract/game/frames.ts';
import { WORDS } from '#contract/papers/finding-words.ts';
import { getEnv } from '#core/envs/all.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { Lesson } from '#lessons/define.ts';
import { lessons } from '#lessons/index.ts';
import { describeFrame } from '#scenes/index.ts';
import { plain } from '#scenes/lib/words.ts';
import { DOORS, PAGES } from '#stores/pages.ts';
import type { Part } from '#text/languages.ts';
import { leavesOf, worldSliders } from '#ui/form/leaves.ts';
import { budgetFields, evaluationFields, shapingFields, startsFields } from '#ui/form/run-fields.ts';
import { EXPLORING, GREEDY_TEST } from '#ui/kit/format/returns.ts';
import { textsOf } from '#ui/lessons/language.ts';
import { catalog } from '../facts/catalog.ts';
import { type Found, textsOfCode } from './code.ts';

/** The first world of a first visit, and those of its settings that stand beside the scene. */
const FIRST_WORLD = 'cartpole';
const FIRST_EXPERIMENT = 'Balance a pole';
const FIRST_SETTINGS = ['gravity', 'cartMass', 'poleMass'];

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
export function curvesOf(lesson: Lesson): readonly string[] {
  if (lesson.curves !== 'all') return [];
  const { envs, algos } = catalog();
  const { env, algo } = lesson.config as unknown as Readonly<Record<'env' | 'algo', { readonly id: string }>>;
  const metrics = algos.filter(({ id }) => id === algo.id).flatMap((card) => card.metrics);
  const measures = envs.filter(({ id }) => id === env.id).flatMap((card) => card.measures);
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

/** What every member of a list says of itself, and what its fields do, whatever their depth. */
function allFields(field: FieldSchema): readonly FieldSchema[] {
  const inner = [field, ...(field.oneOf ?? []), ...(field.anyOf ?? [])].flatMap(({ properties = {} }) => Object.values(properties));
  return [field, ...inner.flatMap(allFields)];
}

/** A choice that is a word: "sparse", "mean field"; not the name of a thing, such as "RACE" or "block_both". */
const isWord = (text: unknown): text is string => typeof text === 'string' && /^[a-z][a-z -]{2,}$/.test(text);

/** "per step", "nats"; not "rad/s", which is the same everywhere. */
const hasWord = (unit: string): boolean => /^[a-z]+ |[a-z]{4}/.test(unit);

/**
 * Words of data: units, choices, names of worlds and of what is measured, scripts, and what the first worlds say of themselves and of the settings beside
 * their scene. What no one has translated yet shows in English and is marked as English (ui/kit/fact.tsx).
 */
function factsOfData(): readonly Found[] {
  const { envs, algos } = catalog();
  const first = envs.filter(({ id }) => FINEST.includes(id) || id === FIRST_WORLD);
  const offered = algos.filter(({ id }) => first.some(({ recommended }) => recommended.algo === id));
  const fields = [...envs, ...algos].flatMap(({ schema }) => allFields(schema));
  const titled = [...first, ...offered].flatMap(({ schema }) => allFields(schema)).filter(({ depth }) => depth !== 'stored');
  const common = [budgetFields, startsFields, shapingFields, evaluationFields].flatMap(allFields);
  const beside = first.flatMap(({ schema }) => worldSliders(leavesOf('env', schema)).map((leaf) => leaf.schema));
  const measured = [...algos.flatMap(({ metrics }) => metrics), ...envs.flatMap(({ measures }) => measures)];
  const some = (texts: readonly (string | undefined)[]): readonly string[] => texts.flatMap((text = '') => (text === '' ? [] : [text]));
  return [
    ...from('src/core', some([...fields, ...common].flatMap(({ empty, group }) => [empty, group]))),
    ...from('src/core', [...fields, ...common, ...measured].map(({ unit = '' }) => unit).filter(hasWord)),
    ...from('src/core', fields.flatMap((field) => field.enum ?? []).filter(isWord)),
    ...from('src/core/envs', some(envs.flatMap(({ title, policies }) => [title, ...policies]))),
    ...from('src/core/envs', some(first.map(({ summary }) => summary))),
    ...from('src/core', some([...titled, ...common].map(({ title }) => title))),
    ...from('src/core/envs', some([...beside, ...common].map(({ description }) => description))),
    ...from(
      'src/core',
      measured.map(({ title }) => title),
    ),
    ...from(
      'src/scenes',
      // what has to be fetched before it can be made is left out: its scene speaks of bodies as others do
      first.flatMap(({ id }) => (getEnv(id).prepare === undefined ? thingsOf(id, {}) : [])),
    ),
  ];
}

/** Texts by the files that show them. A text of every visit stands in no other part. */
export type Texts = ReadonlyMap<string, readonly string[]>;

const from = (where: string, texts: readonly string[]): readonly Found[] => texts.map((text) => ({ text, where }));

function joined(found: readonly Found[], less: Texts = new Map()): Texts {
  const all = new Map<string, string[]>();
  for (const { text, where } of found) {
    if (less.has(text)) continue;
    const places = all.get(text) ?? [];
    all.set(text, places);
    if (!places.includes(where)) places.push(where);
  }
  return all;
}

/** The texts of each part, in the order of the files. Makes the first world of the page and those of the lessons. */
export function collectTexts(): { readonly [P in Part]: Texts } {
  const { envs } = catalog();
  const first = envs.filter(({ id }) => id === FIRST_WORLD);
  const settings = first.flatMap(({ schema }) => FIRST_SETTINGS.map((name) => schema.properties?.[name] ?? {}));
  const page = joined([
    ...textsOfCode('page'),
    ...from('src/stores/pages.ts', [...DOORS.map(({ title }) => title), ...Object.values(PAGES).map(({ title }) => title)]),
    ...from(
      'src/claims/topics.ts',
      topicMap.flatMap(({ title, topics }) => [title, ...topics]),
    ),
    ...from('src/ui/shell', ['Share', 'Help', 'Open a file', 'Storage', 'Print this run']),
    ...from('src/ui/kit/format/returns.ts', [
      ...[GREEDY_TEST, EXPLORING, 'steps', 'updates', 'episodes', 's', 'environment steps', 'seconds of training'],
    ]),
    ...from(
      'src/core/envs/index.ts',
      familiesOf(envs).flatMap(({ title, sign }) => [title, sign.title, sign.summary]),
    ),
    ...from(
      'src/core/envs',
      first.flatMap(({ title, summary }) => [title, summary]),
    ),
    ...from(
      'src/core/envs',
      settings.flatMap(({ title = '', description = '', group = '' }) => [title, description, group]),
    ),
    ...from('src/claims/experiments', [FIRST_EXPERIMENT]),
    ...from('src/core/envs', thingsOf(FIRST_WORLD, {})),
    ...from(
      'src/lessons',
      lessons.flatMap(({ title, goal }) => [title, goal]),
    ),
  ]);
  const worlds = lessons.flatMap(({ config }) =>
    envs.filter(({ id }) => id === (config.env as { id?: string }).id).map(({ title }) => title),
  );
  const taught = joined(
    [
      ...textsOfCode('lessons'),
      ...from(
        'src/core/envs',
        lessons.flatMap(({ config: { env } }) => thingsOf(String(env.id), env.config ?? {})),
      ),
      ...from('src/lessons', lessons.flatMap(textsOf)),
      ...from('src/core', lessons.flatMap(controlsOf)),
      ...from('src/core', lessons.flatMap(curvesOf)),
      ...from('src/core/envs', worlds),
    ],
    page,
  );
  const why = joined([...textsOfCode('why'), ...from('src/core/envs', lessons.flatMap(namesIn))], page);
  const papers = joined([...textsOfCode('papers'), ...from('src/contract/papers/finding-words.ts', Object.values(WORDS))], page);
  const facts = joined(factsOfData(), page);
  return { page, facts, lessons: taught, why, papers };
}
