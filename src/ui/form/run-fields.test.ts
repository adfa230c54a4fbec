import { expect, test } from 'vitest';
import { z } from 'zod';
import { runOptionsSchema } from '#contract/config.ts';
import { budgetFields, evaluationFields, shapingFields } from './run-fields.ts';

test('the fields of a run are those of the contract', () => {
  const wanted = (z.toJSONSchema(runOptionsSchema) as { properties: Record<string, object> }).properties;
  const ours = { ...budgetFields.properties, ...evaluationFields.properties, ...shapingFields.properties };
  const withoutDepth = Object.fromEntries(Object.entries(ours).map(([key, { depth: _, ...field }]) => [key, field] as const));
  const { shaping, ...others } = wanted as typeof wanted & { readonly shaping: { readonly required?: unknown } };
  const { required: _, ...painted } = shaping;
  expect(withoutDepth).toEqual({ ...others, shaping: painted });
});
