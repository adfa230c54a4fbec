/** What an explainer works with: the environment, the policies that act in it, and the explained episode, made from a request. */

import type { ReplacementRule } from '#contract/explain/explain.ts';
import type { ExplainRequest, ReplayFrame, Team } from '#contract/explain/explain-api.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../../algos/api/types.ts';
import { createActions } from '../../envs/api/buffers.ts';
import { lifetimeOf } from '../../envs/api/lifetime.ts';
import type { EnvEntry, EnvMeta } from '../../envs/api/types.ts';
import { type BuiltPolicy, buildPolicy } from '../../run/policy.ts';
import type { Registry } from '../../run/registry.ts';
import { ReplayReader } from '../../run/replay.ts';
import { type Actor, learnedActor, scriptedActor } from './actors.ts';
import { type Replacement, replacementOf } from './replacement.ts';

/** Makes an actor for a batch of this size; `memory` [A, ...] as in learnedActor. */
export type TeamFactory = (batch: number, memory?: Float32Array) => Actor;

/** Makes a stand-in for these agents in a batch of this size. */
export type ReplacementFactory = (batch: number, players: readonly number[]) => Replacement;

/** The environment and the team's memory at a frame of a replay. */
export interface Standing {
  readonly from: Uint8Array; // the state
  readonly memory: Float32Array; // [A, ...]
}

export interface SceneOptions {
  readonly registry: Registry;
  /** Builds learned policies; buildPolicy unless something keeps them built. */
  readonly build?: (team: { readonly snapshot: PolicySnapshot; readonly key?: string }) => Promise<BuiltPolicy>;
  /** Awaited between steps of work: to pause, to leave time to others, to stop by throwing. */
  readonly pace?: () => Promise<void> | undefined;
}

export class Scene {
  readonly entry: EnvEntry;
  readonly config: JsonObject;
  readonly meta: EnvMeta;
  /** null: a scripted policy acts. */
  readonly policy: Policy | null;
  /** Other episodes of the environment. */
  readonly episodes: readonly Replay[];
  /** One of several frames is explained: estimates on the way, and what is only for a close reading, are left out. */
  readonly brief: boolean;
  readonly pace: (() => Promise<void> | undefined) | undefined;
  private readonly at: ReplayFrame | null;
  private readonly acting: Cast;
  private readonly other: Cast | null;
  private readonly readers: Map<Replay, ReplayReader>;
  private readonly disposeEnvs: () => void;

  private constructor(parts: Pick<Scene, 'entry' | 'config' | 'meta' | 'episodes' | 'brief' | 'pace'> & Private) {
    this.entry = parts.entry;
    this.config = parts.config;
    this.meta = parts.meta;
    this.policy = parts.acting.policy;
    this.episodes = parts.episodes;
    this.brief = parts.brief;
    this.pace = parts.pace;
    this.at = parts.at;
    this.acting = parts.acting;
    this.other = parts.other;
    this.readers = parts.readers;
    this.disposeEnvs = parts.disposeEnvs;
  }

  /** The caller frees. Throws LabError for ids that are not there and for configs and parameters that do not fit them. */
  static async open(request: ExplainRequest, options: SceneOptions): Promise<Scene> {
    const { env, team, other } = request;
    if (env === null || team === null)
      throw fail('incompatible', 'There is no environment and no policy to explain.', 'Choose an environment and a policy.', 'team');
    const lifetime = lifetimeOf(options.registry.env(env.id));
    const { entry } = lifetime;
    await entry.prepare?.();
    const config = entry.parse(env.config);
    const meta = entry.meta(config);
    const acting = await castOf(team, entry, config, options);
    try {
      return new Scene({
        entry,
        config,
        meta,
        episodes: request.episodes,
        brief: request.frames !== null,
        pace: options.pace,
        at: request.moment,
        acting,
        other: other === null ? null : await castOf(other, entry, config, options),
        readers: new Map(),
        disposeEnvs: lifetime.dispose,
      });
    } catch (error) {
      acting.free();
      throw error;
    }
  }

