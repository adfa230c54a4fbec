/**
 * From `--env`, `--algo`, `--config`, `--set`, `--steps` … to one complete RunConfig. Throws UsageError for names and files,
 * LabError (from the core) for what a config says.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { experiments } from '#claims/experiments/index.ts';
import { startIn } from '#contract/catalog/starts.ts';
import { configOfJson } from '#contract/files/files.ts';
import { type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { runOptionsSchema } from '#contract/run/config.ts';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { writePath } from '#contract/run/paths.ts';
import type { AlgoEntry } from '#core/algos/api/types.ts';
import { algoFamilyTitle, loadAlgo } from '#core/algos/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { envFamilies, envFamilyOf, loadEnv } from '#core/envs/index.ts';
import { candidates, recommend } from '#core/recommend.ts';
import { completeRun } from '#core/run/by-id.ts';
import type { Context } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { readInput } from '../kit/files.ts';
import { configOfLink, looksLikeLink } from '../kit/link.ts';
import { codeIn } from './code.ts';
import { type Found, openStored } from './open.ts';

export interface ConfigOptions {
  readonly env: string | undefined;
  /** Settings of that environment, where a file gave them. */
  readonly envConfig?: JsonObject;
  readonly algo: string | undefined;
  readonly config: string | undefined;
  readonly set: readonly string[];
  readonly steps?: number | undefined;
  readonly seeds?: number | undefined;
  readonly 'seed-start'?: number | undefined;
  readonly executor?: string | undefined;
}

/** What an option table needs for readConfig. */
export const CONFIG_OPTIONS = {
  env: { kind: 'text', value: 'ID', help: 'environment, with its defaults (see "list envs")' },
  algo: {
    kind: 'text',
    value: 'ID',
    help: 'algorithm, with the settings it starts from in that environment, as on the page (see "list algos"); left out: the one recommended',
  },
  config: { kind: 'text', value: 'FILE|LINK|PRESET', help: 'a JSON file, a link of the page, an experiment, or a preset: ENV/PRESET' },
  set: {
    kind: 'list',
    value: 'PATH=VALUE',
    help: 'env.KEY, algo.KEY or run.KEY; further dots go into objects; may be repeated; also --env.KEY VALUE. A range 0.5..2 or a list [1,2] of a setting of the environment is drawn from in each episode',
  },
} as const;

interface Draft {
  env?: { id: string; version?: number; config: JsonObject };
  algo?: { id: string; version?: number; config: JsonObject };
  /** Settings of an algorithm that is not named: they go over the recommended one's. */
  algoConfig?: JsonObject;
  run: JsonObject;
}

function draftOf(json: JsonObject): Draft {
  const ref = (key: 'env' | 'algo'): Draft['env'] => {
    const { id, version, config } = objectOf(json[key]);
    if (typeof id !== 'string') throw new UsageError(`This config names no ${key}: "${key}" must be {"id": …, "config": {…}}.`);
    return { id, config: objectOf(config), ...(typeof version === 'number' ? { version } : {}) };
  };
  const { id, config } = objectOf(json.algo);
  const algo = id === undefined ? { algoConfig: objectOf(config) } : { algo: ref('algo') };
  return { env: ref('env'), ...algo, run: objectOf(json.run) } as Draft;
}

/** Of the catalogue; undefined for an id that it does not list. */
export const listedEnv = async (id = ''): Promise<EnvEntry | undefined> => (envFamilyOf(id).ids.includes(id) ? loadEnv(id) : undefined);
const listedAlgo = async (id = ''): Promise<AlgoEntry | undefined> => (algoFamilyTitle(id) === '' ? undefined : loadAlgo(id));

/** Presets by "ENV/PRESET", or by their bare name beside --env or --algo. */
async function preset(name: string, options: ConfigOptions): Promise<Draft | null> {
  const [first, second] = name.split('/');
  const env = await listedEnv(second !== undefined ? first : options.env);
  const ofEnv = env?.presets.find((entry) => entry.id === (second ?? first));
  if (env && ofEnv) return { env: { id: env.id, config: ofEnv.config }, run: {} };
  const algo = await listedAlgo(second !== undefined ? first : options.algo);
  const ofAlgo = algo?.presets.find((entry) => entry.id === (second ?? first));
  if (algo && ofAlgo) return { algo: { id: algo.id, config: ofAlgo.config }, run: {} };
  return null;
}

function ofLink(text: string): Draft {
  const { config, experiment } = configOfLink(text);
  if (experiment === null) return draftOf(config);
  const base = experiments.find((entry) => entry.id === experiment);
  if (!base)
    throw new UsageError(`This link opens the experiment "${experiment}", which is not one of: ${experiments.map((e) => e.id).join(' ')}.`);
  const draft = draftOf(base.config);
  for (const room of ['env', 'algo'] as const) {
    const change = objectOf(config[room]);
    if (typeof change.id === 'string' && change.id !== draft[room]?.id) draft[room] = { id: change.id, config: objectOf(change.config) };
    else if (draft[room])
      draft[room] = { ...draft[room], config: { ...draft[room].config, ...flatConfig(draft[room].id, objectOf(change.config)) } };
  }
  return { ...draft, run: { ...draft.run, ...objectOf(config.run) } };
}

