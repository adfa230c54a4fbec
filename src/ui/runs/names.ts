/**
 * What a run is called: by what it has otherwise than most of its neighbours, in the words of the forms ("standardise advantages: off"). A name that a
 * person gave stays as it is. Also the words of one field and one value, for columns, legends and tables of differences.
 */
import { ownName } from '#client/runs/own-name.ts';
import type { Catalog, FieldSchema } from '#contract/catalog/catalog.ts';
import { groupBy } from '#contract/kit/group-by.ts';
import type { Json } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { differences, type FieldName, type FieldValue, isAside } from '#contract/run/config-diff.ts';
import type { RunGroup } from '#stores/types.ts';
import { locale, msg, t } from '#text/text.ts';
import { leavesOf } from '#ui/form/leaves.ts';
import { budgetFields, evaluationFields } from '#ui/form/run-fields.ts';
import { compact, editable, marked } from '#ui/kit/format/numbers.ts';

export interface FieldWords {
  readonly title: string;
  readonly schema: FieldSchema | null;
}

const schemas = new WeakMap<FieldSchema, ReadonlyMap<FieldName, FieldWords>>();

function wordsIn(prefix: string, schema: FieldSchema): ReadonlyMap<FieldName, FieldWords> {
  let found = schemas.get(schema);
  if (found === undefined) {
    found = new Map(leavesOf(prefix, schema).map((leaf) => [leaf.path, { title: leaf.title, schema: leaf.schema }]));
    schemas.set(schema, found);
  }
  return found;
}

/** A setting that is drawn for each episode: the ends and the scale of its range, or its list. */
const DRAWN = /^env\.contexts\.draw\.(.+?)(?:\.(from|to|scale))?$/;

/** The title of a field as forms write it; the name itself where no form knows it. `config`: of a run that has the field. */
export function wordsOf(field: FieldName, config: RunConfig, catalog: Catalog | null): FieldWords {
  if (field === 'env') return { title: 'environment', schema: null };
  if (field === 'algo') return { title: 'algorithm', schema: null };
  const [, drawn, end = 'drawn'] = DRAWN.exec(field) ?? [];
  if (drawn !== undefined) {
    const { title, schema } = wordsOf(`env.${drawn}`, config, catalog);
    return { title: `${title}, ${end}`, schema: end === 'scale' ? null : schema };
  }
  const { env, algo } = config;
  const room = field.slice(0, field.indexOf('.'));
  const card = room === 'env' ? catalog?.envs.find(({ id }) => id === env.id) : catalog?.algos.find(({ id }) => id === algo.id);
  const found =
    room === 'run'
      ? (wordsIn('run', budgetFields).get(field) ?? wordsIn('run', evaluationFields).get(field))
      : card === undefined
        ? undefined
        : wordsIn(room, card.schema).get(field);
  return found ?? { title: field.slice(room.length + 1), schema: null };
}

const LONGEST_VALUE = 24;

/** Of one: "cell" of "cells", "critic update"; "m/s", "nats per step" and the like are as they are. */
const one = (unit: string): string => (unit === 'tries' ? 'try' : unit.replace(/^((?:[a-z]+ )*[a-z]{2,})s$/, '$1'));

/** A value in few characters: "off", "3e-4", "64, 64", "300 k". */
export function valueText(value: Json | undefined, { schema }: Pick<FieldWords, 'schema'>): string {
  if (value === undefined) return '–';
  if (value === null) return t(schema?.empty ?? msg('auto'));
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (typeof value === 'number') {
    const number = Math.abs(value) >= 10_000 ? compact(value) : marked(editable(value));
    return schema?.unit === undefined ? number : `${number} ${value === 1 && locale() === 'en' ? one(schema.unit) : t(schema.unit)}`;
  }
  const plain = Array.isArray(value) && value.every((item) => typeof item === 'number' || typeof item === 'string');
  const text = typeof value === 'string' ? t(value) : plain ? value.join(', ') : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

/** The same of one field of one config, which environment and algorithm by their titles. */
export function fieldText({ field, value }: FieldValue, config: RunConfig, catalog: Catalog | null): string {
  if (field === 'env') return t(catalog?.envs.find(({ id }) => id === value)?.title ?? String(value));
  if (field === 'algo') return t(catalog?.algos.find(({ id }) => id === value)?.title ?? String(value));
  return valueText(value, wordsOf(field, config, catalog));
}

/** "step size (alpha)" is "step size" in a name. */
const symbolless = (title: string): string => title.replace(/ ?[(（][^)）]*[)）]$/, '');

