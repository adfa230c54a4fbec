/**
 * Episodes as what happened, not what it looked like: start state, seed and actions. Frames are re-simulated; one environment per
 * opened replay walks forward, and states kept every few frames let it jump back. Throws LabError('state-invalid') where the
 * re-simulation does not give the recorded rewards.
 */

import { frameSize, type Pull } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import { upgrade } from '#contract/run/versions.ts';
import type { Window } from '#contract/session/session.ts';
import type { Policy } from '../algos/api/types.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import type { Actions, EnvEntry, Environment, ScriptedPolicy, StepBuffers } from '../envs/api/types.ts';
import { Lineup, type Player } from './lineup.ts';

const KEY_EVERY = 64; // frames between kept states

/** Asked after each step of an episode that is being played; true: it ends here, cut. It may let messages in meanwhile. */
export type Cut = () => boolean | Promise<boolean>;
const never: Cut = () => false;

/** Rewards of one step, one per agent: the sum over reward components. */
export function agentRewards(env: Environment, buffers: StepBuffers): Float32Array {
  const kinds = env.meta.rewards.length;
  return Float32Array.from({ length: env.meta.agentCount }, (_, a) => {
    let sum = 0;
    for (let k = 0; k < kinds; k++) sum += buffers.reward[a * kinds + k]!;
    return sum;
  });
}

/** The mission of row 0, where the environment has one. */
export function missionOf(env: Environment): string | undefined {
  const mission = env.extras?.(0).mission;
  return typeof mission === 'string' && mission !== '' ? mission : undefined;
}

/** Who plays the seats of row 0 for which players are drawn; undefined where there are none. */
function partnersOf({ meta, partner }: Environment): Replay['partners'] {
  return meta.partners?.map(({ seat, members }, k) => ({ seat, player: members[partner?.(0, k) ?? 0] ?? '' }));
}

const PULL = 7; // numbers of a pull

/** What was pulled at in step t of a replay. */
export function pullAt(pulls: Float32Array, t: number): Pull | null {
  const [part = -1, ax = 0, ay = 0, az = 0, x = 0, y = 0, z = 0] = pulls.subarray(t * PULL, (t + 1) * PULL);
  return part < 0 ? null : { part, at: [ax, ay, az], to: [x, y, z] };
}

/** A pull as a replay keeps it: who pulls while it is recorded pulls with these numbers. */
export function rounded({ part, at, to }: Pull): Pull {
  const near = ([x, y, z]: Pull['at']) => [Math.fround(x), Math.fround(y), Math.fround(z)] as const;
  return { part, at: near(at), to: near(to) };
}

/** Collects one episode of one copy. */
export class Recorder {
  private readonly actions: number[] = [];
  private readonly reward: number[] = [];
  private readonly pulls = new Map<number, Pull>(); // by step
  private readonly cells: number[] = [];
  private steps = 0;
  private readonly entry: EnvEntry;
  private readonly config: JsonObject;
  private readonly seed: number;
  private readonly start: Uint8Array;
  private readonly told: string | undefined;
  private readonly partners: Replay['partners'];

  /** `env` stands at the start of the episode, in row 0. */
  constructor(entry: EnvEntry, config: JsonObject, seed: number, env: Environment) {
    this.entry = entry;
    this.config = config;
    this.seed = seed;
    this.start = env.save(0);
    this.told = missionOf(env);
    this.partners = partnersOf(env);
  }

  /** `pull`: what a person pulled at meanwhile, as `rounded`. `cells`: where agents went, as in Lineup; in every step or in none. */
  push(actions: Actions, rewards: Float32Array, pull: Pull | null = null, cells: Int16Array | null = null): void {
    for (const value of actions) this.actions.push(value);
    for (const value of rewards) this.reward.push(value);
    if (pull !== null) this.pulls.set(this.steps, pull);
    if (cells !== null) for (const cell of cells) this.cells.push(cell);
    this.steps++;
  }

