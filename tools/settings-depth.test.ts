/**
 * Forms offer what is used. A setting that neither published code has nor a preset, first offer, claim, lesson, document or test in the
 * browser sets has the depth `stored`, unless it says what the method is about (`teach`). It is not removed: links and results made with
 * another value of it keep their meaning and their hash, and a form shows it where they do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { experiments } from '../src/claims/experiments/index.ts';
import { comparisons, longer } from '../src/claims/index.ts';
import { judgedPapers as papers } from '../src/claims/papers/index.ts';
import type { FieldSchema } from '../src/contract/catalog/catalog.ts';
import { kindsOf } from '../src/contract/catalog/variants.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../src/contract/kit/json.ts';
import { armConfig } from '../src/contract/papers/papers.ts';
import { nestedConfig, variantsOf } from '../src/contract/run/flat-settings.ts';
import { algos } from '../src/core/algos/all.ts';
import { recommend } from '../src/core/recommend.ts';
import { envs } from '../src/core/testing/ready.ts';
import { lessons } from '../src/lessons/index.ts';

/** Dotted names of what a config sets: `lr`, and of a variant `bonus`, `bonus.weight`; those of flat configs come in `idle`. */
const namesIn = (config: JsonObject, before = ''): readonly string[] =>
  Object.entries(config).flatMap(([key, value]) =>
    key === 'idle'
      ? namesIn(objectOf(value), before)
      : [`${before}${key}`, ...(isObject(value) ? namesIn(value as JsonObject, `${before}${key}.`) : [])],
  );

const set = new Set<string>();
const note = (algo: string, config: Json | undefined) => {
  for (const name of namesIn(nestedConfig(algo, objectOf(config)))) set.add(name);
};
/** Of a whole run, or of what goes over one whose method is known. */
const noteRun = (run: JsonObject, algo?: string) => note(algo ?? String(objectOf(run.algo).id), objectOf(run.algo).config);

for (const { id, presets } of algos) for (const { config } of presets) note(id, config);
for (const env of envs) {
  const { algo, config } = recommend(env);
  note(algo, config);
}
for (const paper of [...papers, ...comparisons, ...longer]) for (const arm of paper.arms) noteRun(armConfig(paper, arm));
for (const { config } of experiments) noteRun(config as JsonObject);
for (const { config, steps } of lessons) {
  const id = String(config.algo.id);
  noteRun(config as unknown as JsonObject);
  for (const { arms = [], own = [], show } of steps) {
    for (const arm of [...arms, ...own]) noteRun(arm.config, String(objectOf(arm.config.algo).id ?? id));
    for (const path of show) if (path.startsWith('algo.')) set.add(path.slice('algo.'.length));
  }
}
const texts = ['docs', 'e2e', 'examples', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    /\.(md|ts|js|py)$/.test(file) ? [readFileSync(`${folder}/${file}`, 'utf8')] : [],
  ),
);
for (const text of texts) for (const [, name = ''] of text.matchAll(/\balgo\.((?:\w+\.)*\w+)/g)) set.add(name);

interface Setting {
  readonly name: string;
  readonly field: FieldSchema;
}
const settingsOf = (properties: { readonly [key: string]: FieldSchema }, before = ''): readonly Setting[] =>
  Object.entries(properties).flatMap(([key, field]) => {
    const name = `${before}${key}`;
    const inner = [...kindsOf(field).map(({ fields }) => fields), field.properties ?? {}];
    return [{ name, field }, ...inner.flatMap((fields) => settingsOf(fields, `${name}.`))];
  });

/** A setting of a variant that stood beside it once: 'responses.lr' of PSRO is 'lr' of every method. */
function flatName(id: string, name: string): string {
  const [key, inner = ''] = name.split('.');
  return variantsOf(id).find((one) => one.key === key)?.fields[inner]?.[0] ?? name;
}
/** A name counts as used where one method's is set: settings that many methods have are written once (api/fields.ts). */
const settings = algos.flatMap(({ id, schema }) =>
  settingsOf(schema.properties ?? {}).map((setting) => ({
    id,
    ...setting,
    used: set.has(setting.name) || set.has(flatName(id, setting.name)),
  })),
);
const nameOf = ({ id, name }: (typeof settings)[number]): string => `${id} ${name}`;
/** No source, or an own choice that names no other. */
const isOwn = ({ source = '' }: FieldSchema): boolean => /^(own (choice|measurements)[^;]*)?$/.test(source);

test('a setting of our own that nothing sets is what the method is about, or is stored only', () => {
  const offered = settings.filter(({ field, used }) => isOwn(field) && !used && field.depth !== 'stored' && field.depth !== 'teach');
  expect(offered.map(nameOf)).toEqual([]);
});

test('a setting that is stored only is one of our own that nothing sets', () => {
  const known = settings.filter(({ field, used }) => field.depth === 'stored' && (!isOwn(field) || used));
  // a team's reward goes on when an agent dies; forms have these where learned responses are chosen; Monte Carlo has a step size only where it does not average; codes are not normalised
  const reasons = /^(happo deathEnds$|psro responses\.|monte-carlo decay\.alphaFinal$|(oni|subgoal-ppo) normaliseObs$)/;
  expect(known.map(nameOf).filter((name) => !reasons.test(name))).toEqual([]);
});

test('what presets, first offers, claims, lessons and documents set is read, variants in their old flat names among them', () => {
  expect([...set]).toEqual(expect.arrayContaining(['lr', 'gamma', 'bonus', 'bonus.weight', 'cloning.steps', 'initialValue']));
  const names = new Set(settings.map(({ name }) => name));
  const unset = new Set(settings.filter(({ used }) => !used).map(({ name }) => name));
  expect(names.size - unset.size).toBeGreaterThan(unset.size);
  expect([...unset]).toEqual(expect.arrayContaining(['switchMemory', 'rhoBar', 'design.fade']));
});
