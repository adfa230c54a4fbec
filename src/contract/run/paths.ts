/**
 * Dotted names of config fields, as forms, `--set`, live edits and problems use them: `env.KEY`, `algo.KEY`, `run.KEY`;
 * further dots go on into objects and lists (`env.map.2`). Throws LabError('config-invalid') for a name outside these rooms.
 */

import { fail } from '../kit/errors.ts';
import { isObject, type Json, type JsonObject } from '../kit/json.ts';
import type { RunConfig } from './config.ts';
import { awake, flatConfig, nestedConfig, withKind } from './flat-settings.ts';

function split(path: string): { readonly room: 'env' | 'algo' | 'run'; readonly keys: readonly string[] } {
  const [room, ...keys] = path.split('.');
  if ((room !== 'env' && room !== 'algo' && room !== 'run') || keys.length === 0 || keys.includes('') || keys.includes('__proto__')) {
    throw fail('config-invalid', `"${path}" is not the name of a setting.`, 'Write env.KEY, algo.KEY or run.KEY.', path);
  }
  return { room, keys };
}

/** Value of a field, undefined where there is none. */
export function readPath(config: RunConfig, path: string): Json | undefined {
  const { room, keys } = split(path);
  return getAt(room === 'run' ? (config.run as JsonObject) : config[room].config, keys);
}

/** The part of a value at these keys, undefined where there is none. */
export function getAt(value: Json, keys: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as { readonly [key: string]: Json })[key];
  }
  return at;
}

/**
 * A copy of a value with the part at these keys set, undefined removing it; what is missing on the way becomes an object, and a word the kind of one
 * (`algo.memory=gru&algo.memory.units=8`, in either order). A list takes places from 0 to its length and is returned as it was for any other.
 */
export function setAt(into: JsonObject, keys: readonly string[], value: Json | undefined): JsonObject;
export function setAt(into: Json | undefined, keys: readonly string[], value: Json | undefined): Json;
export function setAt(into: Json | undefined, keys: readonly string[], value: Json | undefined): Json {
  const [key, ...rest] = keys as [string, ...string[]];
  if (Array.isArray(into)) {
    const list = into.slice() as Json[];
    const index = Number(key);
    if (!Number.isInteger(index) || index < 0 || index > list.length) return into;
    list[index] = rest.length === 0 ? (value as Json) : setAt(list[index], rest, value);
    return list;
  }
  const object: Record<string, Json> = isObject(into) ? { ...into } : typeof into === 'string' ? { kind: into } : {};
  if (rest.length > 0) object[key] = setAt(object[key], rest, value);
  else if (value === undefined) delete object[key];
  else object[key] = typeof value === 'string' && hasFieldsOnly(object[key]) ? { kind: value, ...object[key] } : value;
  return object;
}

/**
 * A copy of the config with this field set; undefined removes it. Everything else is shared. Where the kind of a variant is set, the fields
 * that the new kind has as well keep their values.
 */
export function writePath(config: RunConfig, path: string, value: Json | undefined): RunConfig {
  const { room, keys } = split(path);
  if (room === 'run') return { ...config, run: setAt(config.run as JsonObject, keys, value) as unknown as RunConfig['run'] };
  const ref = config[room];
  return { ...config, [room]: { ...ref, config: setField(ref.id, ref.config as JsonObject, keys, value) as typeof ref.config } };
}

const hasFieldsOnly = (value: Json | undefined): value is JsonObject => isObject(value) && !('kind' in value);

const isVariant = (value: Json | undefined): value is JsonObject => isObject(value) && 'kind' in value;

function setField(id: string, config: JsonObject, keys: readonly string[], value: Json | undefined): JsonObject {
  const [key = '', inner = ''] = keys;
  if (keys.length === 1) {
    // the flat name of the kind, or of the amount that chose it, as it was before there were variants
    const kind = isVariant(config[key]) && (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number');
    return setAt(kind ? flatConfig(id, config) : config, keys, value);
  }
  const now = nestedConfig(id, config);
  const variant = now[key];
  if (keys.length > 2 || !isVariant(variant)) return setAt(now, keys, value);
  return { ...now, [key]: inner === 'kind' ? withKind(variant, value) : setAt(awake(variant, inner), [inner], value) };
}
