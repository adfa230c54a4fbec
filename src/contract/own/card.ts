/** The card of an environment as a sandbox describes it: every text, list and number of it bounded. What the page itself knows, it writes itself. */
import { z } from 'zod';
import type { EnvCard, FieldSchema } from '../catalog/catalog.ts';
import { checkedJson, recordOf } from '../kit/bounded.ts';
import { anyNumber, count, jsonObject, words } from './lab.ts';
import { layoutSchema } from './sandbox-layouts.ts';

const path = words(200);
/** Editors that take a value of one of these kinds; others ask for parts of a card that a sandbox does not give. */
const editor = z.enum(['seats', 'contexts', 'variant', 'hidden']);

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z.strictObject({
    title: words(300).exactOptional(),
    description: words(1000).exactOptional(),
    unit: words(60).exactOptional(),
    empty: words(60).exactOptional(),
    source: words(300).exactOptional(),
    log: z.boolean().exactOptional(),
    slider: z.tuple([z.number(), z.number()]).exactOptional(),
    live: z.boolean().exactOptional(),
    depth: z.enum(['teach', 'lab', 'research']).exactOptional(),
    group: words(60).exactOptional(),
    editor: editor.exactOptional(),
    type: z.enum(['number', 'integer', 'boolean', 'string', 'array', 'object']).exactOptional(),
    enum: z.array(checkedJson).max(100).exactOptional(),
    const: checkedJson.exactOptional(),
    default: checkedJson.exactOptional(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    exclusiveMinimum: z.number().exactOptional(),
    exclusiveMaximum: z.number().exactOptional(),
    items: fieldSchema.exactOptional(),
    minItems: count(1e6).exactOptional(),
    maxItems: count(1e6).exactOptional(),
    properties: recordOf(fieldSchema, 1000, path).exactOptional(),
    additionalProperties: z.union([z.boolean(), fieldSchema]).exactOptional(),
    anyOf: z.array(fieldSchema).max(40).exactOptional(),
    oneOf: z.array(fieldSchema).max(40).exactOptional(),
  }),
);

const numbers = z.array(z.number()).max(10_000);
const labels = z.array(words(100)).max(10_000);
const obs = z.union([
  z.strictObject({
    kind: z.literal('box'),
    shape: z.array(count(100_000)).min(1).max(4),
    low: z.number().nullable(),
    high: z.number().nullable(),
    labels: labels.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('discrete'), n: count(1_000_000) }),
  z.strictObject({
    kind: z.literal('grid'),
    shape: z.tuple([count(1000), count(1000), count(100)]),
    codes: z.array(count(1000)).max(100),
    extra: count(100_000),
  }),
]);
const action = z.union([
  z.strictObject({ kind: z.literal('discrete'), n: count(10_000), labels }).refine(({ n, labels: named }) => named.length === n, 'labels'),
  z
    .strictObject({ kind: z.literal('box'), size: count(1000), low: numbers, high: numbers, labels })
    .refine(({ size, low, high, labels: named }) => [low, high, named].every(({ length }) => length === size), 'sizes'),
]);
const metric = z.strictObject({
  id: words(60),
  title: words(300),
  description: words(1000),
  unit: words(60).exactOptional(),
  startOf: z.array(words(60)).max(20).exactOptional(),
  bounds: z.array(words(60)).max(20).exactOptional(),
});
const axis = z.strictObject({
  name: words(100),
  component: count(1000),
  less: z.array(words(20)).max(8),
  more: z.array(words(20)).max(8),
  low: z.number(),
  high: z.number(),
  rest: z.number(),
  stick: z.enum(['leftX', 'leftY', 'rightX', 'rightY']).exactOptional(),
});

/** Of an environment's card what its code may say. */
export const ownCardSchema: z.ZodType<Omit<EnvCard, 'family' | 'source' | 'changes'>> = z
  .object({
    id: words(60),
    version: count(1000).min(1),
    title: words(400),
    summary: words(1000),
    schema: fieldSchema,
    defaults: jsonObject,
    presets: z.array(z.strictObject({ id: words(60), title: words(300), config: jsonObject })).max(100),
    agents: count(10_000).min(1),
    roster: z.array(words(60)).max(10_000),
    groups: z
      .array(z.strictObject({ names: z.array(words(60)).max(10_000), obs, action }))
      .min(1)
      .max(1000),
    obs,
    action,
    rewards: z.array(words(60)).min(1).max(20),
    terms: z
      .array(z.strictObject({ id: words(60), title: words(300), weights: z.array(words(60)).max(20) }))
      .max(40)
      .exactOptional(),
    costs: z.array(words(60)).max(20),
    score: words(300),
    gamma: z.number().min(0).max(1),
    masked: z.boolean(),
    state: z
      .array(
        z.strictObject({ name: words(100), shape: z.array(count(1_000_000)).max(6), unit: words(60).exactOptional(), doc: words(1000) }),
      )
      .max(1000),
    measures: z.array(metric).max(200),
    policies: z.array(words(60)).max(60),
    frame: layoutSchema as z.ZodType<EnvCard['frame']>,
    maxSteps: count(1e9),
    evalMaxSteps: count(1e9),
    references: z.array(z.strictObject({ name: words(100), value: anyNumber, source: words(500) })).max(40),
    keys: z.array(z.array(words(40)).max(10)).max(10_000),
    axes: z.array(axis).max(100).exactOptional(),
    idleAction: count(10_000).nullable(),
    fps: z.number().min(0.1).max(240),
    recommended: z.strictObject({ algo: words(60), config: jsonObject, steps: count(1e10).min(1) }),
    learnNote: words(1000).exactOptional(),
    unrewarded: z.literal(true).exactOptional(),
    before: words(60).exactOptional(),
  })
  .refine(({ agents, groups }) => groups.reduce((sum, { names }) => sum + names.length, 0) === agents, 'agents');
