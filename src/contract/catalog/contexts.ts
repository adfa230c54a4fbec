/**
 * Settings of an environment that are drawn anew for each episode: `env.config.contexts`. Each field of `draw` takes a value of its range or
 * list on its own; `list` holds whole settings of which one is drawn, for fields that belong together. With `tell`, agents see the drawn
 * numbers behind their observation.
 */
import { z } from 'zod';
import { checkedJson, FIRST_ISSUE, jsonObject, recordOf } from '../kit/bounded.ts';
import { fail } from '../kit/errors.ts';
import type { Json, JsonObject } from '../kit/json.ts';
import { getAt } from '../run/paths.ts';
import type { FieldSchema } from './catalog.ts';
import { fieldAt } from './field-check.ts';

/** Fields that are drawn on their own. */
export const MOST_DRAWN = 8;
/** Values of one field, and settings of `list`. */
export const MOST_CONTEXTS = 64;

const rangeSchema = z.strictObject({ from: z.number(), to: z.number(), scale: z.enum(['linear', 'log']).exactOptional() });
const drawSchema = z.union([rangeSchema, z.array(checkedJson).min(1).max(MOST_CONTEXTS)]);
const orderSchema = z.strictObject({
  /**
   * blocks: each setting of `list` in its turn for so many steps, then from the first again; turns: the next one in each episode; drift: within so
   * many steps from one setting to the next, then back to the first. Of what drifts each episode takes what it has come to.
   */
  by: z.enum(['blocks', 'turns', 'drift']),
  /** Of a block, or of the way from one setting to the next: environment steps, over all copies together. */
  steps: z.int().min(1).max(1e10).exactOptional(),
});
const contextsSchema = z.strictObject({
  draw: recordOf(drawSchema, 1000, z.string().min(1).max(200)).exactOptional(),
  list: z.array(jsonObject).min(1).max(MOST_CONTEXTS).exactOptional(),
  tell: z.boolean().exactOptional(),
  /** Settings of `list` are tasks, met one after the other instead of drawn. */
  order: orderSchema.exactOptional(),
  /** The place in `list` of the one task that is met; agents are still told which of all it is. */
  only: z
    .int()
    .min(0)
    .max(MOST_CONTEXTS - 1)
    .exactOptional(),
});

/** Both ends may be drawn; of a whole-number field, each number between them as often. */
export type ContextRange = z.infer<typeof rangeSchema>;
export type ContextDraw = z.infer<typeof drawSchema>;
export type Contexts = z.infer<typeof contextsSchema>;

export const isRange = (draw: ContextDraw): draw is ContextRange => !Array.isArray(draw);

const bad = (field: string, message: string, fix: string) => fail('config-invalid', message, fix, `env.${field}`);

/** What a config says of contexts; null: its settings are fixed. Throws LabError('config-invalid') with the field. */
export function contextsOf(config: JsonObject, schema: FieldSchema): Contexts | null {
  const given = config.contexts;
  if (given === undefined) return null;
  const parsed = contextsSchema.safeParse(given, FIRST_ISSUE);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = ['contexts', ...(issue?.path ?? [])].join('.');
    throw bad(at, `env.${at} is not valid: ${issue?.message ?? ''}.`, 'Write { "draw": { "FIELD": { "from": 0.5, "to": 2 } } }.');
  }
  const { draw = {}, list, tell, order, only } = parsed.data;
  const names = Object.keys(draw);
  if (names.length > MOST_DRAWN) throw bad('contexts.draw', `${names.length} fields are drawn.`, `Draw at most ${MOST_DRAWN} fields.`);
  for (const [name, one] of Object.entries(draw)) if (isRange(one)) checkRange(name, one, fieldAt(schema, name.split('.')));
  if (order !== undefined) checkOrder(order, list);
  if (only !== undefined && (order !== undefined || only >= (list?.length ?? 0)))
    throw bad('contexts.only', `There is no task ${only} to be met alone.`, 'Name a place in env.contexts.list, and give no order.');
  if (names.length === 0 && list === undefined) return null;
  return {
    ...(names.length > 0 && { draw }),
    ...(list !== undefined && { list }),
    ...(tell === true && { tell }),
    ...(order !== undefined && { order }),
    ...(only !== undefined && { only }),
  };
}

function checkOrder({ by, steps }: z.infer<typeof orderSchema>, list: Contexts['list']): void {
  const at = 'contexts.order';
  if (list === undefined || list.length < 2)
    throw bad(at, 'An order needs two tasks at least.', 'Give their settings in env.contexts.list.');
  if (by !== 'turns' && steps === undefined)
    throw bad(`${at}.steps`, 'Blocks, and what drifts, need a length.', 'Set env.contexts.order.steps.');
}

/** Tasks of a sequence: the config of each, complete, without order; null: this config has no sequence. */
export function tasksOf(config: JsonObject): readonly JsonObject[] | null {
  const { order, list, ...rest } = contextsIn(config) ?? {};
  if (order === undefined || list === undefined) return null;
  const alone = (item: JsonObject, only: number): Contexts => (rest.tell === true ? { ...rest, list, only } : { ...rest, list: [item] });
  return list.map((item, task) => ({ ...config, contexts: alone(item, task) }) as unknown as JsonObject);
}

