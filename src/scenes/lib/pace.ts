/**
 * When the next picture may be drawn where the processor does the drawing. Waits until the last picture is really finished (a fence),
 * then as long again, so that drawing never takes more than about half of a core from training and never queues up.
 * Times in ms.
 */
const LEAST_PERIOD = 50;
const SHARE = 2;
/** How often a fence is looked at. Nothing else asks for it while the scene rests, and the rest is no part of what a picture cost. */
const LOOK = 20;

export interface Pace {
  /** Whether a picture may be drawn now. */
  ready(now: number): boolean;
  /** A picture has just been drawn. */
  drawn(now: number): void;
  /** How long the last finished picture took. */
  cost(): number;
  /** The context is a new one: what was waited for will never come. */
  reset(): void;
}

/** `least`: ms between two pictures, however fast they are drawn. */
export function createPace(gl: WebGL2RenderingContext, least = LEAST_PERIOD): Pace {
  let fence: WebGLSync | null = null;
  let started = Number.NEGATIVE_INFINITY;
  let cost = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether the last picture is finished; the first time it is, what it cost is known. */
  function finished(now: number): boolean {
    if (fence === null) return true;
    if (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(fence);
    fence = null;
    cost = now - started;
    return true;
  }
  function look(): void {
    if (!finished(performance.now())) timer = setTimeout(look, LOOK);
  }

  return {
    ready: (now) => finished(now) && now - started >= Math.max(least, SHARE * cost),
    drawn(now) {
      if (fence !== null) gl.deleteSync(fence);
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
      started = now;
      clearTimeout(timer);
      timer = setTimeout(look, LOOK);
    },
    cost: () => cost,
    reset() {
      fence = null;
    },
  };
}
