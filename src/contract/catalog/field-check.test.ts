import { describe, expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { LabError } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '../../core/algos/all.ts';
import { buildCatalog } from '../../core/catalog.ts';
import { getEnv } from '../../core/envs/all.ts';
import { checkField } from './field-check.ts';

const { envs, algos } = buildCatalog();
const cards = [
  ...envs.map((card) => ({ room: 'env', card, parse: getEnv(card.id).parse })),
  ...algos.map((card) => ({ room: 'algo', card, parse: getAlgo(card.id).parse })),
];

test('defaults and presets of the whole catalogue are accepted', () => {
  const refused = cards.flatMap(({ room, card }) =>
    [card.defaults, ...card.presets.map(({ config }) => config)].flatMap((config) => checkField(card.schema, config, room)?.failure ?? []),
  );
  expect(refused).toEqual([]);
});

/** Values that the schema of a plain field forbids. */
function wrongFor({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, enum: choices }: FieldSchema): readonly Json[] {
  if (choices !== undefined) return ['no such choice'];
  if (type === 'boolean') return ['yes', 1];
  if (type !== 'number' && type !== 'integer') return [];
  const beyond = (limit: number | undefined, by: number): number[] => (limit === undefined || Math.abs(limit) > 1e15 ? [] : [limit + by]);
  return [
    'many',
    ...(type === 'integer' ? [0.5] : []),
    ...beyond(minimum, -1),
    ...beyond(maximum, 1),
    ...beyond(exclusiveMinimum, 0),
    ...beyond(exclusiveMaximum, 0),
  ];
}

describe('what is refused, the core refuses in the same words', () => {
  const failureOf = (parse: (config: unknown) => unknown, config: JsonObject) => {
    try {
      parse(config);
    } catch (error) {
      if (error instanceof LabError) return error.failure;
      throw error;
    }
    return null;
  };
  const firstOfFamilies = cards.filter(({ card }, i) => cards.findIndex((other) => other.card.family === card.family) === i);
  test.each(firstOfFamilies.map((one) => ({ id: one.card.id, ...one })))('$room $id', ({ room, card, parse }) => {
    const configs = Object.entries(card.schema.properties ?? {}).flatMap(([key, field]) =>
      wrongFor(field).map((value) => ({ [key]: value })),
    );
    const { message, field } = checkField(card.schema, { noSuchSetting: 1 }, room)?.failure ?? {};
    expect(message).toBe(`There is no setting ${room}.noSuchSetting.`);
    expect(failureOf(parse, { noSuchSetting: 1 })).toMatchObject({ message, field });
    for (const config of configs) {
      const refused = checkField(card.schema, config, room)?.failure ?? null;
      expect(refused, JSON.stringify(config)).not.toBeNull();
      expect(refused).toEqual(failureOf(parse, config));
    }
  });
});