/** A config as policies are judged in it: tasks of a sequence are drawn, one as often as another. */
export function withoutOrder(config: JsonObject): JsonObject {
  const contexts = contextsIn(config);
  if (contexts?.order === undefined) return config;
  const { order: _, ...drawn } = contexts;
  return { ...config, contexts: drawn } as unknown as JsonObject;
}

/** What a value of the field may be; '' where the schema does not say. */
function kindsOf(field: FieldSchema | undefined): readonly string[] {
  if (field === undefined) return [];
  if (field.anyOf !== undefined) return field.anyOf.flatMap(kindsOf);
  return [field.type ?? (field.enum === undefined ? '' : 'string')];
}

function checkRange(name: string, { from, to, scale }: ContextRange, field: FieldSchema | undefined): void {
  const at = `contexts.draw.${name}`;
  const kinds = kindsOf(field);
  if (!kinds.includes('number') && !kinds.includes('integer'))
    throw bad(at, `env.${name} is not a number, so it has no range.`, 'List its values: [ … ].');
  if (!(from <= to)) throw bad(at, `The range of env.${name} runs from ${from} to ${to}.`, 'Let "from" be at most "to".');
  if (kinds.includes('integer') && !(Number.isSafeInteger(from) && Number.isSafeInteger(to)))
    throw bad(at, `env.${name} is a whole number, but its range runs from ${from} to ${to}.`, 'Use whole numbers for both ends.');
  if (scale === 'log' && from <= 0)
    throw bad(at, `The range of env.${name} begins at ${from} on a logarithmic scale.`, 'Begin above 0, or leave out "scale".');
}

const RANGE = /^\s*(-?[\d.]+(?:e[-+]?\d+)?)\s*\.\.\s*(-?[\d.]+(?:e[-+]?\d+)?)(\s+log)?\s*$/i;

/** "0.5..2" and "0.001..1 log" as people type ranges; null: no such text. */
export function readRange(text: string): ContextRange | null {
  const found = RANGE.exec(text);
  if (found === null) return null;
  const [from, to] = [Number(found[1]), Number(found[2])];
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  return { from, to, ...(found[3] !== undefined && { scale: 'log' as const }) };
}

export const rangeAsText = ({ from, to, scale }: ContextRange): string => `${from}..${to}${scale === 'log' ? ' log' : ''}`;

/**
 * A config in which a number field holds the text of a range, or a field of one value holds a list of values, with those under
 * `contexts.draw` instead: so command lines, links and sweeps write `env.mass=0.5..2`. Everything else stays as it is.
 */
export function withTypedContexts(config: JsonObject, schemaOf: () => FieldSchema): JsonObject {
  const typed = Object.entries(config).filter(([, value]) => Array.isArray(value) || (typeof value === 'string' && RANGE.test(value)));
  if (typed.length === 0) return config;
  const { properties = {} } = schemaOf();
  const draws: { [field: string]: Json } = {};
  for (const [key, value] of typed) {
    const kinds = kindsOf(properties[key]);
    const number = kinds.includes('number') || kinds.includes('integer');
    if (typeof value === 'string' && number) draws[key] = readRange(value);
    if (Array.isArray(value) && kinds.length > 0 && kinds.every((kind) => SINGLE.includes(kind))) draws[key] = value;
  }
  if (Object.keys(draws).length === 0) return config;
  const fixed = Object.fromEntries(Object.entries(config).filter(([key]) => !(key in draws)));
  const before = (getAt(config, ['contexts']) ?? {}) as JsonObject;
  return { ...fixed, contexts: { ...before, draw: { ...((before.draw ?? {}) as JsonObject), ...draws } } };
}

/** Kinds of JSON Schema that are one value. */
const SINGLE: readonly string[] = ['number', 'integer', 'boolean', 'string', 'null'];

/** Paths into the config, in the order in which they are drawn; `list` sets the fields of its settings. */
export function drawnFields({ draw = {}, list = [] }: Contexts): readonly string[] {
  return [...new Set([...list.flatMap((item) => Object.keys(item)), ...Object.keys(draw)])];
}

/** The field of every environment's config. */
export const contextsField: FieldSchema = {
  type: 'object',
  title: 'contexts',
  description: 'Settings drawn anew for each episode, from ranges or lists; agents see the drawn numbers or not.',
  group: 'contexts',
  source: 'Hallak et al. 2015, contextual Markov decision processes',
  editor: 'contexts',
  additionalProperties: true,
};

/** The same contexts with a field drawn so, or as it is set (null); undefined: nothing is left to draw. */
export function withDraw(contexts: Contexts | undefined, field: string, draw: ContextDraw | null): Contexts | undefined {
  const { draw: before = {}, ...rest } = contexts ?? {};
  const { [field]: _, ...others } = before;
  const next = draw === null ? others : { ...others, [field]: draw };
  if (Object.keys(next).length > 0) return { ...rest, draw: next };
  return rest.list === undefined ? undefined : rest;
}

/** Contexts as a form reads them, whether or not they are valid; undefined: there are none. */
export function contextsIn(config: JsonObject): Contexts | undefined {
  if (config.contexts === undefined) return undefined; // the usual case, asked at every iteration of a run
  const parsed = contextsSchema.safeParse(config.contexts, FIRST_ISSUE);
  return parsed.success ? parsed.data : undefined;
}
