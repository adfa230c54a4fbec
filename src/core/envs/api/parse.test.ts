import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LabError } from '#contract/kit/errors.ts';
import { parseConfig, toFieldSchema } from './parse.ts';

const schema = z.strictObject({
  size: z.int().min(2).max(9).default(4).meta({ title: 'size', unit: 'cells', description: 'A size.', log: true }),
  rate: z.number().gt(0).max(1).nullable().default(null),
  kind: z.enum(['a', 'b']).default('a'),
  rows: z.array(z.int().min(0)).min(1).default([1]),
});

function failure(config: unknown) {
  try {
    parseConfig(schema, config, 'env');
  } catch (error) {
    return (error as LabError).failure;
  }
  throw new Error('it was accepted');
}

describe('configs', () => {
  it('are filled', () => {
    expect(parseConfig(schema, { kind: 'b' }, 'env')).toEqual({ size: 4, rate: null, kind: 'b', rows: [1] });
  });

  it('say which field is wrong, what it was and what is allowed', () => {
    expect(failure({ size: 1 })).toMatchObject({
      id: 'config-invalid',
      field: 'env.size',
      message: 'env.size cannot be 1.',
      fix: 'Allowed: integer, 2 or more, 9 or less.',
    });
    expect(failure({ size: '3' })).toMatchObject({ field: 'env.size', message: 'env.size cannot be "3".' });
    expect(failure({ rate: 2 })).toMatchObject({ field: 'env.rate', fix: expect.stringContaining('above 0') });
    expect(failure({ kind: 'c' })).toMatchObject({ field: 'env.kind', fix: 'Allowed: a, b.' });
    expect(failure({ rows: [1, -1] })).toMatchObject({ field: 'env.rows.1' });
    expect(failure({ colour: 1 })).toMatchObject({ field: 'env.colour', fix: 'Use one of: size, rate, kind, rows.' });
    expect(failure(3)).toMatchObject({ id: 'config-invalid', field: 'env' });
  });

  it('become JSON Schema with our own keywords', () => {
    const { properties } = toFieldSchema(schema);
    expect(properties?.size).toEqual({
      title: 'size',
      unit: 'cells',
      description: 'A size.',
      log: true,
      type: 'integer',
      minimum: 2,
      maximum: 9,
      default: 4,
    });
    expect(properties?.rate?.anyOf?.map((o) => o.type)).toEqual(['number', 'null']);
  });
});
