/**
 * One live copy of an environment that a person plays: the very same dynamics as in training, recorded as a replay. The person is the
 * first agent; the others follow the environment's first scripted policy, or do their first action where it has none. Where players
 * move in turn, a step goes on until it is the person's turn again.
 */
import { fail } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';
import { frameSize } from '#contract/frames.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Window } from '#contract/session.ts';
import { createActions, createBuffers } from '#core/envs/buffers.ts';
import { getEnv } from '#core/envs/index.ts';
import type { Actions, Environment, ScriptedPolicy, StepBuffers } from '#core/envs/types.ts';
import { agentRewards, missionOf, Recorder } from '#core/run/replay.ts';

const MOST_ANSWERS = 8;

export class HumanPlay {
  private readonly env: Environment;
  private readonly buffers: StepBuffers;
  private readonly actions: Actions;
  private readonly recorder: Recorder;
  private readonly others: ScriptedPolicy | undefined;
  private t = 0;
  private ended: Replay['ended'] = 'cut';
  private over = false;

  constructor(env: { readonly id: string; readonly config: JsonObject }, seed: number) {
    const entry = getEnv(env.id);
    this.env = entry.create(env.config, 1);
    this.buffers = createBuffers(this.env.meta, 1);
    this.actions = createActions(this.env.meta, 1);
    this.env.reset(Uint32Array.of(seed), this.buffers);
    this.others = this.env.meta.agentCount > 1 ? Object.values(entry.policies(env.config))[0] : undefined;
    this.recorder = new Recorder(entry, entry.parse(env.config), seed, this.env);
  }

  /** The frame as it stands now. */
  window(): Window {
    const told = missionOf(this.env);
    return { from: this.t, frames: this.frame(), rewards: Float32Array.of(0), total: this.t + 1, ...(told !== undefined && { told }) };
  }

  /** One action of the first agent, and what the others answer until its next turn. Its own rewards. Throws LabError('action-invalid'). */
  step(action: readonly number[]): { window: Window; reward: number; terminated: boolean; truncated: boolean } {
    const { meta } = this.env;
    if (this.over) throw fail('action-invalid', 'This episode has ended.', 'Start a new one.');
    const space = meta.agents[0]?.action;
    const fits = action.length === meta.actionSize && action.every(Number.isFinite);
    const known =
      space?.kind !== 'discrete' || (Number.isInteger(action[0]) && (action[0] as number) >= 0 && (action[0] as number) < space.n);
    if (!fits || !known)
      throw fail('action-invalid', `[${action.join(', ')}] is not an action here.`, 'Use the keys shown below the scene.');
    const frames: Float32Array[] = [];
    const rewards: number[] = [];
    const from = this.t + 1;
    // Turns alternate, so that a handful of answers is the most there can be.
    for (let answers = 0; answers <= MOST_ANSWERS; answers++) {
      if (answers > 0 && (this.over || this.others === undefined || (this.buffers.toMove?.[0] ?? 0) <= 0)) break;
      rewards.push(this.advance(answers === 0 ? action : null));
      frames.push(this.frame());
    }
    const all = new Float32Array(frames.length * frameSize(meta.frame));
    frames.forEach((frame, i) => {
      all.set(frame, i * frame.length);
    });
    return {
      window: { from, frames: all, rewards: Float32Array.from(rewards), total: this.t + 1 },
      reward: rewards.reduce((sum, value) => sum + value, 0),
      terminated: this.ended === 'terminated',
      truncated: this.ended === 'truncated',
    };
  }

  private frame(): Float32Array {
    const out = new Float32Array(frameSize(this.env.meta.frame));
    this.env.frame(0, out);
    return out;
  }

  /** One step; `action` null: it is not the person's turn. Returns the person's reward. */
  private advance(action: readonly number[] | null): number {
    this.actions.fill(0);
    this.others?.act(this.env, this.buffers, this.actions);
    if (action !== null) this.actions.set(action);
    this.env.step(this.actions, this.buffers);
    const rewards = agentRewards(this.env, this.buffers);
    this.recorder.push(this.actions, rewards);
    this.t++;
    const terminated = this.buffers.terminated[0] === 1;
    this.over = terminated || this.buffers.truncated[0] === 1;
    if (this.over) this.ended = terminated ? 'terminated' : 'truncated';
    return rewards[0] as number;
  }

  replay(): Replay {
    return this.recorder.end(this.ended);
  }
}