/** Differences that a name has room for. */
const MOST_PARTS = 4;

const valueKey = (value: Json | undefined): string => JSON.stringify(value) ?? '';

/** Of each field that differs, the value of more than half of the runs that have the field, if there is one. */
function usualValues(all: readonly (readonly FieldValue[])[]): ReadonlyMap<FieldName, string> {
  const usual = new Map<FieldName, string>();
  for (const [field, values] of groupBy(all.flat(), ({ field: name }) => name)) {
    for (const [key, holders] of groupBy(values, ({ value }) => valueKey(value)))
      if (2 * holders.length > values.length) usual.set(field, key);
  }
  return usual;
}

/** By what most runs have otherwise; the run that has everything as most have it, by all of its values. */
function nameOf(group: RunGroup, own: readonly FieldValue[], usual: ReadonlyMap<FieldName, string>, catalog: Catalog | null): string {
  const matters = own.filter(({ field }) => !isAside(field));
  const named = matters.length > 0 ? matters : own;
  const unusual = named.filter(({ field, value }) => usual.get(field) !== valueKey(value));
  const parts = (unusual.length > 0 ? unusual : named).map((part) => {
    const text = fieldText(part, group.config, catalog);
    return part.field === 'env' || part.field === 'algo'
      ? text
      : `${symbolless(t(wordsOf(part.field, group.config, catalog).title))}: ${text}`;
  });
  return parts.length > MOST_PARTS ? `${parts.slice(0, MOST_PARTS).join(', ')} +${parts.length - MOST_PARTS}` : parts.join(', ');
}

interface Named {
  readonly groups: readonly RunGroup[];
  readonly catalog: Catalog | null;
  readonly within: 'all' | 'alike';
  readonly language: string;
  readonly names: ReadonlyMap<string, string>;
}

/** The last answers: lists of runs are made anew at every step of a run, what their names stand on is not. */
let answers: readonly Named[] = [];
const MOST_ANSWERS = 6;

const sameRuns = (a: readonly RunGroup[], b: readonly RunGroup[]): boolean =>
  a.length === b.length && a.every((group, i) => group.id === b[i]?.id && group.config === b[i]?.config && group.name === b[i]?.name);

/**
 * Names by id. `all`: a run is told from all of these, environment and algorithm included (a legend, a figure). `alike`: only from those of
 * its environment and algorithm, which stand beside the name anyway (the table). Runs of equal configs, or of values that read alike, are numbered
 * in the order in which they were started; a run that differs from none keeps its stored name, as do those that a person or a race of methods named.
 */
export function runNames(groups: readonly RunGroup[], catalog: Catalog | null, within: 'all' | 'alike'): ReadonlyMap<string, string> {
  const known = answers.find(
    (one) => one.within === within && one.language === locale() && one.catalog === catalog && sameRuns(one.groups, groups),
  );
  if (known !== undefined) return known.names;
  const names = new Map<string, string>();
  // what another program logged has no settings of ours: it keeps the name of its file, and gives none to others
  for (const { id, name, imported } of groups) if (imported !== undefined) names.set(id, name);
  const classes = groupBy(
    groups.filter(({ imported }) => imported === undefined),
    ({ config }) => (within === 'all' ? '' : `${config.env.id} ${config.algo.id}`),
  );
  for (const members of classes.values()) {
    // a run that a person named is known by its name: the others need not be told from it
    const unnamed = members.filter((group) => ownName(group, catalog) !== null);
    const found = differences(unnamed.map(({ config }) => config));
    const usual = usualValues(found);
    const made = members.map((group) => {
      const own = found[unnamed.indexOf(group)] ?? [];
      return { group, given: ownName(group, catalog), text: own.length > 0 ? nameOf(group, own, usual, catalog) : null };
    });
    const alike = groupBy(made, ({ text }) => text);
    for (const { group, given, text } of made) {
      const others = alike.get(text) ?? [];
      const place = others.filter((other) => other.group.createdAt < group.createdAt).length + 1;
      names.set(
        group.id,
        text === null ? (given ?? group.name) : others.length > 1 ? t('{name} (run {n})', { name: text, n: place }) : text,
      );
    }
  }
  answers = [{ groups, catalog, within, language: locale(), names }, ...answers].slice(0, MOST_ANSWERS);
  return names;
}
