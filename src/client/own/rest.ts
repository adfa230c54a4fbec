/** Ends a sandbox of which nothing is asked for a while: code can go on computing in timers, and the page has no way to see that it does. */

/** Milliseconds without a question, for sandboxes that a question starts again. */
export const REST_MS = 60_000;
/** The same for one that holds what was trained, which is lost with it. */
export const TRAINED_REST_MS = 600_000;

export class Rest {
  private readonly ms: number;
  private readonly end: () => void;
  private asked = 0;
  private over = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, end: () => void) {
    this.ms = ms;
    this.end = end;
    this.begin();
  }

  private begin(): void {
    clearTimeout(this.timer);
    if (!this.over && this.asked === 0) this.timer = setTimeout(this.end, this.ms);
  }

  /** While this goes on the sandbox is not at rest. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.asked++;
    clearTimeout(this.timer);
    try {
      return await work();
    } finally {
      this.asked--;
      this.begin();
    }
  }

  /** The sandbox is gone, or is to stay. */
  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
  }
}
