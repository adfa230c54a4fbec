import { expect, it } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindsOf } from '#contract/catalog/variants.ts';
import { onceFlat, variantsOf } from '#contract/run/flat-settings.ts';
import { getAlgo } from '../all.ts';
import golden from '../golden/settings.json' with { type: 'json' };

/** How a field is shown: free to change. All else (key, kind, default, range, source) is in links, files and results. */
const WORDS = new Set(['title', 'description', 'unit', 'slider', 'log', 'live', 'depth', 'group', 'empty', 'needs']);

type Fields = { readonly [key: string]: FieldSchema };

const stored = (field: FieldSchema): object =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([key]) => !WORDS.has(key))
      .map(([key, value]) => {
        if (key === 'properties') return [key, storedEach(field.properties ?? {})];
        if (key === 'oneOf') return [key, (field.oneOf ?? []).map(stored)];
        return [key, value];
      })
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

const storedEach = (fields: Fields): object => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, stored(field)]));

/** Fields by the names that they are hashed under: those of a variant that was flat once by its flat names (contract/run/flat-settings.ts). */
function flatFields(id: string, properties: Fields): { readonly [name: string]: object } {
  const variants = variantsOf(id);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, field]): [string, object][] => {
      const flat = variants.find((one) => one.key === key);
      if (flat === undefined) return [[key, stored(field)]];
      const kinds = kindsOf(field);
      const { source, default: value } = field;
      const usual = (value as { readonly kind: string }).kind;
      const inner = kinds.flatMap(({ fields }) => Object.entries(fields));
      const { amounts = [] } = flat;
      // an end was null where nothing fell
      const end = ({ minimum, exclusiveMinimum, maximum, type, ...own }: FieldSchema): FieldSchema => {
        const number = Object.fromEntries(
          Object.entries({ minimum, exclusiveMinimum, maximum, type }).filter(([, value]) => value !== undefined),
        );
        return { ...own, anyOf: own.anyOf ?? ([number, { type: 'null' }] as unknown as FieldSchema[]), default: null };
      };
      // an amount was 0 where it was off, and could be 0
      const amount = (name: string, { exclusiveMinimum: _, ...own }: FieldSchema): FieldSchema => ({
        ...own,
        minimum: 0,
        default: kinds.find((kind) => kind.name === usual)?.fields[name]?.default ?? 0,
      });
      const before = ([name, own]: [string, FieldSchema]): [string, object] => [
        flat.fields[name]?.[0] ?? `${key}.${name}`,
        stored(amounts.includes(name) ? (flat.by === 'end' ? end(own) : amount(name, own)) : own),
      ];
      if (flat.by === 'amount' || flat.by === 'end') return inner.map(before);
      const choice = flat.by === 'flag' ? { type: 'boolean' } : { enum: kinds.map(({ name }) => name), type: 'string' };
      const chosen = { default: flat.by === 'flag' ? usual === 'on' : usual, ...choice, ...(source !== undefined && { source }) };
      return [[flat.field, chosen], ...inner.map(before)];
    }),
  );
}

it.each(onceFlat)('what hashes of %s take for flat settings that do not act is what their defaults were', (id) => {
  const { properties = {} } = getAlgo(id).schema;
  for (const { key, by, fields, amounts = [] } of variantsOf(id)) {
    const off = by === 'end' ? null : 0;
    const now = Object.assign({}, ...kindsOf(properties[key] ?? {}).map((kind) => kind.fields)) as {
      readonly [inner: string]: FieldSchema;
    };
    const acting = Object.entries(fields).filter(([inner]) => Object.hasOwn(now, inner));
    expect(Object.fromEntries(acting.map(([inner, [, value]]) => [inner, value]))).toEqual(
      Object.fromEntries(Object.entries(now).map(([inner, field]) => [inner, amounts.includes(inner) ? off : field.default])),
    );
  }
});

// Recorded before settings were written once for all methods. A method whose settings change gets a new version and a new record; one that
// is not recorded is new, and its first links hold what it begins with. A setting that came later (contract/run/flat-settings.ts) joins the record.
const recorded = golden as unknown as Readonly<Record<string, Fields>>;
it.each(Object.entries(recorded))('the settings of %s have the keys, defaults, ranges and sources they had', (id, settings) => {
  const { properties = {} } = getAlgo(id).schema;
  expect(flatFields(id, properties)).toEqual(storedEach(settings));
});
