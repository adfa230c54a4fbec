/**
 * An environment of the catalogue with own parts over it: another id and title, settings of its own beside those of the
 * environment, and what `change` makes of its meta and copies. Models, game trees and searches are left out: they hold the old reward.
 */
import { z } from 'zod';
import type { JsonObject } from '#contract/kit/json.ts';
import { parseConfig, toFieldSchema } from '../envs/api/parse.ts';
import { joinSeats, playersOf, type Seats, seatedEnv, seatedMeta, seatedPolicy, seatsField, splitSeats } from '../envs/api/seats.ts';
import type { EnvEntry, Environment, EnvMeta, ScriptedPolicy } from '../envs/api/types.ts';
import { isObject, type Settings, wrong } from './form.ts';
import { settingFields } from './settings.ts';

export interface OverForm {
  readonly title: string;
  readonly about?: string;
  /** Id of the environment, and its settings where they are not its defaults. */
  readonly env: string;
  readonly envSettings?: JsonObject;
  readonly settings?: unknown;
}

export interface Over {
  meta(base: EnvMeta): EnvMeta;
  create(inner: Environment, meta: EnvMeta, settings: Settings): Environment;
  /** Policies in front of the environment's own. */
  policies?(base: EnvMeta, settings: Settings): { readonly [name: string]: ScriptedPolicy };
  readonly policyNames?: readonly string[];
}

interface Parsed {
  readonly base: JsonObject;
  readonly own: Settings;
  /** Seats that are taken where the person's policies may sit; otherwise the environment itself keeps them. */
  readonly seats: Seats | null;
}

/** The environment under a copy that `Over.create` made: its own policies act on that. */
const under = new WeakMap<Environment, Environment>();

/** Members that every definition over an environment has. Throws LabError('world-invalid'). */
export function checkOver(given: { readonly [key: string]: unknown }): void {
  if (typeof given.env !== 'string') throw wrong('env', '"env" is no name of an environment.', "Write env: 'cartpole'.");
  if (given.envSettings !== undefined && !isObject(given.envSettings))
    throw wrong('envSettings', '"envSettings" is not an object.', 'Write envSettings: { maxSteps: 200 }.');
}

/** Throws LabError: 'world-invalid' where a setting has a name that the environment uses, 'config-invalid' for its envSettings. */
export function overEntry(base: EnvEntry, id: string, form: OverForm, over: Over): EnvEntry {
  const fields = settingFields(form.settings, Object.keys(base.schema.properties ?? {}).length);
  const standard = form.envSettings ?? {};
  base.parse(standard);
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(base.schema.properties ?? {}, name))
      throw wrong(`settings.${name}`, `${base.title} has a setting "${name}" itself.`, 'Choose another name.');
  }
  const schema = z.strictObject(fields);
  const complete = new WeakMap<object, Parsed>();
  const split = (config: unknown): Parsed => {
    const known = isObject(config) ? complete.get(config) : undefined;
    if (known !== undefined) return known;
    const whole = isObject(config) ? config : {};
    const { rest, seats } = over.policyNames === undefined ? { rest: whole, seats: null } : splitSeats(whole);
    const given = isObject(rest) ? rest : {};
    const of = (own: boolean) => Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(fields, name) === own));
    return {
      base: base.parse({ ...standard, ...of(false) }),
      own: Object.freeze(parseConfig(schema, of(true), 'env') as Settings),
      seats,
    };
  };
  const policyNames = [...(over.policyNames ?? []), ...base.policyNames];
  const policiesOf = (parsed: Parsed): { readonly [name: string]: ScriptedPolicy } => ({
    ...over.policies?.(base.meta(parsed.base), parsed.own),
    ...base.policies(parsed.base),
  });
  const metaOf = (config: unknown): EnvMeta => {
    const parsed = split(config);
    const { searchable: _, listed: __, terms: ___, ...meta } = base.meta(parsed.base);
    const open = parsed.seats === null ? meta : seatedMeta(meta, playersOf(meta, parsed.seats, policyNames));
    return over.meta({ ...open, id, version: 1, references: [] });
  };
  return {
    id,
    version: 1,
    changes: [],
    title: form.title,
    summary: form.about ?? `${form.title}, in ${base.title}`,
    source: { ...base.source, title: `${form.title}, over: ${base.source.title}` },
    presets: [{ id: 'standard', title: 'as written', config: {} }],
    ...(base.recommended !== undefined && { recommended: base.recommended }),
    ...(base.checkNew !== undefined && { checkNew: base.checkNew }),
    get schema() {
      const own = toFieldSchema(schema).properties ?? {};
      const others = Object.entries(base.schema.properties ?? {}).map(([name, field]) => [
        name,
        Object.hasOwn(standard, name) ? { ...field, default: standard[name] } : field,
      ]);
      const seats = over.policyNames !== undefined && base.schema.properties?.seats !== undefined;
      const properties = { ...own, ...Object.fromEntries(others), ...(seats && { seats: seatsField(policyNames) }) };
      return { ...base.schema, properties };
    },
    parse(config) {
      const parsed = split(config);
      const whole = joinSeats({ ...parsed.base, ...parsed.own }, parsed.seats);
      metaOf(config); // refuses players that are none
      complete.set(whole, parsed);
      return whole;
    },
    meta: metaOf,
    ...(base.prepare !== undefined && { prepare: () => base.prepare?.() ?? Promise.resolve() }),
    create(config, batch, options) {
      const parsed = split(config);
      const meta = metaOf(config);
      const whole = base.create(parsed.base, batch, options);
      const inner =
        parsed.seats === null
          ? whole
          : seatedEnv({ inner: whole, meta, players: playersOf(whole.meta, parsed.seats, policyNames), policies: policiesOf(parsed) });
      const env = over.create(inner, meta, parsed.own);
      under.set(env, inner);
      return env;
    },
    check: (name, config, inputs, memory) => base.check(name, split(config).base, inputs, memory),
    policyNames,
    policies(config) {
      const parsed = split(config);
      return Object.fromEntries(
        Object.entries(policiesOf(parsed)).map(([name, policy]) => {
          const whole = parsed.seats === null ? policy : seatedPolicy(policy);
          return [name, { act: (env, buffers, out) => whole.act(under.get(env) ?? env, buffers, out) } satisfies ScriptedPolicy];
        }),
      );
    },
    skills: (config) => base.skills(split(config).base),
    lookAhead: () => null,
    golden: {},
  };
}
