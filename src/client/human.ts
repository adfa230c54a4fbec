/**
 * A person plays the draft's environment with the very dynamics of training. Where the environment has an idle action the game runs
 * by itself at its frame rate and the held keys steer; where it has none it waits for `act`. One step is under way at a time.
 */

import type { EnvCard } from '#contract/catalog.ts';
import { toFailure } from '#contract/errors.ts';
import type { WatchApi } from '#contract/session.ts';
import { stageStore } from '#stores/stage.ts';
import type { Director } from './director.ts';
import { GrowingSource } from './frames.ts';
import { currentSubject } from './subject.ts';

export class HumanGame {
  private readonly watch: () => WatchApi;
  private readonly director: Director;
  private env: EnvCard | null = null;
  private source: GrowingSource | null = null;
  private busy = false;
  private due = 0;
  private games = 0;

  constructor(watch: () => WatchApi, director: Director) {
    this.watch = watch;
    this.director = director;
  }

  async open(): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    try {
      const window = await this.watch().openPlay(subject.ref, 1 + this.games++);
      this.env = subject.env;
      this.source = new GrowingSource(subject.env.frame, subject.env.fps, window.frames);
      this.due = 0;
      this.busy = false;
      this.director.showGame(this.source, subject.env, 'You are playing. Escape ends the game.');
    } catch (error) {
      stageStore.setState({ message: toFailure(error).message });
    }
  }

  /** Called each animation frame: in real-time games, steps when the next one is due. */
  tick(seconds: number): void {
    const { env } = this;
    if (env === null || env.idleAction === null || !stageStore.getState().playing) return;
    const period = 1 / (Math.max(1, env.fps) * stageStore.getState().speed);
    this.due = Math.min(this.due + Math.min(seconds, 0.25), 2 * period); // a slow machine slows the game down, it does not skip
    if (this.due < period || this.busy) return;
    this.due -= period;
    void this.act([actionOf(env, stageStore.getState().held)]);
  }

  async act(action: readonly number[]): Promise<void> {
    const { source } = this;
    if (source === null || this.busy) return;
    this.busy = true;
    try {
      const { window, reward, terminated, truncated } = await this.watch().playStep(action);
      if (this.source !== source) return;
      source.push(window.frames);
      const { returnSoFar } = stageStore.getState();
      stageStore.setState({ length: source.length, t: source.length - 1, returnSoFar: returnSoFar + reward });
      if (terminated || truncated) await this.end();
    } catch (error) {
      stageStore.setState({ message: toFailure(error).message });
    } finally {
      this.busy = false;
    }
  }

  /** The game so far becomes a replay. */
  async end(): Promise<void> {
    if (this.source === null) return;
    this.source = null;
    this.env = null;
    const { returnSoFar, length } = stageStore.getState();
    const replay = await this.watch().closePlay();
    const score = Number(returnSoFar.toFixed(3)).toLocaleString('en');
    await this.director.showReplay(replay, `You scored ${score} in ${(length - 1).toLocaleString('en')} steps.`);
  }
}

/** The action of the key pressed last; with none held, the idle action. */
export function actionOf(env: EnvCard, held: readonly string[]): number {
  for (const key of held.toReversed()) {
    const action = env.keys.findIndex((keys) => keys.some((name) => name.toLowerCase() === key.toLowerCase()));
    if (action >= 0) return action;
  }
  return env.idleAction ?? 0;
}
