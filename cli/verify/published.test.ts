/** No published result is accused by what can be said of it without training, and a changed one of each kind is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { LabError } from '#contract/kit/errors.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { lookAt } from './paper-look.ts';

const project = resolve('.');
const folder = join(project, 'public/results/papers');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('every published result is taken for honest, and its runs can be done again', () => {
  expect(files.length).toBeGreaterThan(100);
  const looks = files.map((name) => ({ name, ...lookAt(textOf(name), name, project) }));
  expect(looks.flatMap(({ notes }) => notes.wrong)).toEqual([]);
  expect(looks.filter(({ rerun }) => !rerun).map(({ name }) => name)).toEqual([]);
});

/** The file with another first arm, and members on top. */
function changed(name: string, arm: (first: JsonObject) => object, top: (whole: JsonObject) => object): string {
  const file = JSON.parse(textOf(name)) as JsonObject & { readonly arms: readonly JsonObject[] };
  const [first = {}, ...others] = file.arms;
  return JSON.stringify({ ...file, arms: [{ ...first, ...arm(first) }, ...others], ...top(file), date: '2026-01-01T00:00:00.000Z' });
}

const none = (): object => ({});

/** What is said of a copy: that it cannot be read, or how much is wrong and how much cannot be told. */
function said(text: string): readonly [wrong: number, open: number] {
  try {
    const { notes } = lookAt(text, 'a copy', project);
    return [notes.wrong.length, notes.open.length];
  } catch (error) {
    if (error instanceof LabError) return [1, 0];
    throw error;
  }
}

test.each<readonly [string, (first: JsonObject) => object, (whole: JsonObject) => object]>([
  ['the outcome', none, ({ outcome }) => ({ outcome: outcome === 'reversed' ? 'shown' : 'reversed' })],
  ['the first finding', none, ({ findings }) => ({ findings: (findings as JsonObject[]).slice(1) })],
  ['a setting', ({ env }) => ({ env: { ...objectOf(env), config: { ...objectOf(objectOf(env).config), madeUp: 1 } } }), none],
  ['the config hash', () => ({ config: '000000000000' }), none],
  ['the name of an arm', () => ({ id: 'another' }), none],
  ['the seeds', none, ({ seeds }) => ({ seeds: (seeds as number[]).map((seed) => seed + 1) })],
])('%s changed is found in published results', (_, arm, top) => {
  const some = files.filter((__, i) => i % 8 === 0);
  const missed = some.filter((name) => {
    const [wrong, open] = said(changed(name, arm, top));
    // The hash of a script covers a method that its result does not name, so that it cannot be told wrong.
    return wrong === 0 && open <= said(changed(name, none, none))[1];
  });
  expect(missed).toEqual([]);
});
