/** Policies the watch worker holds by name, built from snapshots on first use, each on a small engine of its own. */

import { canonicalJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { Policy, Sampled, Weighed } from '#core/algos/api/types.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { randomPolicy } from '#core/algos/lib/random-policy.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { NetworkProbe } from '#core/run/network-view.ts';
import type { BuiltPolicy } from '#core/run/policy.ts';
import { movedTo } from '#core/run/transfer.ts';

interface Held {
  readonly snapshot: PolicySnapshot;
  /** By the setting that it is made for: one, unless its network takes teams of any size. */
  readonly built: Map<string, Promise<BuiltPolicy>>;
}

export class Policies {
  private readonly held = new Map<string, Held>();
  /** They share the engine of their policy and go with it. */
  private readonly probes = new WeakMap<BuiltPolicy, Map<number, NetworkProbe>>();

  set(key: string, snapshot: PolicySnapshot): void {
    this.drop(key);
    this.held.set(key, { snapshot, built: new Map() });
  }

  drop(key: string): void {
    const built = this.held.get(key)?.built.values() ?? [];
    this.held.delete(key);
    for (const one of built) one.then(({ free }) => free()).catch(() => {}); // it could not be built: nothing to free, and the failure was already reported
  }

  /**
   * null or 'random': random actions in this environment. Throws LabError if the key was not set, and LabError('incompatible') if the
   * policy was trained with other observations or actions than `env` has.
   */
  async get(key: string | null, env: { readonly id: string; readonly config: JsonObject }): Promise<Policy> {
    if (key === null || key === 'random') return randomPolicy((await loadEnv(env.id)).meta(env.config));
    return (await this.built(key, env)).policy;
  }

  /** The config of its method. Throws as get() does. */
  configOf(key: string): JsonObject {
    return this.snapshot(key).algo.config;
  }

  /** How the method that trained a policy would weigh answers, by its settings; null: it compares none. Throws as get() does. */
  async weighing(key: string | null): Promise<((sampled: Sampled) => Weighed) | null> {
    if (key === null || key === 'random') return null;
    const { id, config } = this.snapshot(key).algo;
    const { weigh } = await loadAlgo(id);
    return weigh === undefined ? null : (sampled) => weigh(config, sampled);
  }

  /** What is drawn of the network of one agent. Throws as get() does, and LabError('incompatible') for what is not one network each. */
  async probe(key: string, env: { readonly id: string; readonly config: JsonObject }, agent: number): Promise<NetworkProbe> {
    const built = await this.built(key, env);
    const probes = this.probes.get(built) ?? new Map<number, NetworkProbe>();
    this.probes.set(built, probes);
    const probe = probes.get(agent) ?? new NetworkProbe(built, agent);
    probes.set(agent, probe);
    return probe;
  }

  private snapshot(key: string): PolicySnapshot {
    const held = this.held.get(key);
    if (held === undefined) throw fail('internal', 'This policy is no longer in memory.', 'Choose another point of the run.');
    return held.snapshot;
  }

  private async built(key: string, env: { readonly id: string; readonly config: JsonObject }): Promise<BuiltPolicy> {
    const held = this.held.get(key);
    if (held === undefined) throw fail('internal', 'This policy is no longer in memory.', 'Choose another point of the run.');
    const { snapshot, built } = held;
    const acting = snapshot.env.id === env.id ? movedTo(snapshot, await loadEnv(env.id), env.config) : snapshot;
    const setting = acting === snapshot ? '' : canonicalJson(acting.env.config);
    const found = built.get(setting) ?? buildPolicy(acting);
    built.set(setting, found);
    return found;
  }
}
