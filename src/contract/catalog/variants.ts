/** Variants in the catalogue: fields that are one of several kinds, each with fields of its own (editor 'variant'; core/envs/api/variant.ts). */

import { type Json, type JsonObject, objectOf } from '../kit/json.ts';
import type { FieldSchema } from './catalog.ts';

export interface Kind {
  readonly name: string;
  readonly fields: { readonly [key: string]: FieldSchema };
}

/** The kinds of a variant; empty for other fields. */
export function kindsOf(schema: FieldSchema): readonly Kind[] {
  if (schema.editor !== 'variant') return [];
  return (schema.oneOf ?? []).map(({ properties = {} }) => {
    const { kind, ...fields } = properties;
    return { name: String(kind?.const), fields };
  });
}

/** The field that chooses the kind, as one of its own. */
export function kindField(schema: FieldSchema): FieldSchema {
  const { oneOf: _, editor: __, default: value, ...words } = schema;
  const usual = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  return { ...words, type: 'string', enum: kindsOf(schema).map(({ name }) => name), default: usual as Json };
}

/** The value of a variant whose kind becomes another: fields that both have keep their values, new ones have their defaults. */
export function switchedTo(schema: FieldSchema, value: Json | undefined, name: string): JsonObject {
  const before = objectOf(value);
  const fields = kindsOf(schema).find((kind) => kind.name === name)?.fields ?? {};
  const values = Object.entries(fields).map(([key, field]) => [key, before[key] ?? field.default ?? null] as const);
  return { kind: name, ...Object.fromEntries(values) };
}
