import { expect, test } from 'vitest';
import { z } from 'zod';
import { runOptionsSchema } from '#contract/config.ts';
import { budgetFields, evaluationFields } from './run-fields.ts';

test('the fields of a run are those of the contract', () => {
  const wanted = (z.toJSONSchema(runOptionsSchema) as { properties: Record<string, object> }).properties;
  const ours = { ...budgetFields.properties, ...evaluationFields.properties };
  const withoutDepth = Object.fromEntries(Object.entries(ours).map(([key, { depth: _, ...field }]) => [key, field] as const));
  expect(withoutDepth).toEqual(wanted);
});
