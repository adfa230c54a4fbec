/** The clock of small scenes: those that share a reel are at the same moment. It begins anew when the longest of them is over. */
import type { Clip } from '#client/clips.ts';

/** Seconds: after a hidden tab or a breakpoint, do not jump. */
const LONGEST_TICK = 0.25;

export interface Moment {
  /** The frame, and how far it is on its way to the next, 0..1. */
  readonly t: number;
  readonly alpha: number;
}

export class Reel {
  playing = false;
  private seconds = 0;
  private readonly clips = new Set<Clip>();

  enter(clip: Clip): void {
    this.clips.add(clip);
  }

  leave(clip: Clip): void {
    this.clips.delete(clip);
  }

  tick(seconds: number): void {
    if (!this.playing || this.clips.size === 0) return;
    this.seconds += Math.min(seconds, LONGEST_TICK);
    const longest = Math.max(...[...this.clips].map(({ length, dt }) => length * dt));
    if (this.seconds >= longest) this.seconds = 0;
  }

  /** A shorter clip stands at its last frame until the longest is over. */
  momentOf(clip: Clip): Moment {
    const position = this.seconds / clip.dt;
    const t = Math.min(Math.floor(position), clip.length - 1);
    return { t, alpha: clip.ends(t) || t === clip.length - 1 ? 0 : position - t };
  }
}
