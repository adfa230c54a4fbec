/** A policy from its snapshot, on a small wasm engine of its own. */
import type { PolicySnapshot } from '#contract/events.ts';
import { upgrade } from '#contract/versions.ts';
import type { Policy } from '../algos/api/types.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import type { Registry } from './registry.ts';

export interface BuiltPolicy {
  readonly policy: Policy;
  /** Frees the policy and its engine. */
  free(): void;
}

/** Throws LabError for unknown ids, and for configs or parameters that do not fit them. */
export async function buildPolicy({ algo, env, saved }: PolicySnapshot, registry: Registry): Promise<BuiltPolicy> {
  const envEntry = registry.env(env.id);
  const envConfig = envEntry.parse(upgrade(envEntry, env.version, env.config, 'env.version').config);
  const entry = registry.algo(algo.id);
  let engine: Engine | null = null;
  const context = {
    config: entry.parse(upgrade(entry, algo.version, algo.config, 'algo.version').config),
    meta: envEntry.meta(envConfig),
    envEntry,
    envConfig,
    makeEngine: async () => (engine = await createEngine('wasm')),
  };
  const policy = await entry.policy(context, saved);
  return {
    policy,
    free() {
      policy.dispose();
      engine?.dispose();
    },
  };
}
