/**
 * What one draw of contexts is: numbers that stand in the saved state of a row. Of a range the value itself, of a list the place in it; where
 * settings drift, a place between two of them.
 * From them follow the settings of the row and what agents are told.
 */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { type ContextDraw, type Contexts, isRange } from '#contract/catalog/contexts.ts';
import { fieldAt } from '#contract/catalog/field-check.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { getAt, setAt } from '#contract/run/paths.ts';
import { exp, log } from '#math/functions.ts';
import type { Rng } from '#math/rng.ts';
import type { EnvMeta } from './types.ts';

export interface ContextDraws {
  /** Names of the numbers of a draw, in order: `list` first where there is one. */
  readonly names: readonly string[];
  /** Of the numbers agents are told: a name for each drawn field. */
  readonly told: readonly string[];
  /** How many of these are of the settings of the list; they come first. */
  readonly listed: number;
  /** Draws all numbers into out [names]. `met`: which task of a sequence is met, where there is one. */
  draw(rng: Rng, out: Float64Array, met: number): void;
  /** The settings of a draw over `base`, which is complete. */
  settings(base: JsonObject, drawn: Float64Array): JsonObject;
  /** What agents are told of a draw, into out from `at` on. */
  tell(drawn: Float64Array, out: Float32Array, at: number): void;
  /** Throws LabError('state-invalid') for numbers that no draw gives. */
  check(drawn: Float64Array): void;
}

/** A config with contexts that was checked. */
export interface Drawn {
  /** Complete, without contexts. */
  readonly base: JsonObject;
  readonly contexts: Contexts;
  readonly draws: ContextDraws;
  readonly meta: EnvMeta;
}

const whole = (schema: FieldSchema, field: string): boolean => fieldAt(schema, field.split('.'))?.type === 'integer';

function drawOne(draw: ContextDraw, integer: boolean, rng: Rng): number {
  if (!isRange(draw)) return rng.int(draw.length);
  const { from, to, scale } = draw;
  if (integer) return from + rng.int(to - from + 1);
  const part = rng.uniform();
  const value = scale === 'log' ? exp(log(from) + part * (log(to) - log(from))) : from + part * (to - from);
  return Math.min(to, Math.max(from, value));
}

/**
 * How agents are told the value of a field: numbers as a share of the setting that is not drawn, so that they mean the same whatever the
 * range is, or as they are where that is 0; others by their place among the choices of the field, or in the list.
 */
function teller(schema: FieldSchema, base: JsonObject, field: string, values: readonly Json[]): (value: Json) => number {
  const keys = field.split('.');
  const choices = fieldAt(schema, keys)?.enum ?? values;
  const own = getAt(base, keys);
  const unit = typeof own === 'number' && own !== 0 ? own : 1;
  return (value) => {
    if (typeof value === 'number') return value / unit;
    if (typeof value === 'boolean') return Number(value);
    return choices.findIndex((choice) => sameJson(choice, value));
  };
}

/** Between two values: numbers move evenly, others change halfway. */
function between(a: Json, b: Json, part: number, integer: boolean): Json {
  if (typeof a !== 'number' || typeof b !== 'number') return part < 0.5 ? a : b;
  const value = a + part * (b - a);
  return integer ? Math.round(value) : value;
}

/** Fields in the order of their names, as saved files and links have them: the same config draws and tells the same, however it was written. */
const fieldsOf = (draw: NonNullable<Contexts['draw']>): readonly string[] => Object.keys(draw).sort();

