import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PolicySnapshot, SessionEvent } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { BATCH_MS, EventPort } from './port.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function opened(): { port: EventPort; sent: EventBatch[]; moved: ArrayBuffer[][] } {
  const sent: EventBatch[] = [];
  const moved: ArrayBuffer[][] = [];
  const port = new EventPort(
    {
      postMessage: (message, transfer) => {
        sent.push(structuredClone(message, { transfer }));
        moved.push(transfer);
      },
    },
    () => Date.now(),
  );
  return { port, sent, moved };
}

const metrics = (...rows: number[]): SessionEvent => ({ kind: 'metrics', columns: ['a'], rows: Float64Array.from(rows) });
const progress = (step: number): SessionEvent => ({ kind: 'progress', step, seconds: 0, stepsPerSecond: 0 });
const policy = (step: number, keep: boolean): SessionEvent => ({
  kind: 'policy',
  keep,
  snapshot: { step, seed: 1 } as unknown as PolicySnapshot,
});

test('at most twenty batches a second, and nothing is left behind after the last push', () => {
  const { port, sent } = opened();
  for (let ms = 0; ms < 1000; ms++) {
    port.push(metrics(ms, ms));
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(BATCH_MS);
  expect(sent.length).toBeLessThanOrEqual(21);
  const rows = sent.flatMap(({ events }) => events.flatMap((event) => (event.kind === 'metrics' ? Array.from(event.rows) : [])));
  expect(rows).toHaveLength(2000);
  expect(rows.filter((_, i) => i % 2 === 0)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

test('rows of neighbours are joined and moved; of progress and loose policies only the newest goes', () => {
  const { port, sent, moved } = opened();
  port.push(progress(0)); // goes at once
  for (const event of [
    metrics(1, 1),
    metrics(2, 2),
    progress(1),
    policy(1, false),
    policy(2, true),
    policy(3, false),
    progress(2),
    metrics(3, 3),
  ]) {
    port.push(event);
  }
  vi.advanceTimersByTime(BATCH_MS);
  expect(sent).toHaveLength(2);
  const kinds = sent[1]?.events.map((event) => (event.kind === 'policy' ? `policy ${event.snapshot.step}` : event.kind));
  expect(kinds).toEqual(['metrics', 'policy 2', 'policy 3', 'progress', 'metrics']);
  expect(moved[1]).toHaveLength(2);
});

test('tables with other columns stay apart', () => {
  const { port, sent } = opened();
  port.push(progress(0));
  port.push(metrics(1, 1));
  port.push({ kind: 'metrics', columns: ['b'], rows: Float64Array.of(2, 2) });
  vi.advanceTimersByTime(BATCH_MS);
  expect(sent[1]?.events).toHaveLength(2);
});
