/** Frame sources that the client hands to scenes: a replay read in windows from the watch worker, and a game that grows. */

import { type FrameLayout, type FrameSource, frameSize } from '#contract/game/frames.ts';
import type { Replay } from '#contract/run/events.ts';
import type { Window } from '#contract/session/session.ts';

const WINDOW = 128; // frames asked for at once
const AHEAD = 32; // frames before the end of a window when the next one is asked for

export class ReplaySource implements FrameSource {
  readonly layout: FrameLayout;
  readonly length: number;
  readonly dt: number;
  readonly replay: Replay;
  private readonly size: number;
  private readonly windows = new Map<number, Float32Array>();
  private readonly asked = new Map<number, Promise<void>>();
  private readonly load: (from: number, count: number) => Promise<Window>;

  constructor(replay: Replay, layout: FrameLayout, length: number, fps: number, load: (from: number, count: number) => Promise<Window>) {
    this.replay = replay;
    this.layout = layout;
    this.length = length;
    this.dt = 1 / Math.max(1, fps);
    this.size = frameSize(layout);
    this.load = load;
  }

  read(t: number, out: Float32Array): boolean {
    const window = this.windows.get(Math.floor(t / WINDOW));
    if (window === undefined) {
      if (t >= 0 && t < this.length) void this.fetch(t);
      return false;
    }
    if (t % WINDOW > WINDOW - AHEAD && t + AHEAD < this.length) void this.fetch(t + AHEAD);
    const at = (t % WINDOW) * this.size;
    if (at + this.size > window.length) return false;
    out.set(window.subarray(at, at + this.size));
    return true;
  }

  action(t: number): number | undefined {
    const { actions } = this.replay;
    return actions[(t * actions.length) / Math.max(1, this.length - 1)];
  }

  cells(t: number): ArrayLike<number> | undefined {
    return cellsAt(this.replay.cells, this.length - 1, t);
  }

  has(t: number): boolean {
    if (t < 0 || t >= this.length) return false;
    const there = this.windows.has(Math.floor(t / WINDOW));
    if (!there) void this.fetch(t);
    return there;
  }

  /** Resolves when frame t is here; rejects if the replay cannot be re-simulated. */
  fetch(t: number): Promise<void> {
    const index = Math.floor(t / WINDOW);
    let promise = this.asked.get(index);
    if (promise === undefined) {
      promise = this.load(index * WINDOW, WINDOW).then((window) => void this.windows.set(index, window.frames));
      promise.catch(() => {}); // the caller that waits for the frame gets it
      this.asked.set(index, promise);
    }
    return promise;
  }
}

/** Of the step behind frame t; of the last step for the last frame. */
function cellsAt(cells: Int16Array | undefined, steps: number, t: number): ArrayLike<number> | undefined {
  if (cells === undefined || steps < 1) return undefined;
  const agents = cells.length / steps;
  const step = Math.min(t, steps - 1);
  return cells.subarray(step * agents, (step + 1) * agents);
}

/** Sum of the rewards of the first t steps, over agents. */
export function returnUpTo(replay: Replay, t: number, agents: number): number {
  let sum = 0;
  for (let i = 0; i < Math.min(t * agents, replay.reward.length); i++) sum += replay.reward[i]!;
  return sum;
}

/** All frames at hand: a single picture, or a game in progress. */
export class GrowingSource implements FrameSource {
  readonly layout: FrameLayout;
  readonly dt: number;
  private readonly frames: Float32Array[] = [];
  private readonly actions: (number | undefined)[] = [];
  private readonly went: (Int16Array | undefined)[] = [];

  constructor(layout: FrameLayout, fps: number, first: Float32Array) {
    this.layout = layout;
    this.dt = 1 / Math.max(1, fps);
    this.frames.push(first);
  }

  get length(): number {
    return this.frames.length;
  }

  /** `action`: of the first agent, that led to this frame. `cells`: where agents went in that step. */
  push(frame: Float32Array, action?: number, cells?: Int16Array): void {
    this.actions[this.frames.length - 1] = action;
    this.went[this.frames.length - 1] = cells;
    this.frames.push(frame);
  }

  action(t: number): number | undefined {
    return this.actions[t];
  }

  cells(t: number): ArrayLike<number> | undefined {
    return this.went[Math.min(t, this.went.length - 1)];
  }

  read(t: number, out: Float32Array): boolean {
    const frame = this.frames[t];
    if (frame === undefined) return false;
    out.set(frame);
    return true;
  }
}
