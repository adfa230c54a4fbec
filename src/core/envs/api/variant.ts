/**
 * A variant: a setting that is one of several kinds, each with fields of its own, `bonus: { kind: 'RND', weight: 0.5, features: 64 }`. Forms,
 * links and docs show the fields of the kind that is chosen. A field that several kinds have keeps its value when the kind changes.
 *   bonus: variant('none', [kind('none', {}), kind('RND', { weight, features })], { title: 'exploration bonus', ... })
 * `idle` holds values that an older, flat config gave to fields of other kinds: they act nowhere, and are kept for its hash (ADR 15).
 */
import { z } from 'zod';
import type { FieldMeta } from '#contract/catalog/catalog.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import type { Json } from '#contract/kit/json.ts';

const idle = z
  .record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null(), z.array(z.number())]))
  .exactOptional()
  .meta({ editor: 'hidden' });

/** One kind with its fields, which all have defaults. */
export const kind = <const K extends string, S extends z.core.$ZodShape>(name: K, shape: S) =>
  z.strictObject({ kind: z.literal(name), ...shape, idle });

type Kind = z.core.$ZodTypeDiscriminable & { readonly shape: { readonly kind: z.ZodLiteral<string> } & z.core.$ZodShape };
type Fields = { [name: string]: unknown };

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const nameOf = ({ shape }: Kind): string => shape.kind.value;
const without = ({ kind: _, idle: __, ...fields }: Kind['shape']): z.core.$ZodShape => fields;

/**
 * A setting that is one of these kinds, by default the first named. A text in its place chooses a kind. `past`: fields that flat configs had
 * and no kind has; they are kept at rest.
 */
export function variant<const T extends readonly [Kind, ...Kind[]]>(
  value: z.output<T[number]>['kind' & keyof z.output<T[number]>],
  kinds: T,
  words: Pick<FieldMeta, 'title' | 'description' | 'source' | 'depth' | 'group' | 'needs'>,
  past: z.core.$ZodShape = {},
) {
  const usual = String(value);
  return z
    .preprocess((given, context) => settled(kinds, usual, past, given, context), z.discriminatedUnion('kind', kinds))
    .prefault({ kind: usual })
    .meta({ ...words, editor: 'variant' });
}

/** Fields at rest that the kind has come to life; values of other kinds stay at rest unless they are the defaults. */
function settled(kinds: readonly Kind[], usual: string, past: z.core.$ZodShape, given: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof given === 'string') return { kind: given };
  if (!isObject(given)) return given;
  const { idle: resting, ...own }: Fields = { kind: usual, ...given };
  const chosen = kinds.find((one) => nameOf(one) === own.kind);
  if (chosen === undefined) return own; // refused by the union
  const others = kinds.filter((one) => one !== chosen);
  const refuse = (name: string, message: string): void => {
    context.issues.push({ code: 'custom', message, path: [name], input: given });
  };
  const having = (name: string): readonly Kind[] => others.filter(({ shape }) => Object.hasOwn(without(shape), name));
  const acting = without(chosen.shape);
  for (const name of Object.keys(own)) {
    if (name === 'kind' || Object.hasOwn(acting, name) || having(name).length === 0) continue;
    const where = having(name).map((one) => `"${nameOf(one)}"`);
    refuse(name, `it acts only where the kind is ${where.join(' or ')}, and here it is "${String(own.kind)}".`);
  }
  const kept: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(isObject(resting) ? resting : {})) {
    const field = having(name)[0]?.shape[name] ?? (Object.hasOwn(past, name) ? past[name] : undefined);
    if (Object.hasOwn(acting, name)) own[name] = value;
    else if (field === undefined || !z.safeParse(field, value).success)
      refuse(name, 'there is no such field, or it cannot have this value.');
    else if (!sameJson(z.safeParse(field, undefined).data, value)) kept[name] = value as Json;
  }
  return Object.keys(kept).length === 0 ? own : { ...own, idle: kept };
}
