/**
 * A config schema, flattened into the leaves a form shows: one control each. Also the rules of one leaf: what a typed text means,
 * what is allowed, how far an arrow key goes. Pure data and functions, no React.
 */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { kindField, kindsOf } from '#contract/catalog/variants.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { isObject, type Json, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { readPath } from '#contract/run/paths.ts';
import { msg, t } from '#text/text.ts';
import { editable, parseNumber } from '#ui/kit/format/numbers.ts';

export type LeafKind =
  | 'number'
  | 'switch'
  | 'choice'
  | 'text'
  | 'json'
  | 'map'
  | 'payoffs'
  | 'seats'
  | 'contexts'
  | 'dataset'
  | 'potential'
  | 'robot'
  | 'site'
  | 'rules';
export type Depth = NonNullable<FieldSchema['depth']>;

export interface Leaf {
  /** Path in the draft: "algo.lr", "env.reward.step". */
  readonly path: string;
  readonly title: string;
  readonly kind: LeafKind;
  readonly schema: FieldSchema;
  readonly nullable: boolean;
  readonly depth: Depth;
  readonly group: string;
  /** Paths of hidden fields that its editor writes as well: they change and go back together. */
  readonly beside: readonly string[];
  /** Of a field of a variant: the kinds that have it, of the variant itself and of those around it. */
  readonly within?: readonly Within[];
  /** Of the field that chooses the kind of a variant: where the variant stands, and its schema. */
  readonly variant?: { readonly path: string; readonly schema: FieldSchema };
}

interface Within {
  /** Of the field that chooses the kind. */
  readonly path: string;
  readonly title: string;
  readonly kinds: readonly string[];
}

const RANK: { readonly [depth in Depth]: number } = { teach: 0, lab: 1, stored: 1, research: 2 };

/** JSON Schema of an integer names the ends of the safe integers; as a range for people they say nothing. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export function leavesOf(
  prefix: string,
  schema: FieldSchema,
  inherited: { readonly group?: string; readonly depth?: Depth } = {},
): readonly Leaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => leavesOfField(`${prefix}.${key}`, key, field, inherited));
}

function leavesOfField(
  path: string,
  key: string,
  field: FieldSchema,
  inherited: { readonly group?: string; readonly depth?: Depth },
): readonly Leaf[] {
  const { schema, nullable } = unwrap(field);
  if (schema.const !== undefined || schema.editor === 'hidden') return [];
  const depth = schema.depth ?? inherited.depth ?? 'lab';
  const title = schema.title ?? words(key);
  if (schema.editor === 'variant') return variantLeaves(path, title, schema, { depth, group: schema.group ?? inherited.group ?? '' });
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0 && schema.editor === undefined) {
    return leavesOf(path, schema, { group: schema.group ?? inherited.group ?? title, depth });
  }
  // An empty switch needs a third place: yes, no, or neither.
  if (nullable && schema.type === 'boolean') {
    return [
      {
        path,
        title,
        kind: 'choice',
        schema: { ...schema, enum: [true, false] },
        nullable,
        depth,
        group: schema.group ?? inherited.group ?? '',
        beside: [],
      },
    ];
  }
  const group = schema.group ?? inherited.group ?? '';
  const beside = besideOf(schema).map((name) => siblingOf(path, name));
  return [{ path, title, kind: kindOf(schema), schema, nullable, depth, group, beside }];
}

/** The choice of the kind, and behind it the fields of all kinds: one leaf for what several kinds have alike. */
function variantLeaves(
  path: string,
  title: string,
  schema: FieldSchema,
  { depth, group }: { readonly depth: Depth; readonly group: string },
): readonly Leaf[] {
  const choice = `${path}.kind`;
  const chooser: Leaf = {
    path: choice,
    title,
    kind: 'choice',
    schema: kindField(schema),
    nullable: false,
    depth,
    group,
    beside: [],
    variant: { path, schema },
  };
  const fields = new Map<string, { readonly key: string; readonly field: FieldSchema; readonly kinds: string[] }>();
  for (const { name, fields: own } of kindsOf(schema)) {
    for (const [key, field] of Object.entries(own)) {
      const id = `${key} ${JSON.stringify(field)}`;
      const known = fields.get(id);
      if (known === undefined) fields.set(id, { key, field, kinds: [name] });
      else known.kinds.push(name);
    }
  }
  const inner = [...fields.values()].flatMap(({ key, field, kinds }) =>
    leavesOfField(`${path}.${key}`, key, field, { depth: field.depth ?? 'lab', group }).map((leaf) => ({
      ...leaf,
      group, // they stand below the choice
      within: [{ path: choice, title, kinds }, ...(leaf.within ?? [])],
    })),
  );
  return [chooser, ...inner];
}

