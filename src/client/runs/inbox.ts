/**
 * Where batches of worker events become page state: metrics and policies go to their tables at once, everything that React draws is
 * collected and written with the page's update clock, all seeds together.
 */
import type { SessionEvent } from '#contract/events.ts';
import type { EventBatch } from '#contract/session.ts';
import { curves } from '#stores/curves.ts';
import { populations } from '#stores/populations.ts';
import { applyEvent, runsStore } from '#stores/runs.ts';
import type { SeedRun } from '#stores/types.ts';
import { atNextUpdate } from '#stores/update-clock.ts';
import { addPolicy } from './policies.ts';

const LOG_LENGTH = 2000;

export interface InboxOptions {
  /** A newer policy, or visits, of this seed are here. */
  readonly onPolicy: (runId: string, seed: number) => void;
  readonly onVisits: (runId: string, seed: number, counts: Float64Array) => void;
  /** A checkpoint was written, or could not be (why), or can again (''). */
  readonly onSaved: (runId: string, seed: number, news: 'checkpoint' | { readonly unsaved: string }) => void;
}

export class Inbox {
  private readonly options: InboxOptions;
  private waiting = new Map<string, { readonly runId: string; readonly seed: number; readonly events: SessionEvent[] }>();
  private due = false;
  /** Everything but rows, policies and populations, newest last: what the test hook shows. */
  readonly log: { readonly runId: string; readonly seed: number; readonly event: SessionEvent }[] = [];
  received = 0;

  constructor(options: InboxOptions) {
    this.options = options;
  }

  receive(runId: string, seed: number, { events }: EventBatch): void {
    this.received += events.length;
    const key = `${runId}/${seed}`;
    const entry = this.waiting.get(key) ?? { runId, seed, events: [] };
    this.waiting.set(key, entry);
    for (const event of events) {
      if (event.kind === 'metrics') curves.append(runId, seed, event.columns, event.rows);
      else if (event.kind === 'policy') {
        addPolicy(runId, event.snapshot, event.keep === true);
        this.options.onPolicy(runId, seed);
      } else if (event.kind === 'visits') this.options.onVisits(runId, seed, event.counts);
      else if (event.kind === 'population') populations.add(runId, seed, event.report);
      else if (event.kind === 'unsaved') this.options.onSaved(runId, seed, { unsaved: event.failure?.message ?? '' });
      else {
        if (event.kind === 'checkpoint') this.options.onSaved(runId, seed, 'checkpoint');
        entry.events.push(event);
        if (event.kind !== 'progress') this.log.push({ runId, seed, event });
      }
    }
    if (this.log.length > LOG_LENGTH) this.log.splice(0, this.log.length - LOG_LENGTH);
    // A change of state is shown at once: it answers a button.
    if (events.some(({ kind }) => kind === 'state' || kind === 'result')) this.apply();
    else if (!this.due) {
      this.due = true;
      atNextUpdate(() => this.apply());
    }
  }

  /** An event that the page itself reports. */
  tell(runId: string, seed: number, event: SessionEvent): void {
    this.receive(runId, seed, { events: [event] });
    this.apply();
  }

  apply(): void {
    this.due = false;
    const { waiting } = this;
    if (waiting.size === 0) return;
    this.waiting = new Map();
    const changed = (runId: string, run: SeedRun): SeedRun => {
      const events = waiting.get(`${runId}/${run.seed}`)?.events ?? [];
      return events.reduce(applyEvent, run);
    };
    const touched = new Set([...waiting.values()].map(({ runId }) => runId));
    runsStore.setState(({ groups }) => ({
      groups: groups.map((group) =>
        touched.has(group.id) ? { ...group, seeds: group.seeds.map((run) => changed(group.id, run)) } : group,
      ),
    }));
  }
}
