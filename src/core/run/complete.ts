/**
 * Checks a whole run against a registry and fills every default. A config of an older version is completed with the defaults of that version
 * and comes back as one of the newest (contract/run/versions.ts). Throws LabError: 'config-invalid' with the field's path and
 * what is allowed, 'unknown-id' with the names there are, 'incompatible' if the algorithm cannot act in the environment.
 */

import { fail } from '#contract/kit/errors.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { type CompleteConfig, type RunOptions, runConfigSchema, runOptionsSchema } from '#contract/run/config.ts';
import { upgrade } from '#contract/run/versions.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { parseConfig } from '../envs/api/parse.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { checkRollouts } from '../rollouts/offer.ts';
import type { Registry } from './registry.ts';
import { checkShaping } from './shaping.ts';
import { checkStarts } from './starts.ts';

const LARGEST_SEED = 0xffff_ffff; // generators are seeded with 32 bits

export function completeRun(json: unknown, registry: Registry): CompleteConfig {
  const root = object(json, 'The run');
  known(root, ['v', 'env', 'algo', 'run'], '');
  if (root.v !== undefined && root.v !== 1) {
    throw fail('config-invalid', `Version ${String(root.v)} of run configs is unknown.`, 'This workbench reads version 1.', 'v');
  }
  for (const room of ['env', 'algo'] as const) known(object(root[room], `"${room}"`), ['id', 'version', 'config'], room);
  const run = withoutIdle(parseConfig(runOptionsSchema.strict(), root.run ?? {}, 'run'));
  if (run.seedStart + run.seeds - 1 > LARGEST_SEED) {
    throw fail(
      'config-invalid',
      `${run.seeds} seeds from ${run.seedStart} on go past ${LARGEST_SEED}, the largest there is.`,
      `Use ${LARGEST_SEED - run.seeds + 1} or less as first seed.`,
      'run.seedStart',
    );
  }
  const shape = runConfigSchema.safeParse({ ...root, run });
  if (!shape.success) {
    const issue = shape.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw fail('config-invalid', `"${field}" of the run is not valid (${issue?.message}).`, 'Give an id, and a config object.', field);
  }
  const given = shape.data;
  const env = registry.env(given.env.id);
  const algo = registry.algo(given.algo.id);
  const asked = root as { readonly env: JsonObject; readonly algo: JsonObject };
  const envConfig = env.parse(upgrade(env, asked.env.version, given.env.config as JsonObject, 'env.version').config);
  const algoConfig = algo.parse(upgrade(algo, asked.algo.version, given.algo.config as JsonObject, 'algo.version').config);
  if (asked.env.version === undefined) env.checkNew?.(env.schema.properties ?? {}, envConfig);
  const meta = env.meta(envConfig);
  checkFit(algo, algoConfig, meta, env.title);
  checkShaping(run, env, envConfig, meta, algo);
  checkStarts(run, env);
  const complete = {
    v: 1,
    env: { id: env.id, version: env.version, config: envConfig },
    algo: { id: algo.id, version: algo.version, config: algoConfig },
    run,
  } as unknown as CompleteConfig;
  if (run.executor === 'webgpu-rollouts') checkRollouts(complete, meta);
  return complete;
}

/** Starts of no episode are none. */
function withoutIdle(run: RunOptions): RunOptions {
  const { starts, ...rest } = run;
  return starts?.share === 0 ? rest : run;
}

/**
 * A complete config of an older version as one of the newest. With `resumed`, throws LabError('incompatible') where a rule has changed
 * since: going on would mix two of them.
 */
export function newestRun(config: CompleteConfig, env: EnvEntry, algo: AlgoEntry, resumed: boolean): CompleteConfig {
  const refs = {
    env: upgrade(env, config.env.version, config.env.config as JsonObject, 'env.version'),
    algo: upgrade(algo, config.algo.version, config.algo.config as JsonObject, 'algo.version', env.meta(config.env.config)),
  };
  const changed = [...refs.env.changed, ...refs.algo.changed];
  if (resumed && changed.length > 0) {
    const rules = changed.map(({ what }) => what).join(' ');
    throw fail('incompatible', `This run follows rules that have changed since: ${rules}`, 'Train it again from the start.', 'env.version');
  }
  return {
    ...config,
    env: { id: env.id, version: env.version, config: refs.env.config as CompleteConfig['env']['config'] },
    algo: { id: algo.id, version: algo.version, config: algo.parse(refs.algo.config) as CompleteConfig['algo']['config'] },
  };
}

/** Throws LabError('incompatible') saying why this algorithm cannot act there. */
export function checkFit(algo: AlgoEntry, config: unknown, meta: EnvMeta, envTitle: string): void {
  const kinds = new Set(meta.agents.map((group) => group.action.kind));
  if (algo.action !== 'any' && (kinds.size > 1 || !kinds.has(algo.action))) {
    const wants = algo.action === 'discrete' ? 'chooses among numbered actions' : 'gives continuous actions';
    throw fail('incompatible', `${algo.title} ${wants}; ${envTitle} asks for something else.`, 'Choose another algorithm.', 'algo.id');
  }
  if (algo.agents === 'one' && meta.agentCount > 1) {
    throw fail(
      'incompatible',
      `${algo.title} trains one agent; ${envTitle} has ${meta.agentCount}.`,
      'Choose another algorithm.',
      'algo.id',
    );
  }
  if (algo.learner !== 'none' && meta.actionSize === 0) {
    throw fail(
      'incompatible',
      `With these settings no agent in ${envTitle} makes decisions, so there is nothing to learn.`,
      'Let some members learn: set "learners" above 0, or choose the random policy to watch.',
      'env.learners',
    );
  }
  if (algo.learner === 'table' && meta.listed !== true && meta.agents.some((group) => group.obs.kind !== 'discrete')) {
    throw fail(
      'incompatible',
      `${algo.title} keeps a table over numbered states; ${envTitle} shows something richer.`,
      'Choose a network algorithm such as PPO or DQN.',
      'algo.id',
    );
  }
  algo.fits(meta, config);
}

function object(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (isObject(value)) return value;
  throw fail('config-invalid', `${what} must be an object.`, 'A run is { "env": { "id" }, "algo": { "id" } }.');
}

function known(value: { readonly [key: string]: unknown }, names: readonly string[], prefix: string): void {
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue;
    const field = prefix === '' ? key : `${prefix}.${key}`;
    throw fail('config-invalid', `There is no field "${field}".`, whichOf(field, names), field);
  }
}