/** "algo.lr" and "gamma" -> "algo.gamma" */
const siblingOf = (path: string, name: string): string => path.replace(/[^.]+$/, name);

function besideOf(schema: FieldSchema): readonly string[] {
  const { symmetric, row, column, tensor } = schema.payoffs ?? {};
  return [schema.map?.start, symmetric, row, column, tensor].filter((name) => name !== undefined);
}

/** anyOf [x, null] is x that may be empty. */
function unwrap(field: FieldSchema): { readonly schema: FieldSchema; readonly nullable: boolean } {
  const options = field.anyOf;
  if (options === undefined) return { schema: field, nullable: false };
  const rest = options.filter((option) => (option.type as string | undefined) !== 'null');
  const only = rest[0];
  if (rest.length !== 1 || rest.length === options.length || only === undefined) return { schema: field, nullable: false };
  const { anyOf: _, ...outer } = field;
  return { schema: { ...only, ...outer }, nullable: true };
}

function kindOf(schema: FieldSchema): LeafKind {
  if (schema.editor === 'grid-map' && schema.map !== undefined) return 'map';
  if (schema.editor === 'payoffs' && schema.payoffs !== undefined) return 'payoffs';
  if (schema.editor === 'seats') return 'seats';
  if (schema.editor === 'contexts') return 'contexts';
  if (schema.editor === 'potential') return 'potential';
  if (schema.editor === 'robot' || schema.editor === 'site' || schema.editor === 'rules') return schema.editor;
  if (schema.editor === 'dataset' || schema.editor === 'answers') return 'dataset';
  if (schema.enum !== undefined) return 'choice';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'string') return 'text';
  return 'json';
}

/** "maxGradNorm" -> "max grad norm": only for fields that name no title. */
function words(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}

/** A field is shown from its depth on; what was changed or is wrong is shown at every depth. */
export function visibleAt(leaf: Leaf, depth: Depth): boolean {
  return RANK[leaf.depth] <= RANK[depth];
}

/** Whether a field has an effect in this config. */
export const actsIn = ({ within = [] }: Leaf, config: RunConfig): boolean =>
  within.every((outer) => outer.kinds.includes(String(readPath(config, outer.path))));

/** Whether a form has a field for this config: one that acts, and one that is only stored where it has another value than its default. */
export const offeredIn = (leaf: Leaf, config: RunConfig): boolean =>
  actsIn(leaf, config) && (leaf.depth !== 'stored' || !sameJson(valueIn(leaf, config) ?? leaf.schema.default, leaf.schema.default));

/** The value of a field; its default where the config leaves it out: fields of a variant that has another kind there, how an environment is seen. */
export const valueIn = ({ path, schema }: Leaf, config: RunConfig): Json | undefined => readPath(config, path) ?? schema.default;

const MOST_SLIDERS = 3;

/** In teach: the first few numbers of the world that can be dragged, those before the others that a running agent feels at once. */
export function worldSliders(leaves: readonly Leaf[]): readonly Leaf[] {
  const can = leaves.filter((leaf) => leaf.kind === 'number' && leaf.depth !== 'research' && sliderOf(leaf.schema) !== null);
  return [...can.filter(({ schema }) => schema.live), ...can.filter(({ schema }) => !schema.live)].slice(0, MOST_SLIDERS);
}

