/** Policies the watch worker holds by name, built from snapshots on first use, each on a small engine of its own. */

import { fail } from '#contract/errors.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Policy } from '#core/algos/api/types.ts';
import { randomPolicy } from '#core/algos/baselines/random.ts';
import { getEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import type { BuiltPolicy } from '#core/run/policy.ts';
import { checkTransfer } from '#core/run/transfer.ts';

interface Held {
  readonly snapshot: PolicySnapshot;
  built: Promise<BuiltPolicy> | null;
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
    built?.then(({ free }) => free()).catch(() => {}); // it could not be built: nothing to free, and the failure was already reported
  }

  /**
   * null or 'random': random actions in this environment. Throws LabError if the key was not set, and LabError('incompatible') if the
   * policy was trained with other observations or actions than `env` has.
   */
  async get(key: string | null, env: { readonly id: string; readonly config: JsonObject }): Promise<Policy> {
    if (key === null || key === 'random') return randomPolicy(getEnv(env.id).meta(env.config));
    const held = this.held.get(key);
    if (held === undefined) throw fail('internal', 'This policy is no longer in memory.', 'Choose another point of the run.');
    const trained = held.snapshot.env;
    if (trained.id === env.id) checkTransfer(getEnv(env.id).meta(trained.config), getEnv(env.id).meta(env.config));
    held.built ??= buildPolicy(held.snapshot);
    return (await held.built).policy;
  }
}