export function contextDraws({ draw = {}, list, order, only }: Contexts, base: JsonObject, schema: FieldSchema): ContextDraws {
  const fields = fieldsOf(draw);
  const draws = fields.map((field) => ({ field, keys: field.split('.'), draw: draw[field]!, integer: whole(schema, field) }));
  const first = list === undefined ? 0 : 1;
  const listed = [...new Set((list ?? []).flatMap((item) => Object.keys(item)))].filter((field) => !fields.includes(field)).sort();
  const items = listed.map((field) => (list ?? []).map((item) => item[field] ?? getAt(base, [field]) ?? null));
  const itemTellers = items.map((values, l) => teller(schema, base, listed[l]!, values));
  const drifts = order?.by === 'drift';
  const wholes = listed.map((field) => whole(schema, field));
  /** Of field `l` of the list at a place, which may lie between two of its settings. */
  const valueAt = (l: number, place: number): Json => {
    const at = Math.floor(place);
    const values = items[l]!;
    return at === place ? values[at]! : between(values[at]!, values[(at + 1) % values.length]!, place - at, wholes[l]!);
  };
  const told = draws.map(({ field, draw: one }) => teller(schema, base, field, isRange(one) ? [] : one));
  return {
    names: [...(list === undefined ? [] : ['list']), ...fields],
    told: [...listed, ...fields],
    listed: listed.length,
    draw(rng, out, met) {
      if (list !== undefined) {
        const one = only === undefined ? null : only + rng.int(1); // a list of one takes a number of the generator too
        out[0] = order === undefined ? (one ?? rng.int(list.length)) : met % list.length;
      }
      for (let d = 0; d < draws.length; d++) out[first + d] = drawOne(draws[d]!.draw, draws[d]!.integer, rng);
    },
    settings(complete, drawn) {
      const item = drifts ? Object.fromEntries(listed.map((field, l) => [field, valueAt(l, drawn[0]!)])) : list?.[drawn[0]!];
      return draws.reduce<JsonObject>(
        (config, { keys, draw: one }, d) => setAt(config, keys, isRange(one) ? drawn[first + d]! : one[drawn[first + d]!]),
        item === undefined ? complete : { ...complete, ...item },
      );
    },
    tell(drawn, out, at) {
      for (let l = 0; l < listed.length; l++) out[at + l] = itemTellers[l]!(valueAt(l, drawn[0]!));
      for (let d = 0; d < draws.length; d++) {
        const one = draws[d]!.draw;
        const value = drawn[first + d]!;
        out[at + listed.length + d] = told[d]!(isRange(one) ? value : one[value]!);
      }
    },
    check(drawn) {
      if (list !== undefined) checkPlace('list', drifts ? Math.floor(drawn[0]!) : drawn[0]!, list.length);
      for (const [d, { field, draw: one }] of draws.entries()) {
        const value = drawn[first + d]!;
        if (!isRange(one)) checkPlace(field, value, one.length);
        else if (!(value >= one.from && value <= one.to))
          throw fail('state-invalid', `The state has ${value} for ${field}.`, `Drawn values lie from ${one.from} to ${one.to}.`, field);
      }
    },
  };
}

function checkPlace(field: string, place: number, count: number): void {
  if (Number.isInteger(place) && place >= 0 && place < count) return;
  throw fail('state-invalid', `The state has place ${place} in the list of ${field}.`, `Places go from 0 to ${count - 1}.`, field);
}

/** Draws that between them have every end of a range and every value of a list: what is checked before anything is drawn. */
export function extremes({ draw = {}, list }: Contexts): readonly Float64Array[] {
  const ways = [
    ...(list === undefined ? [] : [list.map((_, place) => place)]),
    ...fieldsOf(draw)
      .map((field) => draw[field]!)
      .map((one) => (isRange(one) ? [one.from, one.to] : one.map((_, place) => place))),
  ];
  const most = Math.max(...ways.map(({ length }) => length));
  const together = Array.from({ length: most }, (_, k) => Float64Array.from(ways, (way) => way[Math.min(k, way.length - 1)]!));
  const apart =
    ways.length < 2 ? [] : ways.map((way, w) => Float64Array.from(ways, (other, o) => (o === w ? way[way.length - 1]! : other[0]!)));
  return [...together, ...apart];
}