export interface Limits {
  readonly min: number; // -Infinity: none
  readonly max: number;
  readonly minOpen: boolean; // the end itself is not allowed
  readonly maxOpen: boolean;
}

export function limitsOf(schema: FieldSchema): Limits {
  const finite = (value: number | undefined, none: number) => (value === undefined || Math.abs(value) >= NO_LIMIT ? none : value);
  const min = finite(schema.minimum, Number.NEGATIVE_INFINITY);
  const max = finite(schema.maximum, Number.POSITIVE_INFINITY);
  const over = finite(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const under = finite(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  return {
    min: Math.max(min, over),
    max: Math.min(max, under),
    minOpen: over > min || over === min,
    maxOpen: under < max || under === max,
  };
}

/** The ends of the slider, or null where a slider would say nothing. */
export function sliderOf(schema: FieldSchema): readonly [number, number] | null {
  if (schema.slider !== undefined) return schema.slider;
  const { min, max } = limitsOf(schema);
  if (!Number.isFinite(min) || !Number.isFinite(max) || max - min > 1e6) return null;
  return schema.log && min <= 0 ? null : [min, max];
}

/** "between 0 and 1", "at least 1", "more than 0". */
export function rangeText(schema: FieldSchema): string {
  const { min, max, minOpen, maxOpen } = limitsOf(schema);
  const low = Number.isFinite(min);
  const high = Number.isFinite(max);
  if (low && high && !minOpen && !maxOpen) return t('between {min} and {max}', { min: editable(min), max: editable(max) });
  const parts = [
    low ? t(minOpen ? msg('more than {n}') : msg('at least {n}'), { n: editable(min) }) : '',
    high ? t(maxOpen ? msg('less than {n}') : msg('at most {n}'), { n: editable(max) }) : '',
  ];
  const said = parts.filter((part) => part !== '');
  return said.length === 2 ? t('{one} and {two}', { one: said[0] ?? '', two: said[1] ?? '' }) : (said[0] ?? '');
}

export type Reading = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string };

const wrong = (message: string): Reading => ({ ok: false, message });

/** What a typed text means for this leaf, or one sentence that says what is allowed. */
export function read(leaf: Leaf, text: string): Reading {
  const { schema, title } = leaf;
  if (leaf.nullable && text.trim() === '') return { ok: true, value: null };
  if (leaf.kind === 'number') return readNumber(leaf, text);
  if (leaf.kind === 'text') return { ok: true, value: text };
  if (leaf.kind === 'json') {
    try {
      return readValue(leaf, readJson(text));
    } catch {
      return wrong(`${title} must be JSON, such as ${JSON.stringify(schema.default ?? [1, 2])}.`);
    }
  }
  return wrong(`${title} cannot be typed.`);
}

function readNumber({ schema, title, nullable }: Leaf, text: string): Reading {
  const whole = schema.type === 'integer';
  const range = rangeText(schema);
  const kind = whole
    ? nullable
      ? msg('{title} must be a whole number {range}, or empty.')
      : msg('{title} must be a whole number {range}.')
    : nullable
      ? msg('{title} must be a number {range}, or empty.')
      : msg('{title} must be a number {range}.');
  const allowed = t(kind, { title: t(title), range }).replace(/ (?=[.,]| )/g, '');
  const value = parseNumber(text);
  if (!Number.isFinite(value) || (whole && !Number.isInteger(value))) return wrong(allowed);
  const { min, max, minOpen, maxOpen } = limitsOf(schema);
  if (value < min || value > max || (minOpen && value === min) || (maxOpen && value === max)) return wrong(allowed);
  return { ok: true, value };
}

function readValue({ schema, title }: Leaf, value: Json): Reading {
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return wrong(`${title} must be a list in brackets, such as ${JSON.stringify(schema.default ?? [64, 64])}.`);
    const least = schema.minItems ?? 0;
    const most = schema.maxItems ?? Number.POSITIVE_INFINITY;
    if (value.length < least || value.length > most) {
      return wrong(`${title} must have ${Number.isFinite(most) ? `${least} to ${most}` : `at least ${least}`} entries.`);
    }
    const { items } = schema;
    if (items !== undefined && (items.type === 'number' || items.type === 'integer')) {
      const item: Leaf = {
        path: '',
        title: `each entry of ${title}`,
        kind: 'number',
        schema: items,
        nullable: false,
        depth: 'lab',
        group: '',
        beside: [],
      };
      for (const entry of value) {
        const reading = readNumber(item, typeof entry === 'number' ? String(entry) : '');
        if (!reading.ok) return reading;
      }
    }
  }
  if (schema.type === 'object' && !isObject(value)) {
    return wrong(`${title} must be an object in braces, such as {"key": 1}.`);
  }
  return { ok: true, value };
}