  end(ended: Replay['ended']): Replay {
    const { entry, config, seed, start, told, partners } = this;
    const env = { id: entry.id, version: entry.version, config };
    return {
      env,
      seed,
      start,
      actions: Float32Array.from(this.actions),
      reward: Float32Array.from(this.reward),
      ended,
      ...(this.pulls.size > 0 && { pulls: this.pulled() }),
      ...(this.cells.length > 0 && { cells: Int16Array.from(this.cells) }),
      ...(told !== undefined && { told }),
      ...(partners !== undefined && { partners }),
    };
  }

  private pulled(): Float32Array {
    const all = new Float32Array(this.steps * PULL);
    for (let t = 0; t < this.steps; t++) {
      const pull = this.pulls.get(t);
      if (pull === undefined) all[t * PULL] = -1;
      else all.set([pull.part, ...pull.at, ...pull.to], t * PULL);
    }
    return all;
  }
}

/** `start`: a saved state in which the episode begins, in place of the start that the seed draws. */
export interface EpisodeOptions {
  readonly seed: number;
  readonly greedy: boolean;
  readonly start?: Uint8Array | undefined;
}

/** Plays one episode, at most evalMaxSteps steps. */
export async function playEpisode(
  policy: Policy,
  entry: EnvEntry,
  config: JsonObject,
  options: EpisodeOptions,
  cut: Cut = never,
): Promise<Replay> {
  const player = { kind: 'policy', policy } as const;
  const players = new Array<Player>(entry.meta(config).agentCount).fill(player);
  const lineup = new Lineup(players, options);
  return record(entry, config, options, lineup, cut);
}

/** Throws LabError('unknown-id') naming the ones there are. */
export function scriptedPolicy(name: string, entry: EnvEntry, config: JsonObject): ScriptedPolicy {
  const policy = entry.policyNames.includes(name) ? entry.policies(config)[name] : undefined;
  if (policy !== undefined) return policy;
  throw fail('unknown-id', `${entry.title} has no scripted policy "${name}".`, `There are: ${entry.policyNames.join(', ') || 'none'}.`);
}

/** The same by a scripted policy of the environment. Throws LabError('unknown-id') naming the ones there are. */
export async function playScripted(name: string, entry: EnvEntry, config: JsonObject, seed: number, cut: Cut = never): Promise<Replay> {
  const policy = scriptedPolicy(name, entry, config);
  return record(entry, config, { seed }, policy, cut);
}

/** The same by several players: who moves which agent. */
export async function playLineup(lineup: Lineup, entry: EnvEntry, config: JsonObject, seed: number, cut: Cut = never): Promise<Replay> {
  return record(entry, config, { seed }, lineup, cut);
}

/** Who plays; `cells` as in Lineup. */
interface Choose {
  act(env: Environment, buffers: StepBuffers, actions: Actions): Promise<void> | void;
  readonly cells?: Int16Array | null;
}

type Beginning = Pick<EpisodeOptions, 'seed' | 'start'>;

async function record(entry: EnvEntry, config: JsonObject, beginning: Beginning, choose: Choose, cut: Cut): Promise<Replay> {
  await entry.prepare?.();
  const env = entry.create(config, 1);
  try {
    return await recordIn(env, entry, config, beginning, choose, cut);
  } finally {
    env.dispose?.();
  }
}

async function recordIn(
  env: Environment,
  entry: EnvEntry,
  config: JsonObject,
  { seed, start }: Beginning,
  choose: Choose,
  cut: Cut,
): Promise<Replay> {
  const { meta } = env;
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  env.reset(Uint32Array.of(seed), buffers);
  if (start !== undefined) env.load(0, start, buffers);
  const recorder = new Recorder(entry, entry.parse(config), seed, env);
  for (let t = 0; t < meta.evalMaxSteps; t++) {
    await choose.act(env, buffers, actions);
    env.step(actions, buffers);
    recorder.push(actions, agentRewards(env, buffers), null, choose.cells ?? null);
    if (buffers.terminated[0] !== 0) return recorder.end('terminated');
    if (buffers.truncated[0] !== 0) return recorder.end('truncated');
    const asked = cut();
    if (asked === true || (asked !== false && (await asked))) break;
  }
  return recorder.end('cut');
}

