/**
 * Contexts: an environment whose settings are drawn anew for each episode (contract/catalog/contexts.ts). A wrapper around any entry, so that no
 * algorithm needs support for it, and links, replays, evaluations and explanations carry it like any other setting.
 *
 * Every row is an environment of its own, with the settings of its episode. Draws come from a generator of their own; it and the numbers of
 * the last draw stand before the row's state, so that a state continues with the same bits. Where all settings are the same, episodes are
 * those of the environment without contexts, bit for bit.
 */

import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { type Contexts, contextsField, contextsOf, withTypedContexts } from '#contract/catalog/contexts.ts';
import { isObject, type JsonObject } from '#contract/kit/json.ts';
import { contextDraws, type Drawn, extremes } from './context-draws.ts';
import { checkSame, contextMeta } from './context-meta.ts';
import { contextEnv, contextPolicy } from './context-rows.ts';
import { offerOf } from './offer.ts';
import { badConfig } from './parse.ts';
import type { EnvEntry } from './types.ts';

/** `entry` with a field `contexts` in its config. Without it everything is as before. */
export function withContexts(entry: EnvEntry): EnvEntry {
  const known = new WeakMap<object, Drawn>();
  let schema: FieldSchema | null = null;
  const schemaOf = (): FieldSchema => entry.schema;

  /** null: no contexts. Throws LabError('config-invalid'). */
  const drawnOf = (config: unknown): Drawn | null => {
    if (!isObject(config)) return null;
    const before = known.get(config);
    if (before !== undefined) return before;
    const written = withTypedContexts(config as JsonObject, schemaOf);
    if (!('contexts' in written)) return null;
    const contexts = contextsOf(written, schemaOf());
    const { contexts: _, ...rest } = written;
    return contexts === null ? null : check(entry.parse(rest), contexts);
  };
  const check = (base: JsonObject, contexts: Contexts): Drawn => {
    if ('contexts' in base || contexts.list?.some((item) => 'contexts' in item))
      throw badConfig('contexts.list', 'Contexts cannot hold contexts.', 'List settings of the environment.');
    const draws = contextDraws(contexts, base, schemaOf());
    const plain = entry.meta(base);
    const ends = extremes(contexts).map((drawn) => ({ drawn, meta: entry.meta(entry.parse(draws.settings(base, drawn))) }));
    for (const { meta } of ends) checkSame(plain, meta);
    return { base, contexts, draws, meta: contextMeta(plain, ends, draws, contexts) };
  };
  const fixed = (config: unknown): unknown => {
    if (typeof config !== 'object' || config === null || !('contexts' in config)) return config;
    const { contexts: _, ...rest } = config;
    return rest; // empty contexts are none
  };

  const { id, version, changes, title, summary, source, presets, policyNames, golden, checkNew, prepare, question } = entry;
  return {
    ...{ id, version, changes, title, summary, source, presets, policyNames, golden },
    ...offerOf(entry),
    ...(checkNew !== undefined && { checkNew }),
    ...(prepare !== undefined && { prepare }),
    ...(question !== undefined && {
      question: (config: unknown, prompt: string) => question(drawnOf(config)?.base ?? fixed(config), prompt),
    }),
    get schema() {
      schema ??= { ...entry.schema, properties: { ...entry.schema.properties, contexts: contextsField } };
      return schema;
    },
    parse(config) {
      const drawn = drawnOf(config);
      if (drawn === null) return entry.parse(fixed(config));
      const whole = { ...drawn.base, contexts: drawn.contexts } as unknown as JsonObject;
      known.set(whole, drawn);
      return whole;
    },
    meta: (config) => drawnOf(config)?.meta ?? entry.meta(fixed(config)),
    create(config, batch, options) {
      const drawn = drawnOf(config);
      return drawn === null ? entry.create(fixed(config), batch, options) : contextEnv(entry, drawn, batch);
    },
    check: (name, config, inputs, memory) => entry.check(name, drawnOf(config)?.base ?? fixed(config), inputs, memory),
    policies(config) {
      const drawn = drawnOf(config);
      if (drawn === null) return entry.policies(fixed(config));
      return Object.fromEntries(policyNames.map((name) => [name, contextPolicy(entry, name)]));
    },
    skills: (config) => entry.skills(drawnOf(config)?.base ?? fixed(config)),
    lookAhead: (config) => (drawnOf(config) === null ? entry.lookAhead(fixed(config)) : null),
  };
}
