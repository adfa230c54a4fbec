/** Reads a typed config against the catalogue: what it means, which keys are unknown, or the first thing that is wrong with it. */
import type { Catalog, FieldSchema } from '#contract/catalog/catalog.ts';
import { isObject, type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { type RunConfig, runConfigSchema } from '#contract/run/config.ts';
import { nestedConfig } from '#contract/run/flat-settings.ts';

export interface Checked {
  readonly config: RunConfig | null;
  readonly error: string;
  readonly warnings: readonly string[];
}

const refused = (error: string): Checked => ({ config: null, error, warnings: [] });

export function checkConfigText(text: string, catalog: Catalog): Checked {
  try {
    return checkConfig(readJson(text), catalog);
  } catch (error) {
    return refused(`This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The same for a config that is an object already, such as an experiment's, which names only what differs from the defaults. */
export function checkConfig(json: Json, catalog: Catalog): Checked {
  if (!isObject(json)) return refused('A config is an object with env, algo and run.');
  const parsed = runConfigSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refused(`${issue?.path.join('.') || 'config'}: ${issue?.message ?? 'not valid'}.`);
  }
  const env = { ...parsed.data.env, config: nestedConfig(parsed.data.env.id, parsed.data.env.config) };
  const algo = { ...parsed.data.algo, config: nestedConfig(parsed.data.algo.id, parsed.data.algo.config) };
  const envCard = catalog.envs.find((card) => card.id === env.id);
  const algoCard = catalog.algos.find((card) => card.id === algo.id);
  if (envCard === undefined)
    return refused(
      `There is no environment “${env.id}”. ${whichOf(
        env.id,
        catalog.envs.map((card) => card.id),
      )}`,
    );
  if (algoCard === undefined)
    return refused(
      `There is no algorithm “${algo.id}”. ${whichOf(
        algo.id,
        catalog.algos.map((card) => card.id),
      )}`,
    );

  const object = json as JsonObject;
  const warnings = [
    ...unknown('', object, ['v', 'env', 'algo', 'run']),
    ...unknown('run', object.run, Object.keys(runConfigSchema.shape.run.unwrap().shape)),
    ...unknown('env', object.env, ['id', 'version', 'config']),
    ...unknown('algo', object.algo, ['id', 'version', 'config']),
    ...unknown('env.config', env.config, known(envCard.schema)),
    ...unknown('algo.config', algo.config, known(algoCard.schema)),
  ];
  const config: RunConfig = {
    ...parsed.data,
    env: { ...env, config: { ...envCard.defaults, ...only(env.config, known(envCard.schema)) } },
    algo: { ...algo, config: { ...algoCard.defaults, ...only(algo.config, known(algoCard.schema)) } },
  };
  return { config, error: '', warnings };
}

const known = (schema: FieldSchema) => Object.keys(schema.properties ?? {});

function only(config: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([key]) => keys.includes(key)));
}

function unknown(where: string, value: Json | undefined, allowed: readonly string[]): readonly string[] {
  return Object.keys(objectOf(value))
    .filter((key) => !allowed.includes(key))
    .map((key) => `Unknown key “${where === '' ? key : `${where}.${key}`}”. Allowed here: ${allowed.join(', ') || 'nothing'}.`);
}
