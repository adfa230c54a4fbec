/**
 * The one door for whatever a config needs that is not of the catalogue: code of a person, MuJoCo for a robot of one's own, a process of
 * Python. Every command that runs what a config names comes through here, before it completes the config.
 *
 * Code that is named by --env-file or --algo-file runs as the user's own, and is remembered (allowed.ts). Code that only lies in a folder, in
 * settings or in a queue runs where it was named so before on this machine; else it is refused, with the option that allows it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import type { CompleteConfig } from '#contract/run/config.ts';
import { codeHash, worldId } from '#contract/run/config-hash.ts';
import { CODE_SETTING, isOwnWorld } from '#contract/run/own-world.ts';
import type { Definition } from '#core/own/definition.ts';
import { completeRun, loadRun } from '#core/run/by-id.ts';
import { type GymOptions, givenGyms, NOT_EXACT, openGym } from '../gym/gyms.ts';
import type { Context } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { readInput } from '../kit/files.ts';
import { allow, isAllowed } from './allowed.ts';
import { type CodeFile, codeOf, codeSettings, runCode } from './code.ts';

/** Options of every command that runs what a config names. */
export const CODE_OPTIONS = {
  'env-file': {
    kind: 'list',
    value: 'FILE',
    help: 'code of your own that is needed: a world, reward or player (see "new world"), or a file whose settings carry it; it runs as yours, with all your rights',
  },
  'algo-file': {
    kind: 'list',
    value: 'FILE',
    help: 'the same of a method: a call of defineMethod (see "new method"), or a module that exports what defineAlgo of rl-workbench/algo-kit gives',
  },
} as const;

export interface CodeOptions {
  readonly 'env-file': readonly string[];
  readonly 'algo-file': readonly string[];
}

/** The code in a file: the file itself, or what settings carry where the file is JSON. */
function codesOf(path: string, text: string): readonly CodeFile[] {
  if (extname(path) !== '.json') return [{ name: path, code: text }];
  const codes = carriedIn(readJson(text));
  if (codes.length === 0) throw new UsageError(`"${path}" carries no code: it has no setting "${CODE_SETTING}".`);
  return codes.map((code) => ({ name: path, code }));
}

/** Every code that settings carry, however deep. */
function carriedIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(carriedIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === CODE_SETTING && typeof member === 'string' ? [member] : carriedIn(member),
  );
}

/** What the code in a file that was named on the command line defines; of JSON that carries several, each. Throws UsageError where there is no such file. */
export async function openCode(context: Pick<Context, 'typedIn'>, path: string): Promise<readonly Definition[]> {
  const made: Definition[] = [];
  for (const file of codesOf(path, readInput(context, path, 'file of code'))) {
    made.push(await runCode(file));
    allow(file.code);
  }
  return made;
}

/** As openCode, of a file that only another file names: it runs where it was named on the command line before. `path`: the whole one. */
export async function openFound(path: string, part: 'env' | 'algo'): Promise<Definition> {
  if (!existsSync(path)) throw new UsageError(`There is no file "${path}".`);
  const code = readFileSync(path, 'utf8');
  const id = worldId(code);
  codeToRun(part, id, [{ name: path, code }]);
  return runCode({ name: path, code });
}

/** What options of the command line bring. */
export interface Given {
  readonly definitions: readonly Definition[];
  /** Id of the environment in Python; null: none was named. */
  readonly gym: string | null;
}

/** Runs the code of these options, in their order, and starts Python where an environment there is named, which stderr says. */
export async function openGiven(options: CodeOptions & Partial<GymOptions>, context: Pick<Context, 'project' | 'typedIn'>): Promise<Given> {
  const definitions: Definition[] = [];
  for (const path of options['env-file']) definitions.push(...(await openCode(context, path)));
  for (const path of options['algo-file']) {
    const made = await openCode(context, path);
    const other = made.find(({ algo }) => algo === undefined);
    if (other !== undefined)
      throw new UsageError(`--algo-file takes a method, and "${path}" holds a ${other.kind}: give it with --env-file.`);
    definitions.push(...made);
  }
  const { gym } = options;
  if (gym === undefined) return { definitions, gym: null };
  const { id, description } = openGym({ 'gym-args': undefined, 'gym-leave': [], python: undefined, ...options, gym }, context);
  const versions = Object.entries(description.versions).map((pair) => pair.join(' '));
  process.stderr.write(`${description.name} runs in Python (${versions.join(', ')}): ${NOT_EXACT}.\n`);
  return { definitions, gym: id };
}

/** Options that name an environment, a method or both beside files. */
interface Named {
  readonly env?: string | undefined;
  readonly mjcf?: string | undefined;
  readonly algo?: string | undefined;
  readonly config?: string | undefined;
}

/**
 * What is given as parts of a config: an environment with the settings that carry its code, a method. A method is tried in the environment
 * that it names, unless there is another. Throws UsageError for two of a kind.
 */
