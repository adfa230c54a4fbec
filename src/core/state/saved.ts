/** Joins the saved states of parts (environment, engine, generators) into one flat Saved and takes them apart again. */

import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';

/**
 * Arrays of part `env` become `env/<name>`, its meta stands in meta.parts.env. Names of arrays that will never change again
 * (full replay chunks) are collected in meta.sealed, so that a store may write them once.
 */
export function joinSaved(meta: JsonObject, parts: { readonly [name: string]: Saved }, arrays: Saved['arrays'] = {}): Saved {
  const joined: Record<string, Saved['arrays'][string]> = { ...arrays };
  const metas: Record<string, JsonObject> = {};
  const sealed: string[] = [];
  for (const [part, saved] of Object.entries(parts)) {
    metas[part] = saved.meta;
    for (const [name, data] of Object.entries(saved.arrays)) joined[`${part}/${name}`] = data;
    for (const name of sealedNames(saved)) sealed.push(`${part}/${name}`);
  }
  const own = (meta as { readonly sealed?: readonly string[] }).sealed ?? [];
  return { meta: { ...meta, parts: metas, sealed: [...own, ...sealed] }, arrays: joined };
}

/** The part of this name as it was given to joinSaved. */
export function partOf(saved: Saved, part: string): Saved {
  const metas = saved.meta.parts as { readonly [name: string]: JsonObject } | undefined;
  const arrays: Record<string, Saved['arrays'][string]> = {};
  for (const [name, data] of Object.entries(saved.arrays)) {
    if (name.startsWith(`${part}/`)) arrays[name.slice(part.length + 1)] = data;
  }
  return { meta: metas?.[part] ?? {}, arrays };
}

export function sealedNames(saved: Saved): readonly string[] {
  const names: Json | undefined = saved.meta.sealed;
  return Array.isArray(names) ? (names as string[]) : [];
}