  /** The same scene at another frame of the explained episode. */
  atFrame(t: number): Scene {
    const { entry, config, meta, episodes, brief, pace, acting, other, readers, disposeEnvs } = this;
    const at = { ...this.moment, t };
    return new Scene({ entry, config, meta, episodes, brief, pace, at, acting, other, readers, disposeEnvs });
  }

  /** Throws LabError('incompatible') where the policy on the whole is explained. */
  get moment(): ReplayFrame {
    if (this.at === null) throw fail('incompatible', 'There is no frame to explain.', 'Choose a frame of an episode.', 'frame');
    return this.at;
  }

  get hasMoment(): boolean {
    return this.at !== null;
  }

  /** Throws LabError('incompatible') for a scripted policy. */
  get learned(): Policy {
    if (this.policy === null) throw fail('incompatible', 'A scripted policy has learned nothing.', 'Choose a learned policy.', 'team');
    return this.policy;
  }

  /** greedy: the policy's best actions; else drawn from its distribution. */
  team(greedy: boolean): TeamFactory {
    return this.acting.actors(greedy, this.meta);
  }

  /** Throws LabError('incompatible') where the environment has no such replacement. */
  replacement(rule: ReplacementRule, greedy: boolean): ReplacementFactory {
    const stand = rule.kind === 'scripted' ? scriptOf(rule.name, this.entry, this.config) : rule.kind === 'policy' ? this.other : null;
    const actors = stand?.actors(greedy, this.meta);
    return (batch, players) => replacementOf(rule, this.meta, players, actors?.(batch) ?? null);
  }

  /** One reader for each replay, of which frames may be sought in any order. */
  reader(replay: Replay): ReplayReader {
    let found = this.readers.get(replay);
    if (found === undefined) this.readers.set(replay, (found = new ReplayReader(replay, this.entry)));
    return found;
  }

  /** The state at the explained frame, and what the team remembers there: a team with a memory watches the episode up to it. */
  async standing(): Promise<Standing> {
    const { replay, t } = this.moment;
    const reader = this.reader(replay);
    const watcher = this.team(true)(1);
    if (watcher.memory.length > 0) {
      const ignored = createActions(this.meta, 1);
      const clock = { seed: Uint32Array.of(replay.seed), step: Int32Array.of(0) };
      for (let frame = 0; frame < t; frame++) {
        reader.seek(frame);
        await watcher.act(reader.env, reader.buffers, clock, ignored);
      }
    }
    reader.seek(t);
    return { from: reader.env.save(0), memory: watcher.memory.slice() };
  }

  free(): void {
    this.acting.free();
    this.other?.free();
    this.disposeEnvs();
  }
}

interface Private {
  readonly at: ReplayFrame | null;
  readonly acting: Cast;
  readonly other: Cast | null;
  readonly readers: Map<Replay, ReplayReader>;
  /** Frees every environment that was made of `entry`. */
  readonly disposeEnvs: () => void;
}

/** A policy that acts, built once. */
interface Cast {
  readonly policy: Policy | null;
  actors(greedy: boolean, meta: EnvMeta): TeamFactory;
  free(): void;
}

async function castOf(team: Team, entry: EnvEntry, config: JsonObject, { registry, build }: SceneOptions): Promise<Cast> {
  if ('scripted' in team) return scriptOf(team.scripted, entry, config);
  const { policy, free } = await (build === undefined ? buildPolicy(team.snapshot, registry) : build(team));
  return {
    policy,
    actors: (greedy, meta) => (batch, memory) => learnedActor(policy, meta, batch, greedy, Rng.from(0), memory),
    free,
  };
}

/** Throws LabError('unknown-id') for a script that is not there. */
function scriptOf(name: string, entry: EnvEntry, config: JsonObject): Cast {
  const policy = entry.policies(config)[name];
  if (policy === undefined)
    throw fail('unknown-id', `There is no scripted policy "${name}".`, `There are: ${entry.policyNames.join(', ') || 'none'}.`);
  return { policy: null, actors: () => () => scriptedActor(policy), free() {} };
}
