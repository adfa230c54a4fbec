/** The form of a sweep and its file, both ways: what is ticked, the values given, the search, what counts. */

import { type Json, type JsonObject, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { type Sweep, valueWord } from '#contract/sweep/sweep.ts';
import type { Value } from '#math/search/space.ts';
import { type Leaf, limitsOf, read } from '#ui/form/leaves.ts';
import { editable, parseNumber } from '#ui/kit/format/numbers.ts';

/** How a field is searched. */
export const KINDS = { values: 'these values', linear: 'a range', log: 'a range, logarithmic', whole: 'whole numbers from to' } as const;
export type Kind = keyof typeof KINDS;

export interface FieldForm {
  readonly kind: Kind;
  /** "0.001, 0.01". */
  readonly values: string;
  readonly from: string;
  readonly to: string;
}

export const SEARCHES = {
  sobol: 'Sobol: even coverage',
  grid: 'grid: every combination',
  random: 'random draws',
  halving: 'successive halving',
  tpe: 'TPE: model-based',
} as const;
export type Search = keyof typeof SEARCHES;

/** Shares of the runs that go on where runs are held against each other. */
export const PRUNED = {
  none: 'none',
  half: 'those below the median',
  third: 'all but the best third',
} as const;
export type Pruned = keyof typeof PRUNED;
const KEEP = { half: 0.5, third: 1 / 3 } as const;

export const COUNTED = {
  evalReturn: 'greedy test return at the end',
  finalReturn: 'return while exploring at the end',
  mean: 'mean of a curve',
  last: 'last value of a curve',
  best: 'best value of a curve',
  reaches: 'steps until a curve reaches a level',
} as const;
export type Counted = keyof typeof COUNTED;

export interface SweepForm {
  readonly fields: Readonly<Record<string, FieldForm>>;
  readonly search: Search;
  readonly setups: string;
  /** Runs that are ended at a quarter and at half of their steps. */
  readonly pruned: Pruned;
  readonly tuning: string;
  readonly reporting: string;
  readonly counted: Counted;
  readonly metric: string;
  readonly level: string;
  /** Ids of environments beside that of the set-up. */
  readonly envs: readonly string[];
  /** Ids of methods beside that of the set-up. */
  readonly algos: readonly string[];
  /** Field whose values are held against each other; '': none. */
  readonly contrast: string;
}

export const FRESH: SweepForm = {
  fields: {},
  search: 'grid',
  setups: '24',
  pruned: 'none',
  tuning: '3',
  reporting: '5',
  counted: 'evalReturn',
  metric: 'episodicReturn',
  level: '',
  envs: [],
  algos: [],
  contrast: '',
};

/** A list of numbers or words, which is one value: the widths of layers. */
const isList = ({ kind, schema }: Leaf): boolean =>
  kind === 'json' && schema.type === 'array' && ['number', 'integer', 'string'].includes(String(schema.items?.type));

/** Fields that can be searched: one number, switch, choice or list each. Seeds are the sweep's own matter. */
export const canSweep = (leaf: Leaf): boolean =>
  (leaf.kind === 'number' || leaf.kind === 'switch' || leaf.kind === 'choice' || isList(leaf)) &&
  !['run.seeds', 'run.seedStart', 'run.executor'].includes(leaf.path);

const tidy = (value: number): string => editable(Number(value.toPrecision(2)));

/** What is proposed for a field that was just ticked: around the value that it has. */
export function startField(leaf: Leaf, value: Json | undefined): FieldForm {
  const { kind, schema } = leaf;
  const none = { values: '', from: '', to: '' };
  if (isList(leaf)) return { ...none, kind: 'values', values: JSON.stringify(value ?? schema.default ?? []) };
  if (kind === 'switch') return { ...none, kind: 'values', values: 'on, off' };
  if (kind === 'choice') return { ...none, kind: 'values', values: (schema.enum ?? []).slice(0, 8).map(String).join(', ') };
  const { min, max } = limitsOf(schema);
  const now = typeof value === 'number' ? value : typeof schema.default === 'number' ? schema.default : 1;
  const within = (x: number): number => Math.min(max, Math.max(min, schema.type === 'integer' ? Math.round(x) : x));
  const spread = schema.log && now > 0 ? [now / 3, now, now * 3] : now === 0 ? [0, 0.5, 1] : [now / 2, now, now * 2];
  const values = [...new Set(spread.map((x) => tidy(within(x))))];
  const log = schema.log === true && now > 0;
  const [low, high] = log ? [now / 10, now * 10] : now === 0 ? [0, 1] : [Math.min(now / 2, now * 2), Math.max(now / 2, now * 2)];
  return { kind: 'values', values: values.join(', '), from: tidy(within(low)), to: tidy(within(high)) };
}

/** One thing that is wrong with the form, by the field it is about. */
export interface Problem {
  readonly field: string;
  readonly text: string;
}

/** "[32], [64, 64]". */
function listsIn(leaf: Leaf, text: string): readonly Json[] | string {
  const wrong = `${leaf.title}: write at least two lists in brackets, such as [32], [64, 64].`;
  let found: Json;
  try {
    found = readJson(`[${text}]`);
  } catch {
    return wrong;
  }
  if (!Array.isArray(found) || found.length < 2) return wrong;
  for (const list of found) {
    const reading = read(leaf, JSON.stringify(list));
    if (!reading.ok) return `${leaf.title}: "${JSON.stringify(list)}" will not do. ${reading.message}`;
  }
  return found;
}

function valuesIn(leaf: Leaf, text: string): readonly Json[] | string {
  if (isList(leaf)) return listsIn(leaf, text);
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2) return `${leaf.title}: give at least two values, separated by commas.`;
  const found: Json[] = [];
  for (const part of parts) {
    if (leaf.kind === 'switch') {
      const on = /^(on|true|yes)$/i.test(part);
      if (!on && !/^(off|false|no)$/i.test(part)) return `${leaf.title}: "${part}" is neither on nor off.`;
      found.push(on);
    } else if (leaf.kind === 'choice') {
      const value = leaf.schema.enum?.find((known) => String(known) === part);
      if (value === undefined) return `${leaf.title}: "${part}" is none of ${(leaf.schema.enum ?? []).map(String).join(', ')}.`;
      found.push(value);
    } else {
      const reading = read(leaf, part);
      if (!reading.ok) return `${leaf.title}: "${part}" will not do. ${reading.message}`;
      found.push(reading.value);
    }
  }
  return found;
}

