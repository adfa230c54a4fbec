/**
 * A file that asks for runs (a sweep, a grid) with what it names put in place: its config by the name of a preset or a file, as --config takes
 * it, and worlds, rewards, players and methods of one's own by their files. Names of files count from the folder of the file that has them.
 */
import { dirname, resolve } from 'node:path';
import { isObject, type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import type { Definition } from '#core/own/definition.ts';
import { type Context, pathFrom } from '../kit/context.ts';
import { readInput } from '../kit/files.ts';
import { codeIn, codeSettings } from './code.ts';
import { namedConfig } from './config.ts';
import { type Found, type Given, namedBy, openFound, openStored } from './open.ts';

export interface Asked {
  /** As it stands. */
  readonly text: string;
  /** With everything in place. */
  readonly json: JsonObject;
  /** Where it is. */
  readonly found: Found;
}

/** Reads the file; what only options name stands where the file names nothing. Throws UsageError for names of nothing, and what openFound throws. */
export async function readAsked(context: Pick<Context, 'typedIn'>, path: string, what: string, given: Given): Promise<Asked> {
  const text = readInput(context, path, what);
  const whole = objectOf(readJson(text));
  const full = pathFrom(context, path);
  const folder = dirname(full);
  const found: Found = { file: path, codes: codeIn(folder) };
  const part = async (ref: Json | undefined, of: 'env' | 'algo'): Promise<Json | undefined> => {
    if (!isObject(ref) || typeof ref.file !== 'string') return ref;
    const { file, ...rest } = ref;
    const made: Definition = await openFound(resolve(folder, file), of);
    if (of === 'algo') return { ...rest, id: (made.algo ?? made.env).id };
    return { ...rest, id: made.env.id, config: { ...objectOf(rest.config), ...codeSettings(made) } };
  };
  const all = async (list: Json | undefined, of: 'env' | 'algo'): Promise<Json | undefined> =>
    Array.isArray(list) ? Promise.all(list.map(async (one: Json) => (await part(one, of)) ?? null)) : list;
  const { config, envs, algos, ...rest } = whole;
  const base = typeof config === 'string' ? await namedConfig(config, { typedIn: folder }) : objectOf(config);
  const { env: id, envConfig = {}, algo } = namedBy(given, {});
  const named = {
    ...(id !== undefined && envs === undefined && { env: { id, config: envConfig } }),
    ...(algo !== undefined && algos === undefined && { algo: { id: algo } }),
  };
  const parts = { ...named, ...base };
  const made: { readonly [key: string]: Json | undefined } = {
    ...rest,
    ...(config !== undefined && {
      config: { ...parts, ...present({ env: await part(parts.env, 'env'), algo: await part(parts.algo, 'algo') }) },
    }),
    ...present({ envs: await all(envs, 'env'), algos: await all(algos, 'algo') }),
  };
  return { text, json: present(made), found };
}

/** Members that are there. */
const present = (value: { readonly [key: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, member]])));

/** Opens what the configs of a file need. */
export async function openAll(configs: readonly unknown[], found: Found): Promise<void> {
  for (const config of configs) await openStored(config, found);
}
