/** Settings that mean something in some worlds only: forms show them there, and wherever they are set. */
import type { EnvCard, FieldSchema } from '#contract/catalog/catalog.ts';
import { entitiesOf } from '#contract/game/spaces.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import type { JsonObject } from '#contract/kit/json.ts';

/** Names of such settings that have another value than their default, as one text. */
export const setDespite = ({ properties = {} }: FieldSchema, config: JsonObject): string =>
  Object.entries(properties)
    .filter(([key, { needs, default: usual }]) => needs !== undefined && config[key] !== undefined && !sameJson(config[key], usual ?? null))
    .map(([key]) => key)
    .join(' ');

const has = (env: Pick<EnvCard, 'obs'> | null, needs: NonNullable<FieldSchema['needs']>): boolean =>
  needs === 'entities' && env !== null && entitiesOf(env.obs) !== null;

/** The schema without the settings that this world gives no meaning; `set` as setDespite gives it. */
export function fitting(schema: FieldSchema, env: Pick<EnvCard, 'obs'> | null, set: string): FieldSchema {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([key, { needs }]) => needs === undefined || has(env, needs) || set.split(' ').includes(key),
  );
  return { ...schema, properties: Object.fromEntries(shown) };
}
