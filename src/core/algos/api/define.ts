/** From a typed algorithm to a registry entry whose methods take raw JSON. */
import type { JsonObject } from '#contract/json.ts';
import { parseConfig, toFieldSchema } from '../../envs/api/parse.ts';
import type { AlgoDef, AlgoEntry, Run } from './types.ts';

/**
 * Wraps a definition; parse throws LabError('config-invalid'), fits LabError('incompatible'). `train` takes the run's config as it is:
 * what parse gave, and the very object that live edits change.
 */
export function defineAlgo<C extends object>(def: AlgoDef<C>): AlgoEntry {
  const { spec } = def;
  const complete = new WeakSet<object>(); // what parse gave is known again and not checked twice
  const known = (config: unknown): config is C => typeof config === 'object' && config !== null && complete.has(config);
  const typed = (config: unknown): C => {
    if (known(config)) return config;
    const parsed = parseConfig(spec.config, config ?? {}, 'algo');
    complete.add(parsed);
    return parsed;
  };
  const { config: schema, ...card } = spec;
  const entry: AlgoEntry = {
    ...card,
    changes: spec.changes ?? [],
    probeConfig: spec.probeConfig ?? {},
    schema: toFieldSchema(schema),
    parse: (config) => typed(config) as JsonObject,
    fits: (meta, config) => def.fits?.(meta, typed(config)),
    train: (run, resume) => def.train(run as Run<C>, resume),
    policy: (context, saved) => def.policy({ ...context, config: typed(context.config) }, saved),
  };
  const { benchmark } = def;
  if (benchmark === undefined) return entry;
  return { ...entry, benchmark: (context) => benchmark({ ...context, config: typed(context.config) }) };
}
