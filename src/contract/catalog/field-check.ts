/**
 * What can be told about a value from its schema alone, as the catalogue carries it: unknown settings, kinds, ranges, choices and numbers of
 * items. The page checks a draft with it; rules between fields, and whether algorithm and environment fit, the core checks.
 * The core's own checks refuse in the same words.
 */

import { fail, type LabError } from '../kit/errors.ts';
import { isObject, type Json } from '../kit/json.ts';
import { whichOf } from '../kit/nearest.ts';
import type { FieldSchema } from './catalog.ts';
import { kindField, kindsOf } from './variants.ts';

/** The first refusal in the order of the schema, as the core would give it; null: nothing that the schema forbids. `field`: path of the value. */
export function checkField(schema: FieldSchema, value: Json | undefined, field: string): LabError | null {
  return check(schema, value, field);
}

function check(schema: FieldSchema, value: Json | undefined, field: string): LabError | null {
  if (value === undefined) return null; // it takes its default, or is missed by the core
  const { anyOf, properties, items } = schema;
  if (schema.editor === 'variant') return checkVariant(schema, value, field);
  if (anyOf !== undefined) {
    const plain = anyOf.every((option) => option.properties === undefined && option.items === undefined && option.anyOf === undefined);
    return plain && anyOf.every((option) => check(option, value, field) !== null) ? refusedValue(field, value, schema) : null;
  }
  if (!isOf(schema, value)) return refusedValue(field, value, schema);
  if (Array.isArray(value) && items !== undefined) return firstOf(value.map((item, i) => () => check(items, item, `${field}.${i}`)));
  if (properties === undefined || !isObject(value)) return null;
  const own = value;
  const wrong = firstOf(
    Object.entries(properties).map(
      ([key, inner]) =>
        () =>
          check(inner, own[key], `${field}.${key}`),
    ),
  );
  const extra = schema.additionalProperties === false ? Object.keys(own).find((key) => !(key in properties)) : undefined;
  return wrong ?? (extra === undefined ? null : unknownSetting(field, extra, schema));
}

/** An older config may name the kind alone, or hold flat settings: those the core reads. */
function checkVariant(schema: FieldSchema, value: Json, field: string): LabError | null {
  if (!isObject(value)) return null;
  const { kind, idle: _, ...own } = value;
  const chosen = kindsOf(schema).find(({ name }) => name === kind);
  if (chosen === undefined) return kind === undefined ? null : refusedValue(`${field}.kind`, kind, kindField(schema));
  return check({ properties: chosen.fields, additionalProperties: false }, own, field);
}

function firstOf(checks: readonly (() => LabError | null)[]): LabError | null {
  for (const one of checks) {
    const wrong = one();
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Kind, range, choice and number of items of this value; not what is inside of it. */
function isOf(schema: FieldSchema, value: Json): boolean {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (schema.const !== undefined && schema.const !== value) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (type === undefined) return true;
  if (type === 'array') return Array.isArray(value) && value.length >= minItems && value.length <= maxItems;
  if (type === 'integer' || type === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value))) return false;
    const low = value >= (minimum ?? Number.NEGATIVE_INFINITY) && value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
    return low && value <= (maximum ?? Number.POSITIVE_INFINITY) && value < (exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  }
  const kind: string = type;
  if (kind === 'null') return value === null;
  return (kind !== 'boolean' && kind !== 'string') || typeof value === kind; // objects may be written in an older form, which the core reads
}

export function unknownSetting(field: string, key: string, schema: FieldSchema | undefined): LabError {
  const known = Object.keys(schema?.properties ?? {});
  return fail('config-invalid', `There is no setting ${field}.${key}.`, whichOf(key, known), `${field}.${key}`);
}

/** `otherwise` says why where no schema is known. */
export function refusedValue(field: string, value: unknown, schema: FieldSchema | undefined, otherwise = 'not valid'): LabError {
  const why = schema === undefined ? `${otherwise}.` : `Allowed: ${describeField(schema)}.`;
  return fail('config-invalid', `${field} cannot be ${short(value)}.`, why, field);
}

function short(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The schema of the value at this path; undefined: the schema says nothing of it. */
export function fieldAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const key of path) {
    if (at?.editor === 'variant' && key === 'kind') return kindField(at);
    const options: readonly FieldSchema[] = at?.anyOf ?? at?.oneOf ?? (at === undefined ? [] : [at]);
    at = options.map((o) => o.properties?.[key] ?? (/^\d+$/.test(key) ? o.items : undefined)).find((o) => o !== undefined);
  }
  return at;
}

/** One phrase: "integer, 1 or more". */
function describeField(schema: FieldSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeField).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((v) => String(v)).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const kind: string = schema.type ?? 'any value';
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  const bound = (v: number | undefined) => v !== undefined && Math.abs(v) < 9007199254740991;
  const parts = [kind];
  if (bound(low)) parts.push(schema.minimum === undefined ? `above ${low}` : `${low} or more`);
  if (bound(high)) parts.push(schema.maximum === undefined ? `below ${high}` : `${high} or less`);
  if (schema.minItems !== undefined) parts.push(`at least ${schema.minItems} items`);
  if (schema.maxItems !== undefined) parts.push(`at most ${schema.maxItems} items`);
  if (schema.items !== undefined) parts.push(`items: ${describeField(schema.items)}`);
  return parts.join(', ');
}
