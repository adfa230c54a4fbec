/**
 * Configs: zod schema in, complete config or LabError('config-invalid') out, with the path of the field and what is allowed there.
 * Also the JSON Schema of a config, as the catalogue carries it.
 */
import { z } from 'zod';
import type { FieldSchema } from '#contract/catalog.ts';
import { fail, type LabError } from '#contract/errors.ts';

/** JSON Schema of what a user may write (defaults not filled), with the keywords set through `.meta()`. */
export function toFieldSchema(schema: z.ZodType): FieldSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      // what is prepared before it is read shows as what it is read as
      if (def.type !== 'pipe') return;
      const { in: from, out } = def as unknown as { readonly in: z.core.$ZodType; readonly out: z.ZodType };
      if (from._zod.def.type === 'transform') Object.assign(jsonSchema, toFieldSchema(out));
    },
  });
  const { $schema: _, ...rest } = json as { $schema?: string };
  return rest as FieldSchema;
}

/** `prefix` is the place of the config in a run: 'env' or 'algo'. */
export function parseConfig<C>(schema: z.ZodType<C>, config: unknown, prefix: string): C {
  const result = schema.safeParse(config);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  const path = issue.path.map(String);
  const field = [prefix, ...path].join('.');
  const fields = toFieldSchema(schema);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] as string;
    const known = Object.keys(fieldAt(fields, path)?.properties ?? {});
    throw fail('config-invalid', `There is no setting ${field}.${key}.`, `Settings: ${known.join(', ') || 'none'}.`, `${field}.${key}`);
  }
  if (issue.code === 'custom') throw fail('config-invalid', `${field}: ${issue.message}`, 'Change it or leave it out.', field);
  const value = path.reduce<unknown>(
    (v, key) => (typeof v === 'object' && v !== null ? (v as { [k: string]: unknown })[key] : undefined),
    config,
  );
  const allowed = fieldAt(fields, path);
  throw fail(
    'config-invalid',
    `${field} cannot be ${short(value)}.`,
    allowed === undefined ? `${issue.message}.` : `Allowed: ${describeField(allowed)}.`,
    field,
  );
}

/** Throws 'config-invalid' for a rule that a schema cannot say. */
export function badConfig(field: string, message: string, fix: string): LabError {
  return fail('config-invalid', message, fix, `env.${field}`);
}

function short(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function fieldAt(schema: FieldSchema, path: readonly string[]): FieldSchema | undefined {
  let at: FieldSchema | undefined = schema;
  for (const key of path) {
    const options: readonly FieldSchema[] = at?.anyOf ?? (at === undefined ? [] : [at]);
    at = options.map((o) => o.properties?.[key] ?? (/^\d+$/.test(key) ? o.items : undefined)).find((o) => o !== undefined);
  }
  return at;
}

/** One phrase: "integer, 1 or more". */
export function describeField(schema: FieldSchema): string {
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
