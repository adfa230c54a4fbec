/** Policies the watch worker holds by name, built from snapshots on first use, each on a small engine of its own. */

import { fail } from '#contract/errors.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import { getAlgo } from '#core/algos/index.ts';
import { randomPolicy } from '#core/algos/random.ts';
import type { Policy } from '#core/algos/types.ts';
import { createEngine } from '#core/engine/index.ts';
import type { Engine } from '#core/engine/types.ts';
import { getEnv } from '#core/envs/index.ts';

interface Held {
  readonly snapshot: PolicySnapshot;
  built: Promise<{ readonly policy: Policy; readonly engine: Engine | null }> | null;
}

export class Policies {
  private readonly held = new Map<string, Held>();

  set(key: string, snapshot: PolicySnapshot): void {
    this.drop(key);
    this.held.set(key, { snapshot, built: null });
  }

  drop(key: string): void {
    const built = this.held.get(key)?.built;
    this.held.delete(key);
    built
      ?.then(({ policy, engine }) => {
        policy.dispose();
        engine?.dispose();
      })
      .catch(() => {}); // it could not be built: nothing to free, and its user has been told
  }

  /** null or 'random': random actions in this environment. Throws LabError if nobody set the key. */
  async get(key: string | null, env: { readonly id: string; readonly config: JsonObject }): Promise<Policy> {
    if (key === null || key === 'random') return randomPolicy(getEnv(env.id).meta(env.config));
    const held = this.held.get(key);
    if (held === undefined) throw fail('internal', 'This policy is no longer in memory.', 'Choose another point of the run.');
    held.built ??= buildPolicy(held.snapshot);
    return (await held.built).policy;
  }
}

/** A policy from its snapshot, on a small engine of its own. */
export async function buildPolicy({
  algo,
  env,
  saved,
}: PolicySnapshot): Promise<{ readonly policy: Policy; readonly engine: Engine | null }> {
  const entry = getEnv(env.id);
  let engine: Engine | null = null;
  const policy = await getAlgo(algo.id).policy(
    {
      config: algo.config,
      meta: entry.meta(env.config),
      envEntry: entry,
      envConfig: env.config,
      makeEngine: async () => (engine = await createEngine('wasm')),
    },
    saved,
  );
  return { policy, engine };
}
