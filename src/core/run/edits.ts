/** Changes while a run goes on: fields of the algorithm and of the environment whose schema says `live`. */
import type { FieldSchema } from '#contract/catalog.ts';
import { fail } from '#contract/errors.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import type { Memory } from './session-memory.ts';

interface Room {
  readonly schema: FieldSchema;
  parse(config: unknown): JsonObject;
}

/** The value as the config will hold it. Throws LabError('config-invalid') for fields that are not live and values not allowed. */
export function checkEdit(memory: Memory, algo: Room, env: Room, path: string, value: Json): Json {
  const live = [...liveFields('algo', algo.schema), ...liveFields('env', env.schema)];
  if (!live.includes(path)) {
    throw fail('config-invalid', `"${path}" cannot change while the run goes on.`, `These can: ${live.join(', ') || 'none'}.`, path);
  }
  const [room, field] = split(path);
  const complete = room === 'env' ? env.parse({ ...memory.env, [field]: value }) : algo.parse({ ...memory.live, [field]: value });
  return complete[field] as Json;
}

/** Takes a checked value over and writes it down. */
export function applyEdit(memory: Memory, path: string, value: Json): void {
  const [room, field] = split(path);
  if (room === 'env') memory.env = { ...memory.env, [field]: value };
  else memory.live[field] = value;
  memory.edits.push({ step: memory.step, path, value });
}

function split(path: string): readonly [room: string, field: string] {
  const dot = path.indexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}

function liveFields(room: string, schema: FieldSchema): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => (node.live === true ? [`${room}.${name}`] : []));
}