interface Source {
  readonly draft: Draft;
  /** Where the file is. */
  readonly found?: Found;
}

async function source(name: string, options: ConfigOptions, context: Pick<Context, 'typedIn'>): Promise<Source> {
  if (looksLikeLink(name)) return { draft: ofLink(name) };
  const experiment = experiments.find((entry) => entry.id === name);
  if (experiment) return { draft: draftOf(experiment.config) };
  const draft = await preset(name, options);
  if (draft) return { draft };
  const path = pathFrom(context, name);
  if (!existsSync(path)) {
    const presets = (await listedEnv(options.env))?.presets ?? [];
    const beside = presets.length > 0 ? `, presets of ${options.env}: ${presets.map((entry) => entry.id).join(' ')}` : '';
    throw new UsageError(
      `"${name}" is no file, link or preset. Experiments: ${experiments.map((entry) => entry.id).join(' ')}${beside}; other presets as ENV/PRESET.`,
    );
  }
  return { draft: draftOf(configOfJson(readInput(context, name, 'config file'))), found: { file: name, codes: codeIn(dirname(path)) } };
}

/** What a preset, an experiment, a link or a file holds of a config, with what it needs open: both halves, or one of them. */
export async function namedConfig(name: string, context: Pick<Context, 'typedIn'>): Promise<JsonObject> {
  const { draft, found } = await source(name, { env: undefined, algo: undefined, config: name, set: [] }, context);
  await openStored(draft, found);
  const { env, algo, run } = draft;
  return { ...(env !== undefined && { env: { ...env } }), ...(algo !== undefined && { algo: { ...algo } }), run };
}

/** A value as JSON where it is JSON, else as text: `--set env.map=["SF","HG"]`, `--set env.mission=find it`. */
function parseValue(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function apply(config: RunConfig, assignment: string): RunConfig {
  const at = assignment.indexOf('=');
  if (at < 1) throw new UsageError(`--set takes PATH=VALUE, for example --set algo.lr=0.001, not "${assignment}".`);
  const path = assignment.slice(0, at);
  const [room, key] = path.split('.');
  const known = Object.keys(runOptionsSchema.shape);
  if (room === 'run' && !known.includes(key ?? '')) {
    throw new UsageError(
      `There is no setting "${path}". ${whichOf(
        path,
        known.map((name) => `run.${name}`),
      )}`,
    );
  }
  return writePath(config, path, parseValue(assignment.slice(at + 1)));
}

/** A method by its id alone, with the settings that choosing it on the page gives. */
async function chosen(id: string, env: NonNullable<Draft['env']>): Promise<NonNullable<Draft['algo']>> {
  const { id: algo, presets, continuous, parse } = await loadAlgo(id);
  const { gamma, agents, id: world } = (await loadEnv(env.id)).meta(env.config);
  const card = { id: algo, defaults: parse({}), presets, ...(continuous !== undefined && { continuous }) };
  return { id: algo, config: startIn(card, { id: world, gamma, groups: agents }) };
}

/** Every environment of the catalogue. */
const listed = envFamilies.flatMap(({ envs }) => Object.keys(envs)).toSorted();

/** The complete config that these options ask for; what it needs is open then (open.ts). */
export async function readConfig(options: ConfigOptions, context: Pick<Context, 'typedIn'>): Promise<RunConfig> {
  const { draft, found }: Source = options.config !== undefined ? await source(options.config, options, context) : { draft: { run: {} } };
  // An id given beside a config replaces that half, unless it is the same one.
  if (options.env !== undefined && draft.env?.id !== (await loadEnv(options.env)).id)
    draft.env = { id: options.env, config: options.envConfig ?? {} };
  if (!draft.env) throw new UsageError(`Which environment? --env ${listed.join('|')}, or --config.`);
  const choose = options.algo !== undefined && draft.algo?.id !== (await loadAlgo(options.algo)).id ? options.algo : null;
  await openStored(choose === null ? draft : { env: draft.env }, found);
  if (choose !== null) draft.algo = await chosen(choose, draft.env);
  const run: { [key: string]: Json } = { ...draft.run };
  if (!draft.algo) {
    const entry = await loadEnv(draft.env.id);
    await Promise.all(candidates(entry, draft.env.config).map(loadAlgo));
    const first = recommend(entry, draft.env.config);
    await loadAlgo(first.algo);
    draft.algo = { id: first.algo, config: { ...first.config, ...flatConfig(first.algo, draft.algoConfig ?? {}) } };
    run.steps ??= first.steps;
  }
  if (options.steps !== undefined) run.steps = options.steps;
  if (options.seeds !== undefined) run.seeds = options.seeds;
  if (options['seed-start'] !== undefined) run.seedStart = options['seed-start'];
  if (options.executor !== undefined) run.executor = options.executor;
  const config = options.set.reduce(apply, { v: 1, env: draft.env, algo: draft.algo, run } as unknown as RunConfig);
  return completeRun(config);
}
