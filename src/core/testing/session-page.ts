/** The page as a session worker's test needs it: keeps the events that it is told, and waits for those of a kind. */
import type { SessionEvent } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';

export class SessionPage {
  readonly events: SessionEvent[] = [];
  private readonly listeners: (() => void)[] = [];
  private readonly clone: <T>(value: T) => T;
  /** When false, nothing that the worker still says is kept: it was killed. */
  alive = true;
  readonly port = {
    postMessage: (batch: EventBatch): void => {
      if (!this.alive) return;
      this.events.push(...this.clone(batch).events);
      for (const tell of this.listeners) tell();
    },
  };

  /** `clone`: what a message goes through on its way, `structuredClone` of the platform. */
  constructor(clone: <T>(value: T) => T) {
    this.clone = clone;
  }

  until(done: (events: readonly SessionEvent[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (done(this.events)) resolve();
      };
      this.listeners.push(check);
      check();
    });
  }

  ended(): Promise<void> {
    return this.until((events) => events.some((event) => event.kind === 'state' && ['done', 'failed', 'stopped'].includes(event.state)));
  }

  paused(times = 1): Promise<void> {
    return this.until((events) => events.filter((event) => event.kind === 'state' && event.state === 'paused').length >= times);
  }

  /** Of the learned parameters; '' while there is no result. */
  get hash(): string {
    const result = this.events.find((event) => event.kind === 'result');
    return result?.kind === 'result' ? result.result.parameterHash : '';
  }
}
