/**
 * The clock of the stage: moves `stageStore.t` by fps * speed while it plays, holds the last frame for a moment and then asks for
 * the next episode. `stageAlpha()` is how far the picture is on its way from frame t to t + 1; scenes read it in their own
 * animation frame. A frame that is not here yet stops the clock until it is.
 */
import { inLesson, routeStore } from '#stores/route.ts';
import { frameShown, stageStore } from '#stores/stage.ts';

const HOLD_S = 0.7;
const LONGEST_TICK_S = 0.25; // after a hidden tab or a breakpoint, do not jump

let alpha = 0;
let held = 0;
/** The t this clock wrote last: any other value is a person's seek. */
let own = 0;

export function stageAlpha(): number {
  return alpha;
}

export interface ClockOptions {
  /** Whether frame t can be drawn now. */
  readonly ready: (t: number) => boolean;
  /** The episode has been shown to its end. */
  readonly onEnd: () => void;
  /** Called each tick while a person plays, with the seconds since the last. */
  readonly onPlay: (seconds: number) => void;
}

/** One tick; exported for tests, which have no animation frames. */
export function advance(seconds: number, { ready, onEnd, onPlay }: ClockOptions): void {
  const { mode, source, playing, t, length, speed } = stageStore.getState();
  if (mode === 'play') {
    alpha = 0;
    onPlay(seconds);
    return;
  }
  if (t !== own) {
    own = t;
    alpha = 0;
    held = 0;
  }
  if (source === null || !playing || length < 2) {
    if (length < 2) alpha = 0;
    return;
  }
  if (t >= length - 1) {
    alpha = 0;
    held += seconds * Math.max(1, speed);
    if (held < HOLD_S) return;
    held = 0;
    onEnd();
    return;
  }
  let position = t + alpha + (Math.min(seconds, LONGEST_TICK_S) * speed) / source.dt;
  let next = Math.min(Math.floor(position), length - 1);
  while (next > t && !ready(next)) next--;
  if (next < Math.floor(position)) position = next;
  alpha = next === length - 1 || !ready(next + 1) ? 0 : position - next;
  own = next;
  if (next !== t) frameShown(next);
}

/** A page lies over the laboratory: the stage is out of sight. */
const covered = (): boolean => routeStore.getState().route !== null && !inLesson(routeStore.getState());

/** Runs with the page's animation frames while something plays in sight; asks for none while the stage stands still. */
export function startClock(options: ClockOptions): void {
  let before = 0;
  let request = 0;
  const frame = (now: number): void => {
    const seconds = before === 0 ? 0 : Math.max(0, now - before) / 1000;
    before = now;
    request = 0;
    advance(seconds, options);
    goOn();
  };
  const goOn = (): void => {
    const { mode, playing, source, length } = stageStore.getState();
    if (covered() || (mode !== 'play' && (!playing || source === null || length < 2))) before = 0;
    else if (request === 0) request = requestAnimationFrame(frame);
  };
  stageStore.subscribe(goOn);
  routeStore.subscribe(goOn);
  goOn();
}
