/** How far a batch of runs is and how long it may still take, from what its runs say of themselves. */
interface Track {
  readonly kind: string;
  readonly total: number;
  done: number;
}

/** Runs are of kinds (an arm's config), because arms differ in speed: a kind that has not begun is taken to be as fast as the others. */
export class Progress {
  private readonly tracks: Track[];
  /** Steps a second of each kind. */
  private readonly speed = new Map<string, number>();
  private threads: number;

  constructor(runs: readonly { readonly kind: string; readonly steps: number }[], threads: number) {
    this.tracks = runs.map(({ kind, steps }) => ({ kind, total: steps, done: 0 }));
    this.threads = Math.max(1, Math.min(threads, runs.length));
  }

  /** So many runs go on at the same time from now on. */
  width(threads: number): void {
    this.threads = Math.max(1, threads);
  }

  /** A run has reached a step at this speed. */
  at(run: number, step: number, stepsPerSecond: number): void {
    const track = this.tracks[run]!;
    track.done = Math.min(step, track.total);
    if (stepsPerSecond > 0) this.speed.set(track.kind, stepsPerSecond);
  }

  /** A run is over, finished or failed. */
  end(run: number): void {
    const track = this.tracks[run]!;
    track.done = track.total;
  }

  /** Share of all steps, 0..1, and seconds to go; null while no run has said how fast it is. */
  now(): { readonly share: number; readonly secondsLeft: number | null } {
    const total = this.tracks.reduce((sum, track) => sum + track.total, 0);
    const done = this.tracks.reduce((sum, track) => sum + track.done, 0);
    const known = [...this.speed.values()];
    const secondsAStep = known.reduce((sum, speed) => sum + 1 / speed, 0) / known.length;
    const left = this.tracks.reduce((sum, { kind, total: all, done: so }) => {
      const speed = this.speed.get(kind);
      return sum + (all - so) * (speed === undefined ? secondsAStep : 1 / speed);
    }, 0);
    return { share: total === 0 ? 1 : done / total, secondsLeft: known.length === 0 ? null : left / this.threads };
  }
}

/** "3 min", "40 s", "2.1 h". */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