function rangeIn(leaf: Leaf, { kind, from, to }: FieldForm): JsonObject | string {
  const ends: number[] = [];
  for (const text of [from, to]) {
    const reading = read(leaf, text);
    if (!reading.ok) return `${leaf.title}: "${text}" will not do. ${reading.message}`;
    if (typeof reading.value !== 'number') return `${leaf.title}: give both ends of the range.`;
    ends.push(reading.value);
  }
  const [low = 0, high = 0] = ends;
  if (low >= high) return `${leaf.title}: the range must rise, and runs from ${from} to ${to}.`;
  if (kind === 'log' && low <= 0) return `${leaf.title}: a logarithmic range begins above 0.`;
  return {
    from: low,
    to: high,
    scale: kind === 'log' ? 'log' : 'linear',
    ...((kind === 'whole' || leaf.schema.type === 'integer') && { integer: true }),
  };
}

/** The sweep file of a form over a complete config, or what is wrong with it. Ranges of the file itself are checked by parseSweep. */
export function fileOf(
  form: SweepForm,
  config: RunConfig,
  leaves: readonly Leaf[],
  metricTitle: (id: string) => string,
): { readonly file: JsonObject } | { readonly problem: Problem } {
  const fields: Record<string, Json> = {};
  for (const leaf of leaves) {
    const own = form.fields[leaf.path];
    if (own === undefined) continue;
    const found = own.kind === 'values' ? valuesIn(leaf, own.values) : rangeIn(leaf, own);
    if (typeof found === 'string') return { problem: { field: leaf.path, text: found } };
    fields[leaf.path] = found as Json;
  }
  const methods = form.algos.filter((id) => id !== config.algo.id);
  if (Object.keys(fields).length === 0 && methods.length === 0)
    return { problem: { field: 'fields', text: 'Tick at least one field to search.' } };
  const counts: Record<string, number> = {};
  for (const [name, text, least, most] of [
    ['configurations', form.setups, 2, 1000],
    ['tuning seeds', form.tuning, 1, 100],
    ['reporting seeds', form.reporting, 0, 100],
  ] as const) {
    const count = parseNumber(text);
    if (!Number.isInteger(count) || count < least || count > most)
      return { problem: { field: name, text: `The number of ${name} must be a whole number from ${least} to ${most}.` } };
    counts[name] = count;
  }
  const level = parseNumber(form.level);
  if (form.counted === 'reaches' && !Number.isFinite(level))
    return { problem: { field: 'level', text: 'Give the level that the curve must reach, such as 475.' } };
  const { counted, metric } = form;
  const others = form.envs.filter((id) => id !== config.env.id);
  const quantity: JsonObject =
    counted === 'evalReturn' || counted === 'finalReturn'
      ? { title: counted === 'evalReturn' ? 'greedy test return' : 'return while exploring', of: counted }
      : counted === 'reaches'
        ? { title: `steps to ${form.level}`, metric, reaches: level }
        : { title: metricTitle(metric), metric, take: counted };
  return {
    file: {
      kind: 'sweep',
      version: 1,
      ...(others.length > 0 && { envs: [config.env as unknown as JsonObject, ...others.map((id) => ({ id }))] }),
      ...(methods.length > 0 && { algos: [config.algo as unknown as JsonObject, ...methods.map((id) => ({ id }))] }),
      config: config as unknown as JsonObject,
      fields,
      search: { by: form.search, ...(form.search !== 'grid' && { setups: counts.configurations ?? 24 }) },
      quantity,
      better: counted === 'reaches' ? 'less' : 'more',
      ...(form.pruned !== 'none' &&
        form.search !== 'halving' &&
        !(form.contrast in fields && methods.length === 0) && { prune: { keep: KEEP[form.pruned] } }),
      ...(form.contrast in fields && methods.length === 0 && { contrast: form.contrast }),
      seeds: { tuning: counts['tuning seeds'] ?? 3, reporting: counts['reporting seeds'] ?? 5 },
    },
  };
}

