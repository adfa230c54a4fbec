/**
 * Configs: zod schema in, complete config or LabError('config-invalid') out, with the path of the field and what is allowed there.
 * Also the JSON Schema of a config, as the catalogue carries it.
 */
import { z } from 'zod';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fieldAt, refusedValue, unknownSetting } from '#contract/catalog/field-check.ts';
import { fail, type LabError } from '#contract/kit/errors.ts';

/** JSON Schema of what a user may write (defaults not filled), with the keywords set through `.meta()`. */
export function toFieldSchema(schema: z.ZodType): FieldSchema {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (jsonSchema.properties?.idle !== undefined && isHidden(jsonSchema.properties.idle)) delete jsonSchema.properties.idle;
      // what is prepared before it is read shows as what it is read as
      if (def.type !== 'pipe') return;
      const { in: from, out } = def as unknown as { readonly in: z.core.$ZodType; readonly out: z.ZodType };
      if (from._zod.def.type === 'transform' || from._zod.def.type === 'custom') Object.assign(jsonSchema, toFieldSchema(out));
    },
  });
  const { $schema: _, ...rest } = json as { $schema?: string };
  return rest as FieldSchema;
}

/** What is kept for the hash of an older config (variant.ts) is no field for people. */
const isHidden = (field: object | boolean): boolean => typeof field === 'object' && 'editor' in field && field.editor === 'hidden';

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
    throw unknownSetting(field, key, fieldAt(fields, path));
  }
  if (issue.code === 'custom') throw fail('config-invalid', `${field}: ${issue.message}`, 'Change it or leave it out.', field);
  const value = path.reduce<unknown>(
    (v, key) => (typeof v === 'object' && v !== null ? (v as { [k: string]: unknown })[key] : undefined),
    config,
  );
  throw refusedValue(field, value, fieldAt(fields, path), issue.message);
}

/** Throws 'config-invalid' for a rule that a schema cannot say. */
export function badConfig(field: string, message: string, fix: string): LabError {
  return fail('config-invalid', message, fix, `env.${field}`);
}