export function namedBy(
  { definitions, gym }: Given,
  options: Named,
): { readonly env?: string; readonly envConfig?: JsonObject; readonly algo?: string } {
  const worlds = definitions.filter(({ algo }) => algo === undefined);
  const methods = definitions.flatMap(({ algo, env }) => (algo === undefined ? [] : [{ algo: algo.id, env: env.id }]));
  const [[world, otherWorld], [method, otherMethod]] = [worlds, methods];
  const places = [
    ...(options.env === undefined ? [] : ['--env']),
    ...(world === undefined ? [] : ['--env-file']),
    ...(options.mjcf === undefined ? [] : ['--mjcf']),
    ...(gym === null ? [] : ['--gym']),
  ];
  if (places.length > 1) throw new UsageError(`Give one of ${places.join(', ')}.`);
  if (otherWorld !== undefined) throw new UsageError('These files hold several environments: give one.');
  if (otherMethod !== undefined) throw new UsageError('These files hold several methods: give one. A sweep compares several.');
  if (method !== undefined && options.algo !== undefined) throw new UsageError('This file holds a method: leave out --algo.');
  const algo = method === undefined ? {} : { algo: method.algo };
  if (world !== undefined) return { env: world.env.id, envConfig: codeSettings(world), ...algo };
  if (gym !== null) return { env: gym, ...algo };
  return method !== undefined && places.length === 0 && options.config === undefined ? { env: method.env, ...algo } : algo;
}

/** The code that settings carry, in a config, a run, a summary or a policy; null: none. */
function carriedBy(json: unknown): string | null {
  const { env, config } = objectOf(json);
  if (isObject(config) && isObject(config.env)) return carriedBy(config);
  const code = objectOf(objectOf(env).config)[CODE_SETTING];
  return typeof code === 'string' ? code : null;
}

/** Where a config was found, and what lies beside it. */
export interface Found {
  /** The file that holds the config, as messages name it; null: none that --env-file could name. */
  readonly file: string | null;
  /** Code beside it; without the name of a file where none could be named. */
  readonly codes: readonly FoundCode[];
}

interface FoundCode {
  readonly name: string | null;
  readonly code: string;
}

const NOWHERE: Found = { file: null, codes: [] };

const idOf = (json: unknown, part: 'env' | 'algo'): string => {
  const { id } = objectOf(objectOf(json)[part]);
  return typeof id === 'string' ? id : '';
};

/**
 * Makes everything known that a config or a policy needs, and loads its environment and method: of the catalogue a command loads what it runs.
 * Throws LabError('unknown-id') with what is missing, and the option that gives it.
 */
export async function openStored(json: unknown, { file, codes }: Found = NOWHERE): Promise<void> {
  const carried = carriedBy(json);
  const env = idOf(json, 'env');
  await openOwn('env', env, [...codes, ...(carried === null ? [] : [{ name: file, code: carried }])]);
  await openOwn('algo', idOf(json, 'algo'), codes);
  if (isGymEnv(env) && !isStarted(env))
    throw fail(
      'unknown-id',
      `The environment "${env.slice(0, 60)}" runs in Python, which was not started.`,
      'Name it with --gym.',
      'env.id',
    );
  await loadRun(json);
}

/** A stored config with every default, as soon as it can be run here. Throws what openStored and completeRun throw. */
export async function completeStored(json: unknown, found?: Found): Promise<CompleteConfig> {
  await openStored(json, found);
  return completeRun(json);
}

const OPTION = { env: '--env-file', algo: '--algo-file' } as const;
const KIND = { env: 'environment', algo: 'method' } as const;

/** Whether a config names code that does not run here, or an environment in Python that was not started. */
export const isMissing = ({ env, algo }: Pick<CompleteConfig, 'env' | 'algo'>): boolean =>
  [env.id, algo.id].some((id) => (isOwnWorld(id) && codeOf(id) === undefined) || (isGymEnv(id) && !isStarted(id)));

const isStarted = (id: string): boolean => givenGyms().some((gym) => gym.id === id);

async function openOwn(part: 'env' | 'algo', id: string, codes: readonly FoundCode[]): Promise<void> {
  const file = isOwnWorld(id) ? codeToRun(part, id, codes) : null;
  if (file !== null) await runCode(file);
}

/** The code of this id, where it is among these and allowed; null: it runs here already. Throws LabError('unknown-id') in words. */
function codeToRun(part: 'env' | 'algo', id: string, codes: readonly FoundCode[]): CodeFile | null {
  const found = codes.find(({ code }) => worldId(code) === id);
  const here = codeOf(id);
  const what = `The ${KIND[part]} "${id.slice(0, 40)}" was written by a person, and its code`;
  if (here !== undefined) {
    if (found === undefined || codeHash(found.code) === codeHash(here.code)) return null;
    throw fail('unknown-id', `${what} is not that of "${here.name}", though both have this id.`, 'Run them apart.', `${part}.id`);
  }
  if (found === undefined)
    throw fail('unknown-id', `${what} is not here.`, `Give the file that holds it with ${OPTION[part]}.`, `${part}.id`);
  const { name, code } = found;
  if (!isAllowed(code))
    throw fail(
      'unknown-id',
      `${what}${name === null ? '' : ` in "${name}"`} was not given on this machine before, so it is not run.`,
      `Look at it, then allow it: ${OPTION[part]} ${name ?? 'FILE, with a file of the same code'}.`,
      `${part}.id`,
    );
  return { name: name ?? id, code };
}
