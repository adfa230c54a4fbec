/** The clock of small scenes: those that share a reel are at the same moment. It begins anew when the longest of them is over. */
import type { Clip } from '#client/stage/clips.ts';

/** Seconds: after a hidden tab or a breakpoint, do not jump. */
const LONGEST_TICK = 0.25;

export interface Moment {
  /** The frame, and how far it is on its way to the next, 0..1. */
  readonly t: number;
  readonly alpha: number;
}

export class Reel {
  playing = false;
  /** Every scene shows the same moment: the next one comes when all have drawn this one. Otherwise each is as far as its turns allow. */
  readonly together: boolean;
  /** One of the scenes together has drawn its moment: the others follow at once. */
  begun = false;
  private seconds = 0;
  /** The moment that scenes together show. */
  private round = 0;
  /** How many scenes show each. */
  private readonly clips = new Map<Clip, number>();

  constructor(together = false) {
    this.together = together;
  }

  /** The clock has moved on since all scenes were given a moment. */
  get behind(): boolean {
    return this.together && this.round !== this.seconds;
  }

  /** All scenes have drawn their moment: they are given the next. */
  nextRound(): void {
    this.round = this.seconds;
    this.begun = false;
  }

  enter(clip: Clip): void {
    this.clips.set(clip, (this.clips.get(clip) ?? 0) + 1);
  }

  leave(clip: Clip): void {
    const left = (this.clips.get(clip) ?? 0) - 1;
    if (left > 0) this.clips.set(clip, left);
    else this.clips.delete(clip);
  }

  /** Seconds of the longest clip. */
  get length(): number {
    return Math.max(0, ...[...this.clips.keys()].map(({ length, dt }) => length * dt));
  }

  get position(): number {
    return this.seconds;
  }

  /** All its clips go to this second. */
  seek(seconds: number): void {
    this.seconds = Math.min(Math.max(0, seconds), this.length);
  }

  tick(seconds: number): void {
    if (!this.playing || this.clips.size === 0) return;
    this.seconds += Math.min(seconds, LONGEST_TICK);
    if (this.seconds >= this.length) this.seconds = 0;
  }

  /** A shorter clip stands at its last frame until the longest is over. */
  momentOf(clip: Clip): Moment {
    const position = (this.together ? this.round : this.seconds) / clip.dt;
    const t = Math.min(Math.floor(position), clip.length - 1);
    return { t, alpha: clip.ends(t) || t === clip.length - 1 ? 0 : position - t };
  }
}
