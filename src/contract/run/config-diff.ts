/**
 * What differs between run configs, field by field. Settings of an environment are compared only among runs of that environment, those of
 * an algorithm only among runs of that algorithm: other defaults of another method are no difference that anybody chose.
 */
import { canonicalJson } from '../kit/canonical.ts';
import { isObject, type Json, type JsonObject } from '../kit/json.ts';
import type { RunConfig } from './config.ts';

/** Names of fields: `env` and `algo` (which one), `env.KEY`, `algo.KEY`, `run.KEY`, as in paths.ts. */
export type FieldName = string;

/** A config's leaves in the order of its fields; a list is one leaf. */
const known = new WeakMap<RunConfig, ReadonlyMap<FieldName, Json>>();

/** Every field of a config with its value. */
export function fieldsOf(config: RunConfig): ReadonlyMap<FieldName, Json> {
  const found = known.get(config);
  if (found !== undefined) return found;
  const fields = new Map<FieldName, Json>([
    ['env', config.env.id],
    ['algo', config.algo.id],
  ]);
  collect('env', config.env.config, fields);
  collect('algo', config.algo.config, fields);
  collect('run', { ...config.run }, fields);
  known.set(config, fields);
  return fields;
}

function collect(prefix: string, object: JsonObject, into: Map<FieldName, Json>): void {
  for (const [key, value] of Object.entries(object)) {
    if (isObject(value)) collect(`${prefix}.${key}`, value, into);
    else into.set(`${prefix}.${key}`, value);
  }
}

const ALL = 'all';
const envClass = ({ env }: RunConfig): string => `env ${env.id}`;
const algoClass = ({ algo }: RunConfig): string => `algo ${algo.id}`;

/** Which configs a field may be compared with: those of the same environment, of the same algorithm, or all. */
function classOf(config: RunConfig, field: FieldName): string {
  if (field.startsWith('env.')) return envClass(config);
  return field.startsWith('algo.') ? algoClass(config) : ALL;
}

/** Fields and, of each, the classes (see classOf) in which it has several values. */
function variations(configs: readonly RunConfig[]): ReadonlyMap<FieldName, ReadonlySet<string>> {
  const first = new Map<string, string>();
  const varies = new Map<FieldName, Set<string>>();
  const order: FieldName[] = [];
  const seen = new Set<FieldName>();
  const counts = new Map<string, number>();
  for (const config of configs) {
    for (const name of [ALL, envClass(config), algoClass(config)]) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const present = new Map<string, number>();
  for (const config of configs) {
    for (const [field, value] of fieldsOf(config)) {
      if (!seen.has(field)) {
        seen.add(field);
        order.push(field);
      }
      const group = classOf(config, field);
      const key = `${field} ${group}`;
      present.set(key, (present.get(key) ?? 0) + 1);
      const text = textOf(value);
      const before = first.get(key);
      if (before === undefined) first.set(key, text);
      else if (before !== text) add(varies, field, group);
    }
  }
  // A field that only some of a class have differs as well.
  for (const config of configs) {
    for (const field of fieldsOf(config).keys()) {
      const group = classOf(config, field);
      if ((present.get(`${field} ${group}`) ?? 0) < (counts.get(group) ?? 0)) add(varies, field, group);
    }
  }
  return new Map(order.flatMap((field) => (varies.has(field) ? [[field, varies.get(field) ?? new Set<string>()] as const] : [])));
}

function add(into: Map<FieldName, Set<string>>, field: FieldName, group: string): void {
  const set = into.get(field);
  if (set === undefined) into.set(field, new Set([group]));
  else set.add(group);
}

const textOf = (value: Json): string => (typeof value === 'object' ? canonicalJson(value) : `${typeof value} ${value}`);

const LAST: readonly FieldName[] = ['run.seeds', 'run.seedStart', 'run.executor'];
/** Whether a field is what runs ask for beside what is learned: named last, for it rarely is the question. */
export const isAside = (field: FieldName): boolean => LAST.includes(field);
const rank = (field: FieldName): number => LAST.indexOf(field) + 1;

/** Names of the fields in which some of these configs differ: environment, algorithm, their settings, the run's. */
export function differingFields(configs: readonly RunConfig[]): readonly FieldName[] {
  return [...variations(configs).keys()].toSorted((a, b) => rank(a) - rank(b));
}

export interface FieldValue {
  readonly field: FieldName;
  /** undefined: this config lacks the field. */
  readonly value: Json | undefined;
}

/** Of each config, the fields by which it can be told from the others, with its values. */
export function differences(configs: readonly RunConfig[]): readonly (readonly FieldValue[])[] {
  const varying = variations(configs);
  const order = [...varying.keys()].toSorted((a, b) => rank(a) - rank(b));
  return configs.map((config) =>
    order.flatMap((field) =>
      varying.get(field)?.has(classOf(config, field)) === true ? [{ field, value: fieldsOf(config).get(field) }] : [],
    ),
  );
}
