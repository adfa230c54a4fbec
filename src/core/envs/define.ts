/** Turns an environment definition into a registry entry: raw JSON in, config type forgotten. Throws LabError('config-invalid'). */
import { parseConfig, toFieldSchema } from './parse.ts';
import type { EnvDef, EnvEntry, ScriptedPolicy } from './types.ts';

export function defineEnv<C extends object>(def: EnvDef<C>): EnvEntry {
  const { spec } = def;
  const parse = (config: unknown): C => parseConfig(spec.config, config ?? {}, 'env');
  return {
    id: spec.id,
    version: spec.version,
    title: spec.title,
    summary: spec.summary,
    source: spec.source,
    presets: spec.presets,
    schema: toFieldSchema(spec.config),
    parse: (config) => parse(config) as never,
    meta: (config) => spec.meta(parse(config)),
    create: (config, batch, options) => def.create(parse(config), batch, options),
    check: (name, config, inputs, memory) => def.checks?.[name]?.(parse(config), inputs, memory),
    policyNames: Object.keys(def.policies ?? {}),
    policies(config) {
      const complete = parse(config);
      const out: { [name: string]: ScriptedPolicy } = {};
      for (const [name, make] of Object.entries(def.policies ?? {})) out[name] = make(complete);
      return out;
    },
    golden: (def.golden ?? {}) as EnvEntry['golden'],
  };
}