/** What stands in the field for a value. */
export function textOf(leaf: Leaf, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return editable(value);
  if (typeof value === 'string' && leaf.kind !== 'json') return value;
  return JSON.stringify(value);
}

const tidy = (value: number) => Number(value.toPrecision(10));

/** 1, 2 or 5 times a power of ten, at or below. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const rest = value / power;
  return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

/** The value one key press away. `size`: 1 for an arrow, 10 for a page key; on a log field an arrow is a tenth of a decade and a page a whole one. */
export function stepped(schema: FieldSchema, value: number, direction: 1 | -1, size: 1 | 10): number {
  const range = sliderOf(schema);
  const whole = schema.type === 'integer';
  let next: number;
  if (schema.log && value > 0) {
    const factor = size === 10 ? 10 : 10 ** 0.1;
    next = Number((value * factor ** direction).toPrecision(2));
    if (whole) next = direction > 0 ? Math.max(value + 1, Math.round(next)) : Math.min(value - 1, Math.round(next));
  } else {
    const span = range === null ? 0 : range[1] - range[0];
    const unit = whole ? Math.max(1, span > 200 ? nice(span / 100) : 1) : span > 0 ? nice(span / 100) : 0.1;
    next = value + direction * unit * size;
  }
  return clamp(schema, tidy(next));
}

/** Nearest allowed value; an open end is kept at a distance. */
export function clamp(schema: FieldSchema, value: number): number {
  const { min, max, minOpen, maxOpen } = limitsOf(schema);
  if (value <= min) return minOpen ? nextTo(schema, min, 1) : min;
  if (value >= max) return maxOpen ? nextTo(schema, max, -1) : max;
  return value;
}

function nextTo(schema: FieldSchema, end: number, direction: 1 | -1): number {
  if (schema.type === 'integer') return end + direction;
  const range = schema.slider;
  if (range !== undefined) return direction > 0 ? Math.max(range[0], end + 1e-6) : Math.min(range[1], end - 1e-6);
  return tidy(end + direction * 1e-6);
}

/** Position 0..1 of a value on its slider, and back. */
export function toSlider(schema: FieldSchema, range: readonly [number, number], value: number): number {
  const [low, high] = range;
  const at = schema.log && low > 0 ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, at));
}

export function fromSlider(schema: FieldSchema, range: readonly [number, number], at: number): number {
  const [low, high] = range;
  const raw = schema.log && low > 0 ? low * (high / low) ** at : low + at * (high - low);
  if (schema.type === 'integer') {
    return clamp(schema, schema.log && raw > 100 ? Math.round(Number(raw.toPrecision(2))) : Math.round(raw));
  }
  return clamp(
    schema,
    schema.log ? Number(raw.toPrecision(2)) : tidy(Math.round(raw / nice((high - low) / 200)) * nice((high - low) / 200)),
  );
}
