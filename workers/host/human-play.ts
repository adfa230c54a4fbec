/** One live copy of an environment that a person plays: the very same dynamics as in training, recorded as a replay. */
import { fail } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';
import { frameSize } from '#contract/frames.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Window } from '#contract/session.ts';
import { createActions, createBuffers } from '#core/envs/buffers.ts';
import { getEnv } from '#core/envs/index.ts';
import type { Actions, Environment, StepBuffers } from '#core/envs/types.ts';
import { agentRewards, Recorder } from '#core/run/replay.ts';

export class HumanPlay {
  private readonly env: Environment;
  private readonly buffers: StepBuffers;
  private readonly actions: Actions;
  private readonly recorder: Recorder;
  private t = 0;
  private ended: Replay['ended'] = 'cut';
  private over = false;

  constructor(env: { readonly id: string; readonly config: JsonObject }, seed: number) {
    const entry = getEnv(env.id);
    this.env = entry.create(env.config, 1);
    this.buffers = createBuffers(this.env.meta, 1);
    this.actions = createActions(this.env.meta, 1);
    this.env.reset(Uint32Array.of(seed), this.buffers);
    this.recorder = new Recorder(entry, entry.parse(env.config), seed, this.env.save(0));
  }

  /** The frame as it stands now; `reward` led to it. */
  window(reward = 0): Window {
    const frames = new Float32Array(frameSize(this.env.meta.frame));
    this.env.frame(0, frames);
    return { from: this.t, frames, rewards: Float32Array.of(reward), total: this.t + 1 };
  }

  /** One action of the first agent; others, if any, do their first action. Throws LabError('action-invalid'). */
  step(action: readonly number[]): { window: Window; reward: number; terminated: boolean; truncated: boolean } {
    const { meta } = this.env;
    if (this.over) throw fail('action-invalid', 'This episode has ended.', 'Start a new one.');
    const space = meta.agents[0]?.action;
    const fits = action.length === meta.actionSize && action.every(Number.isFinite);
    const known =
      space?.kind !== 'discrete' || (Number.isInteger(action[0]) && (action[0] as number) >= 0 && (action[0] as number) < space.n);
    if (!fits || !known)
      throw fail('action-invalid', `[${action.join(', ')}] is not an action here.`, 'Use the keys shown below the scene.');
    this.actions.fill(0);
    this.actions.set(action);
    this.env.step(this.actions, this.buffers);
    const rewards = agentRewards(this.env, this.buffers);
    this.recorder.push(this.actions, rewards);
    this.t++;
    const reward = rewards.reduce((sum, value) => sum + value, 0);
    const terminated = this.buffers.terminated[0] === 1;
    const truncated = this.buffers.truncated[0] === 1;
    this.over = terminated || truncated;
    if (this.over) this.ended = terminated ? 'terminated' : 'truncated';
    return { window: this.window(reward), reward, terminated, truncated };
  }

  replay(): Replay {
    return this.recorder.end(this.ended);
  }
}
