/**
 * Sends session events to the page in batches: at most 20 a second, arrays moved instead of copied, rows of one kind joined.
 * Of progress, visits, populations and policies that are not kept only the newest of a batch goes out. The trainer never waits for the page.
 */
import type { SessionEvent } from '#contract/run/events.ts';
import type { DataPort } from '#contract/session/session.ts';
import { joinTables } from './tables.ts';

export const BATCH_MS = 50;

const NEWEST: ReadonlySet<SessionEvent['kind']> = new Set(['progress', 'visits', 'population']);

type Metrics = Extract<SessionEvent, { kind: 'metrics' }>;

export class EventPort {
  private readonly port: DataPort;
  private readonly now: () => number;
  private waiting: SessionEvent[] = [];
  private sentAt = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: DataPort, now: () => number) {
    this.port = port;
    this.now = now;
  }

  push(event: SessionEvent): void {
    if (NEWEST.has(event.kind)) this.waiting = this.waiting.filter(({ kind }) => kind !== event.kind);
    if (event.kind === 'policy') this.waiting = this.waiting.filter((old) => old.kind !== 'policy' || old.keep === true);
    this.waiting.push(event);
    const rest = this.sentAt + BATCH_MS - this.now();
    if (rest <= 0) this.flush();
    // No push may follow for a long time (a pause), so the rest must not wait for it.
    else this.timer ??= setTimeout(() => this.flush(), rest);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    const events = joined(this.waiting);
    this.waiting = [];
    this.sentAt = this.now();
    const transfer: ArrayBuffer[] = [];
    for (const event of events) {
      const array = event.kind === 'metrics' ? event.rows : event.kind === 'visits' ? event.counts : null;
      // Moved only if the array is all of its buffer: a view's buffer may belong to another owner.
      if (array !== null && array.buffer instanceof ArrayBuffer && array.byteLength === array.buffer.byteLength)
        transfer.push(array.buffer);
    }
    this.port.postMessage({ events }, transfer);
  }
}

/** Runs of metrics events with the same columns become one. */
function joined(events: readonly SessionEvent[]): SessionEvent[] {
  const out: SessionEvent[] = [];
  let group: Metrics[] = [];
  const close = (): void => {
    for (const table of joinTables(group)) out.push({ kind: 'metrics', ...table });
    group = [];
  };
  for (const event of events) {
    if (event.kind === 'metrics') group.push(event);
    else {
      close();
      out.push(event);
    }
  }
  close();
  return out;
}