/** The form that a sweep file fills in. `envs`: its environments beyond the first. */
export function formOf({ fields, search, seeds, quantity, contrast, prune }: Sweep, envs: readonly string[] = []): SweepForm {
  const own = Object.entries(fields).map(([path, field]): [string, FieldForm] => {
    if (Array.isArray(field))
      return [
        path,
        {
          kind: 'values',
          values: field.map((value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : valueWord(value))).join(', '),
          from: '',
          to: '',
        },
      ];
    const kind: Kind = field.scale === 'log' ? 'log' : field.integer ? 'whole' : 'linear';
    return [path, { kind, values: '', from: editable(field.from), to: editable(field.to) }];
  });
  const counted: Counted =
    'of' in quantity ? (quantity.of === 'finalReturn' ? 'finalReturn' : 'evalReturn') : 'take' in quantity ? quantity.take : 'reaches';
  return {
    fields: Object.fromEntries(own),
    search: search.by,
    setups: String(search.setups),
    pruned: prune === undefined ? 'none' : prune.keep < 0.5 ? 'third' : 'half',
    tuning: String(seeds.tuning),
    reporting: String(seeds.reporting),
    counted,
    metric: 'metric' in quantity ? quantity.metric : FRESH.metric,
    level: 'reaches' in quantity ? editable(quantity.reaches) : '',
    envs,
    algos: [],
    contrast: contrast ?? '',
  };
}

/** A searched field as results name it. */
export interface FieldTitle {
  readonly name: string;
  readonly title: string;
  readonly text: (value: Value | undefined) => string;
}

/** The values of a set-up in words, of the fields that act in it. */
export const actingWords = (fields: readonly FieldTitle[], values: { readonly [name: string]: Value }): string =>
  fields.flatMap(({ name, title, text }) => (name in values ? [`${title} ${text(values[name])}`] : [])).join(', ');
