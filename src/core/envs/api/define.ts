/** Turns an environment definition into a registry entry: raw JSON in, config type forgotten. Throws LabError('config-invalid'). */
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject } from '#contract/kit/json.ts';
import { flatConfig, nestedConfig } from '#contract/run/flat-settings.ts';
import { withContexts } from './contexts.ts';
import { withObserved } from './observed.ts';
import { offerOf } from './offer.ts';
import { parseConfig, toFieldSchema } from './parse.ts';
import { joinSeats, playersOf, type SeatPlan, type Seats, seatedEnv, seatedMeta, seatedPolicy, seatsField, splitSeats } from './seats.ts';
import type { EnvDef, EnvEntry, EnvMeta, ScriptedPolicy } from './types.ts';

/** The environment's own config, and the fixed players of its seats, if any. */
interface Parsed<C> {
  /** As it is written down, and as the definition reads it (EnvSettings). */
  readonly config: object;
  readonly c: C;
  readonly seats: Seats | null;
  readonly players: readonly SeatPlan[];
}

export function defineEnv<C extends object>(def: EnvDef<C>): EnvEntry {
  const { spec } = def;
  const policyNames = Object.keys(def.policies ?? {});
  const complete = new WeakMap<object, Parsed<C>>(); // what parse gave is known again and not checked twice
  const own = (given: unknown): Pick<Parsed<C>, 'config' | 'c'> => {
    const now = isObject(given) ? nestedConfig(spec.id, given) : (given ?? {});
    if (spec.flat === undefined) {
      const c = parseConfig(spec.config, now, 'env');
      return { config: c, c };
    }
    const config = parseConfig(spec.config, now, 'env');
    return { config, c: parseConfig(spec.flat, flatConfig(spec.id, joinSeats(config, null), true), 'env') };
  };

  const parse = (config: unknown): Parsed<C> => {
    const known = typeof config === 'object' && config !== null ? complete.get(config) : undefined;
    if (known !== undefined) return known;
    const { rest, seats } = splitSeats(config);
    const { config: whole, c } = own(rest);
    return { config: whole, c, seats, players: seats === null ? [] : playersOf(spec.meta(c), seats, policyNames) };
  };
  const metaOf = ({ c, seats, players }: Parsed<C>): EnvMeta => {
    const meta = spec.meta(c);
    return seats === null ? meta : seatedMeta(meta, players);
  };
  const policiesOf = (c: C): { [name: string]: ScriptedPolicy } => {
    const out: { [name: string]: ScriptedPolicy } = {};
    for (const [name, make] of Object.entries(def.policies ?? {})) out[name] = make(c);
    return out;
  };

  const { prepare, question } = def;
  let ready = prepare === undefined;
  let preparing: Promise<void> | null = null;
  const prepareOnce = async (): Promise<void> => {
    preparing ??= prepare?.() ?? null;
    try {
      await preparing;
      ready = true;
    } catch (error) {
      preparing = null; // the next call tries again
      throw error;
    }
  };

  let schema: FieldSchema | null = null;
  const entry = withContexts({
    id: spec.id,
    version: spec.version,
    changes: spec.changes ?? [],
    title: spec.title,
    summary: spec.summary,
    source: spec.source,
    presets: spec.presets,
    ...offerOf(spec),
    ...(spec.checkNew !== undefined && { checkNew: spec.checkNew }),
    get schema() {
      if (schema !== null) return schema;
      schema = toFieldSchema(spec.config);
      const team = [{}, ...spec.presets.map((preset) => preset.config)].some((config) => spec.meta(own(config).c).agentCount > 1);
      if (team) schema = { ...schema, properties: { ...schema.properties, seats: seatsField(policyNames) } };
      return schema;
    },
    parse(config) {
      const parsed = parse(config);
      const whole = joinSeats(parsed.config, parsed.seats);
      complete.set(whole, parsed);
      return whole;
    },
    meta: (config) => metaOf(parse(config)),
    ...(prepare !== undefined && { prepare: prepareOnce }),
    ...(question !== undefined && { question: (config: unknown, prompt: string) => question(parse(config).c, prompt) }),
    create(config, batch, options) {
      if (!ready) throw fail('internal', `${spec.title} is not loaded yet.`, 'Await prepare() of the environment before create().');
      const parsed = parse(config);
      const inner = def.create(parsed.c, batch, options);
      if (parsed.seats === null) return inner;
      return seatedEnv({ inner, meta: metaOf(parsed), players: parsed.players, policies: policiesOf(parsed.c) });
    },
    check: (name, config, inputs, memory) => def.checks?.[name]?.(parse(config).c, inputs, memory),
    policyNames,
    policies(config) {
      const { c, seats } = parse(config);
      const policies = policiesOf(c);
      if (seats === null) return policies;
      return Object.fromEntries(Object.entries(policies).map(([name, policy]) => [name, seatedPolicy(policy)]));
    },
    skills: (config) => def.skills?.(parse(config).c) ?? null,
    lookAhead: (config) => def.lookAhead?.(parse(config).c) ?? null,
    golden: (def.golden ?? {}) as EnvEntry['golden'],
  });
  return withObserved(entry);
}
