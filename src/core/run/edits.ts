/** Changes while a run goes on: fields of the algorithm and of the environment whose schema says `live`. */
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindsOf } from '#contract/catalog/variants.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { getAt, setAt } from '#contract/run/paths.ts';
import type { Memory } from './session-memory.ts';

interface Room {
  readonly schema: FieldSchema;
  parse(config: unknown): JsonObject;
}

/** The value as the config will hold it. Throws LabError('config-invalid') for fields that are not live and values not allowed. */
export function checkEdit(memory: Memory, algo: Room, env: Room, path: string, value: Json): Json {
  const live = [...liveFields('algo', algo.schema, memory.live), ...liveFields('env', env.schema, memory.env)];
  if (!live.includes(path)) {
    throw fail('config-invalid', `"${path}" cannot change while the run goes on.`, `These can: ${live.join(', ') || 'none'}.`, path);
  }
  const [room, ...keys] = path.split('.');
  const complete = room === 'env' ? env.parse(setAt(memory.env, keys, value)) : algo.parse(setAt(memory.live, keys, value));
  return getAt(complete, keys) as Json; // a live field is in the schema, so the completed config has it
}

/** Of a variant those of the kind that `config` has. */
function liveFields(path: string, schema: FieldSchema, config: Json | undefined): readonly string[] {
  const chosen = kindsOf(schema).find(({ name }) => name === getAt(config ?? null, ['kind']));
  return Object.entries(chosen?.fields ?? schema.properties ?? {}).flatMap(([name, node]) => [
    ...(node.live === true ? [`${path}.${name}`] : []),
    ...liveFields(`${path}.${name}`, node, getAt(config ?? null, [name])),
  ]);
}
