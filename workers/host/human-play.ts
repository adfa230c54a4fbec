/**
 * One live copy of an environment that a person plays: the very same dynamics as in training, recorded as a replay. The person moves
 * one agent; the others are moved by a line-up, without one by the environment's first scripted policy, or do their first action where
 * it has none. Where players move in turn, a step goes on until it is the person's turn again. A person who takes over gives an action for
 * some steps only: in all others the line-up moves every agent; where parts may be pulled it may pull at one meanwhile, where agents take
 * orders it may give them, and those with one follow it. Which agent a person moved, the replay says step by step.
 */

import { frameSize, type Pull } from '#contract/game/frames.ts';
import { actionSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import type { Window } from '#contract/session/session.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { Actions, EnvEntry, Environment, ScriptedPolicy, StepBuffers } from '#core/envs/api/types.ts';
import type { Lineup } from '#core/run/lineup.ts';
import { agentRewards, missionOf, pullAt, Recorder, rounded } from '#core/run/replay.ts';

const MOST_ANSWERS = 8;

/** Who moves the others. */
type Others = Pick<Lineup, 'act'> & Partial<Pick<Lineup, 'aim' | 'cells'>>;

export class HumanPlay {
  private readonly env: Environment;
  private readonly buffers: StepBuffers;
  private readonly actions: Actions;
  private recorder: Recorder;
  private agent: number;
  private readonly takeover: boolean;
  private readonly entry: EnvEntry;
  /** For each step the agent that a person moved, or -1. */
  private readonly moved: number[] = [];
  /** Frames and rewards of what had been before the person came. */
  private readonly before: { readonly frame: Float32Array; readonly reward: number }[] = [];
  private readonly others: Others | ScriptedPolicy | undefined;
  /** Where agents went in each step, where their policies choose cells. */
  private readonly cells: (Int16Array | null)[] = [];
  private t = 0;
  private ended: Replay['ended'] = 'cut';
  private over = false;

  /** Throws LabError('config-invalid') where there is no such agent. The caller disposes. */
  constructor(entry: EnvEntry, config: JsonObject, seed: number, agent = 0, others: Others | null = null, takeover = false) {
    this.entry = entry;
    this.takeover = takeover;
    this.env = entry.create(config, 1);
    this.buffers = createBuffers(this.env.meta, 1);
    this.actions = createActions(this.env.meta, 1);
    this.env.reset(Uint32Array.of(seed), this.buffers);
    const { agentCount } = this.env.meta;
    this.agent = this.checked(agent);
    this.others = others ?? (agentCount > 1 ? Object.values(entry.policies(config))[0] : undefined);
    this.recorder = new Recorder(entry, entry.parse(config), seed, this.env);
  }

  private checked(agent: number): number {
    const { agentCount } = this.env.meta;
    if (Number.isInteger(agent) && agent >= 0 && agent < agentCount) return agent;
    throw fail('config-invalid', `There is no agent ${agent} here.`, `Agents are 0 to ${agentCount - 1}.`, 'seat');
  }

  /** Repeats a replay up to frame t: who plays on has seen all of it, and remembers it. */
  async goOnFrom(replay: Replay, t: number): Promise<void> {
    this.env.load(0, replay.start, this.buffers);
    this.recorder = new Recorder(this.entry, this.entry.parse(replay.env.config), replay.seed, this.env);
    const size = this.actions.length;
    const last = replay.reward.length / this.env.meta.agentCount;
    while (this.t < Math.min(t, last - 1)) {
      const frame = this.frame();
      const pull = replay.pulls === undefined ? null : pullAt(replay.pulls, this.t);
      const reward = await this.advance(null, pull, replay.actions.subarray(this.t * size, (this.t + 1) * size));
      this.before.push({ frame, reward });
    }
  }

  /** The frame as it stands now. */
  window(): Window {
    const told = missionOf(this.env);
    return { from: this.t, frames: this.frame(), rewards: Float32Array.of(0), total: this.t + 1, ...(told !== undefined && { told }) };
  }

  /**
   * One action of the person's agent, and what the others answer until its next turn. Its own rewards. Where the person takes over: one step,
   * with its action if there is one and it is its turn, and the rewards of all. Throws LabError('action-invalid').
   */
  async step(
    action: readonly number[] | null,
    agent = this.agent,
    pull: Pull | null = null,
  ): Promise<{ window: Window; reward: number; terminated: boolean; truncated: boolean }> {
    this.agent = this.checked(agent);
    if (action !== null) this.check(action);
    else if (!this.takeover) throw fail('action-invalid', 'This game waits for an action.', 'Use the keys shown below the scene.');
    if (this.over) throw fail('action-invalid', 'This episode has ended.', 'Start a new one.');
    const frames: Float32Array[] = [];
    const rewards: number[] = [];
    const from = this.t + 1;
    // Turns alternate, so that a handful of answers is the most there can be.
    for (let answers = 0; answers <= (this.takeover ? 0 : MOST_ANSWERS); answers++) {
      if (answers > 0 && (this.over || this.others === undefined || this.isTurn())) break;
      rewards.push(await this.advance(answers === 0 && (!this.takeover || this.isTurn()) ? action : null, pull));
      frames.push(this.frame());
    }
    return {
      window: { from, frames: joined(frames), rewards: Float32Array.from(rewards), total: this.t + 1, ...this.cellsFrom(from - 1) },
      reward: rewards.reduce((sum, value) => sum + value, 0),
      terminated: this.ended === 'terminated',
      // Where no key has to be pressed an episode must end like any other that is watched.
      truncated: this.ended === 'truncated' || (this.takeover && this.t >= this.env.meta.evalMaxSteps),
    };
  }

  private check(action: readonly number[]): void {
    const { meta } = this.env;
    const space = perAgent(meta, (group) => group.action)[this.agent];
    const size = space === undefined ? meta.actionSize : actionSize(space);
    const fits = action.length === size && action.every(Number.isFinite);
    const known = space?.kind !== 'discrete' || (Number.isInteger(action[0]) && action[0]! >= 0 && action[0]! < space.n);
    if (!fits || !known)
      throw fail('action-invalid', `[${action.join(', ')}] is not an action here.`, 'Use the keys shown below the scene.');
  }

  /** Whether the person is to move; where all move at once, always. */
  private isTurn(): boolean {
    const mover = this.buffers.toMove?.[0] ?? this.agent;
    return mover === this.agent || mover < 0;
  }

  /** Lets the others move until it is the person's turn. All frames so far. */
  async open(): Promise<Window> {
    const first = this.window();
    const frames = [...this.before.map(({ frame }) => frame), first.frames];
    if (this.takeover) {
      const rewards = Float32Array.from([0, ...this.before.map(({ reward }) => reward)]);
      return { ...first, from: 0, frames: joined(frames), rewards, total: frames.length, ...this.cellsFrom(0) };
    }
    for (let answers = 0; answers < MOST_ANSWERS && !this.isTurn() && !this.over && this.others !== undefined; answers++) {
      await this.advance(null);
      frames.push(this.frame());
    }
    return { ...first, frames: joined(frames), rewards: new Float32Array(frames.length), total: frames.length };
  }

  private frame(): Float32Array {
    const out = new Float32Array(frameSize(this.env.meta.frame));
    this.env.frame(0, out);
    return out;
  }

  /** One step; `action` null: the person does nothing. `all`: what every agent does. Returns the person's reward, that of all where it takes over. */
  private async advance(action: readonly number[] | null, pull: Pull | null = null, all?: Float32Array): Promise<number> {
    const held = pull === null ? null : this.taken(rounded(pull));
    this.actions.fill(0);
    await this.others?.act(this.env, this.buffers, this.actions);
    if (all !== undefined) this.actions.set(all);
    if (pull !== null) this.env.orders?.give(0, pull);
    const ordered = this.env.orders?.follow(0, this.actions) ?? -1;
    if (action !== null) this.actions.set(action, this.agent * this.env.meta.actionSize);
    this.env.pull?.(0, held);
    this.env.step(this.actions, this.buffers);
    const rewards = agentRewards(this.env, this.buffers);
    const cells = this.others !== undefined && 'cells' in this.others ? (this.others.cells ?? null) : null;
    this.recorder.push(this.actions, rewards, held, cells);
    this.cells.push(cells === null ? null : cells.slice());
    this.moved.push(action === null ? ordered : this.agent);
    this.t++;
    const terminated = this.buffers.terminated[0] === 1;
    this.over = terminated || this.buffers.truncated[0] === 1;
    if (this.over) this.ended = terminated ? 'terminated' : 'truncated';
    return this.takeover ? rewards.reduce((sum, value) => sum + value, 0) : rewards[this.agent]!;
  }

  /** What there is to pull at: a part of the world, or the cell that an agent goes to; null: nothing. */
  private taken(pull: Pull): Pull | null {
    if (this.env.pull !== undefined) return pull;
    const aims =
      this.others !== undefined && 'aim' in this.others && this.others.aim?.(this.env, pull.part, pull.to[0], pull.to[1]) === true;
    return aims ? pull : null;
  }

  /** Those of the steps from `from` on. */
  private cellsFrom(from: number): { readonly cells?: Int16Array } {
    const told = this.cells.slice(from);
    if (told.length === 0 || told.includes(null)) return {};
    return { cells: Int16Array.from(told.flatMap((step) => [...(step ?? [])])) };
  }

  dispose(): void {
    this.env.dispose?.();
  }

  replay(): Replay {
    return { ...this.recorder.end(this.ended), human: Int16Array.from(this.moved) };
  }
}

function joined(frames: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    all.set(frame, at);
    at += frame.length;
  }
  return all;
}
