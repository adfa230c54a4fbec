/**
 * Aggregates by key, computed in the chart's worker and kept until their data change. One request per key at a time and not more
 * often than every 400 ms, so that a training run cannot queue work faster than it is done; what is shown meanwhile is the last answer.
 */
import { atNextUpdate } from '#stores/update-clock.ts';
import { type Aggregate, aggregate, type XY } from './aggregate.ts';
import type { AggregateRequest, AggregateResponse } from './aggregate.worker.ts';

const PAUSE_MS = 400;
/** Without a worker the page computes it itself, more coarsely. */
const FALLBACK_LIMIT = 200;
const MOST_KEPT = 400;

interface Entry {
  signature: string;
  result: Aggregate | null;
  asked: number; // ms
  busy: boolean;
}

const entries = new Map<string, Entry>();
const waiting = new Map<number, (result: Aggregate | null) => void>();
const listeners = new Set<() => void>();
let worker: Worker | null = null;
let broken = false;
let nextId = 1;

function send(series: readonly XY[], limit: number, done: (result: Aggregate | null) => void): void {
  if (worker === null && !broken) {
    try {
      worker = new Worker(new URL('./aggregate.worker.ts', import.meta.url), { type: 'module', name: 'curves' });
      worker.addEventListener('message', (event: MessageEvent<AggregateResponse>) => {
        waiting.get(event.data.id)?.(event.data.result);
        waiting.delete(event.data.id);
      });
      worker.addEventListener('error', () => {
        broken = true;
        worker?.terminate();
        worker = null;
        for (const give of waiting.values()) give(null);
        waiting.clear();
      });
    } catch {
      broken = true;
    }
  }
  if (worker === null) {
    done(aggregate(series, Math.min(limit, FALLBACK_LIMIT)));
    return;
  }
  const request: AggregateRequest = { id: nextId++, series: series.map(({ x, y }) => ({ x: x.slice(), y: y.slice() })), limit };
  waiting.set(request.id, done);
  worker.postMessage(
    request,
    request.series.flatMap(({ x, y }) => [x.buffer, y.buffer]),
  );
}

/**
 * The newest aggregate under this key, null while there is none; asks for a fresh one when `signature` is new. `series` is asked for only
 * then: making it may be work.
 */
export function aggregateOf(key: string, signature: string, series: () => readonly XY[], limit: number): Aggregate | null {
  let entry = entries.get(key);
  if (entry === undefined) {
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size > MOST_KEPT) entries.delete(oldest);
    entry = { signature: '', result: null, asked: Number.NEGATIVE_INFINITY, busy: false };
    entries.set(key, entry);
  }
  const now = performance.now();
  if (entry.signature !== signature && !entry.busy) {
    const wait = entry.asked + PAUSE_MS - now;
    if (wait > 0) {
      // Come back when it may be asked again: the last rows of a run must not stay unseen.
      setTimeout(notify, wait + 1);
      return entry.result;
    }
    entry.busy = true;
    entry.asked = now;
    const kept = entry;
    send(series(), limit, (result) => {
      kept.busy = false;
      kept.signature = signature;
      kept.result = result;
      notify();
    });
  }
  return entry.result;
}

let notified = false;
function notify(): void {
  if (notified) return;
  notified = true;
  atNextUpdate(() => {
    notified = false;
    for (const listener of listeners) listener();
  });
}

export function onAggregate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
