/** Lets messages into a long computation now and then, so that it can be stopped. */
import { hopper } from './loop.ts';

/** A short computation is not interrupted; a longer one lets messages in this often. */
const UNDISTURBED_MS = 300;
const SLICE_MS = 50;

export class Stopping {
  private readonly now: () => number;
  private readonly hop: () => Promise<void>;
  /** Computations are numbered; those up to `stopped` end. */
  private begun = 0;
  private stopped = 0;

  constructor(now: () => number, hop: () => Promise<void> = hopper()) {
    this.now = now;
    this.hop = hop;
  }

  /** Everything that is going on now ends where it is. */
  stop(): void {
    this.stopped = this.begun;
  }

  /** For one computation: asked again and again, it answers whether to stop. */
  begin(): () => boolean | Promise<boolean> {
    const number = ++this.begun;
    let next = this.now() + UNDISTURBED_MS;
    return () => {
      if (this.now() < next) return false;
      return this.hop().then(() => {
        next = this.now() + SLICE_MS;
        return number <= this.stopped;
      });
    };
  }
}