/** A replay opened for reading. Frame 0 is the start; frame t follows action t - 1. The environment must be prepared; the caller disposes. */
export class ReplayReader {
  readonly replay: Replay;
  readonly env: Environment;
  readonly buffers: StepBuffers;
  readonly total: number; // frames
  private readonly actions: Actions;
  private readonly keys = new Map<number, Uint8Array>();
  private t = 0;

  constructor(replay: Replay, entry: EnvEntry) {
    this.replay = replay;
    const { config, changed } = upgrade(entry, replay.env.version, replay.env.config, 'env.version');
    if (changed.length > 0) {
      const rules = changed.map(({ what }) => what).join(' ');
      throw fail(
        'incompatible',
        `This replay follows rules that have changed since: ${rules}`,
        'Watch the policy play again.',
        'env.version',
      );
    }
    this.env = entry.create(config, 1);
    const { meta } = this.env;
    this.buffers = createBuffers(meta, 1);
    this.actions = createActions(meta, 1);
    this.total = replay.reward.length / meta.agentCount + 1; // not by the actions: environments without decisions have none
    this.keys.set(0, replay.start);
    this.env.load(0, replay.start, this.buffers);
  }

  /** Puts the environment at frame t; buffers then hold what the agents saw there. */
  seek(t: number): void {
    if (!Number.isInteger(t) || t < 0 || t >= this.total) {
      throw fail('state-invalid', `This replay has frames 0 to ${this.total - 1}, not ${t}.`, 'Choose one of them.');
    }
    if (t < this.t || t - this.t > KEY_EVERY) {
      const nearest = Math.max(...[...this.keys.keys()].filter((key) => key <= t));
      if (t < this.t || nearest > this.t) {
        this.env.load(0, this.keys.get(nearest) as Uint8Array, this.buffers);
        this.t = nearest;
      }
    }
    while (this.t < t) this.advance();
  }

  /** Frames from..from+count-1, as many as there are. */
  window(from: number, count: number): Window {
    const { env } = this;
    const size = frameSize(env.meta.frame);
    const length = Math.max(0, Math.min(count, this.total - from));
    const frames = new Float32Array(length * size);
    const rewards = new Float32Array(length);
    for (let i = 0; i < length; i++) {
      this.seek(from + i);
      env.frame(0, frames.subarray(i * size, (i + 1) * size));
      if (from + i > 0) rewards[i] = this.recorded(from + i - 1);
    }
    return { from, frames, rewards, total: this.total };
  }

  /** What each of meta.terms added to the rewards of every step, summed over agents: [T, terms]; empty where the reward is not taken apart. */
  terms(): Float64Array {
    const { env } = this;
    const count = env.meta.terms?.length ?? 0;
    const out = new Float64Array((this.total - 1) * count);
    if (count === 0) return out;
    this.seek(0);
    for (let t = 1; t < this.total; t++) {
      this.seek(t);
      env.terms?.(0, out, (t - 1) * count);
    }
    return out;
  }

  /** Frees the environment; frames can no longer be read. */
  dispose(): void {
    this.env.dispose?.();
  }

  private advance(): void {
    const size = this.actions.length;
    this.actions.set(this.replay.actions.subarray(this.t * size, (this.t + 1) * size));
    const { pulls } = this.replay;
    if (pulls !== undefined) this.env.pull?.(0, pullAt(pulls, this.t));
    this.env.step(this.actions, this.buffers);
    const agents = this.env.meta.agentCount;
    const found = agentRewards(this.env, this.buffers);
    for (let a = 0; a < agents; a++) {
      if (Object.is(found[a], this.replay.reward[this.t * agents + a])) continue;
      throw fail(
        'state-invalid',
        `This replay does not repeat itself at step ${this.t}: the environment has changed since it was recorded.`,
        'Record it again with this version.',
      );
    }
    this.t++;
    if (this.t % KEY_EVERY === 0 && !this.keys.has(this.t)) this.keys.set(this.t, this.env.save(0));
  }

  private recorded(step: number): number {
    const agents = this.env.meta.agentCount;
    let sum = 0;
    for (let a = 0; a < agents; a++) sum += this.replay.reward[step * agents + a]!;
    return sum;
  }
}
