import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { runOptionsSchema } from '#contract/run/config.ts';
import { budgetFields, evaluationFields, shapingFields, startsFields } from './run-fields.ts';

test('the fields of a run are those of the contract', () => {
  const wanted = (z.toJSONSchema(runOptionsSchema) as { properties: Record<string, object> }).properties;
  const { starts: begun } = startsFields.properties as { starts: FieldSchema };
  const ours = { ...budgetFields.properties, ...evaluationFields.properties, ...shapingFields.properties };
  const withoutDepth = Object.fromEntries(Object.entries(ours).map(([key, { depth: _, ...field }]) => [key, field] as const));
  const { shaping, starts, ...others } = wanted as typeof wanted & { readonly shaping: { readonly required?: unknown } };
  const { required: _, ...painted } = shaping;
  expect(withoutDepth).toEqual({ ...others, shaping: painted });
  const plain = Object.entries(begun.properties ?? {}).map(([key, { depth: _depth, ...field }]) => [key, field] as const);
  const { required: _all, ...stored } = starts as typeof starts & { readonly required?: unknown };
  expect({ ...begun, properties: Object.fromEntries(plain) }).toEqual(stored);
});
