/**
 * How agents see an environment: settings of every environment, in one place, so that every method, link, sweep and file takes them. Frames are
 * stacked by the environment itself (frame-stack.ts); what is normalised is said in the meta, and done where a method meets its environment and
 * where its policy acts (algos/api/normalised.ts). Without them configs, hashes and bits are as before.
 */

import { z } from 'zod';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import { MOST_FRAMES, stackedEnv, stackedMeta, stackedPolicy } from './frame-stack.ts';
import { offerOf } from './offer.ts';
import { badConfig, parseConfig } from './parse.ts';
import type { EnvEntry, EnvMeta } from './types.ts';

const frameStack: FieldSchema = {
  type: 'integer',
  default: 1,
  minimum: 1,
  maximum: MOST_FRAMES,
  title: 'stacked frames',
  description: 'Agents see so many of their last observations; zeros stand before the start of an episode.',
  unit: 'observations',
  source: 'Mnih et al. 2015; VecFrameStack of stable-baselines3',
  depth: 'research',
  group: 'observations',
};
const normaliseObs: FieldSchema = {
  type: 'boolean',
  default: false,
  title: 'normalise observations',
  description:
    'Agents see observations less their running mean, divided by their running deviation, clipped at 10; tests keep what training found.',
  source: 'VecNormalize of stable-baselines3',
  depth: 'research',
  group: 'observations',
};
const FIELDS = { frameStack, normaliseObs } as const;
const values = z.strictObject({ frameStack: z.int().min(1).max(MOST_FRAMES), normaliseObs: z.boolean() });

/** How agents see; what is not set is left out. */
interface Observed {
  readonly frameStack?: number;
  readonly normaliseObs?: true;
}

/** A config taken apart, with what follows from it. */
interface Parts {
  readonly base: JsonObject;
  readonly observed: Observed;
  readonly frames: number;
  readonly meta: EnvMeta;
}

/** In the words that the form has for them. Throws LabError('config-invalid'). */
function observedOf({ frameStack: frames = 1, normaliseObs: normalise = false }: JsonObject): Observed {
  const given = parseConfig(values, { frameStack: frames, normaliseObs: normalise }, 'env');
  return { ...(given.frameStack > 1 && { frameStack: given.frameStack }), ...(given.normaliseObs && { normaliseObs: true }) };
}

/** Running moments are those of numbers. Throws LabError('config-invalid'). */
function checkNumbers({ agents, tokens }: EnvMeta): void {
  if (tokens === undefined && agents.every(({ obs }) => obs.kind === 'box')) return;
  throw badConfig(
    'normaliseObs',
    'Agents see numbered states, codes or tokens here, which have no mean and no deviation.',
    'Switch the normalisation off.',
  );
}

/** Whether a config holds one of the fields. */
const asks = (config: unknown): config is JsonObject => isObject(config) && ('frameStack' in config || 'normaliseObs' in config);

/** `entry` with the fields `frameStack` and `normaliseObs` in its config. */
export function withObserved(entry: EnvEntry): EnvEntry {
  const known = new WeakMap<object, Parts>();
  let schema: FieldSchema | null = null;

  /** null: agents see what the environment shows. */
  const partsOf = (config: unknown): Parts | null => {
    if (!asks(config)) return null;
    const before = known.get(config);
    if (before !== undefined) return before;
    const observed = observedOf(config);
    if (Object.keys(observed).length === 0) return null;
    const base = entry.parse(plain(config));
    const own = entry.meta(base);
    const frames = observed.frameStack ?? 1;
    if (observed.normaliseObs) checkNumbers(own);
    const stacked = frames > 1 ? stackedMeta(own, frames) : own;
    const meta = observed.normaliseObs ? { ...stacked, normalised: true as const } : stacked;
    return { base, observed, frames, meta };
  };
  const { id, version, changes, title, summary, source, presets, policyNames, golden, checkNew, prepare, question } = entry;
  const base = (config: unknown): unknown => partsOf(config)?.base ?? plain(config);
  return {
    ...{ id, version, changes, title, summary, source, presets, policyNames, golden },
    ...offerOf(entry),
    ...(checkNew !== undefined && { checkNew }),
    ...(prepare !== undefined && { prepare }),
    ...(question !== undefined && { question: (config: unknown, prompt: string) => question(base(config), prompt) }),
    get schema() {
      schema ??= { ...entry.schema, properties: { ...entry.schema.properties, ...fieldsOf(entry) } };
      return schema;
    },
    parse(config) {
      const parts = partsOf(config);
      if (parts === null) return entry.parse(plain(config));
      const whole: JsonObject = { ...parts.base, ...parts.observed };
      known.set(whole, parts);
      return whole;
    },
    meta: (config) => partsOf(config)?.meta ?? entry.meta(plain(config)),
    create(config, batch, options) {
      const parts = partsOf(config);
      if (parts === null) return entry.create(plain(config), batch, options);
      const inner = entry.create(parts.base, batch, options);
      const env = parts.frames > 1 ? stackedEnv(inner, parts.meta, parts.frames) : inner;
      const { configure } = env;
      if (configure !== undefined) env.configure = (next) => configure.call(env, plain(next));
      return env;
    },
    check: (name, config, inputs, memory) => entry.check(name, base(config), inputs, memory),
    policies(config) {
      const parts = partsOf(config);
      const policies = entry.policies(parts?.base ?? plain(config));
      if (parts === null || parts.frames === 1) return policies;
      return Object.fromEntries(Object.entries(policies).map(([name, policy]) => [name, stackedPolicy(policy)]));
    },
    skills: (config) => (partsOf(config) === null ? entry.skills(plain(config)) : null),
    lookAhead: (config) => (partsOf(config) === null ? entry.lookAhead(plain(config)) : null),
  };
}

/** A config without the two fields. */
function plain(config: JsonObject): JsonObject;
function plain(config: unknown): unknown;
function plain(config: unknown): unknown {
  if (!asks(config)) return config;
  const { frameStack: _, normaliseObs: __, ...rest } = config;
  return rest;
}

/** The fields that an environment has: where agents read tokens there are none, and codes have no mean. */
function fieldsOf(entry: EnvEntry): { readonly [name: string]: FieldSchema } {
  const { agents, tokens } = entry.meta(entry.parse({}));
  if (tokens !== undefined || agents.length === 0) return {};
  return agents.every(({ obs }) => obs.kind === 'box') ? FIELDS : { frameStack };
}
