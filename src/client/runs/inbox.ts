/**
 * Where batches of worker events become page state: metrics and policies go to their tables at once, everything that React draws is
 * collected and written with the page's update clock, all seeds together.
 */
import type { SessionEvent } from '#contract/run/events.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import { populations } from '#stores/populations.ts';
import { applyEvent, changeGroups, findGroup } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { atNextUpdate } from '#stores/update-clock.ts';
import { addPolicy } from './policies.ts';

const LOG_LENGTH = 2000;
const ENDS: readonly SeedRun['state'][] = ['done', 'stopped', 'failed'];

export interface InboxOptions {
  /** A newer policy, or visits, of this seed are here. */
  readonly onPolicy: (runId: string, seed: number) => void;
  readonly onVisits: (runId: string, seed: number, counts: Float64Array) => void;
  /** A checkpoint was written, or could not be (why), or can again (''). */
  readonly onSaved: (runId: string, seed: number, news: 'checkpoint' | { readonly unsaved: string }) => void;
  /**
   * Stores a run as it will be with seeds that its workers have ended; only then are they shown as ended, since a page that shows it may be
   * closed at once. Never rejects, and resolves in any case. Without it ends are shown at once.
   */
  readonly storeEnd?: (group: RunGroup) => Promise<void>;
}

const place = (runId: string, seed: number): string => `${runId}/${seed}`;

/** Events of one seed that are not shown yet. */
interface Waiting {
  readonly runId: string;
  readonly events: SessionEvent[];
}

const withEvents = (run: SeedRun, waiting: Waiting | undefined): SeedRun => (waiting?.events ?? []).reduce(applyEvent, run);

export class Inbox {
  private readonly options: InboxOptions;
  private readonly waiting = new Map<string, Waiting>();
  /** Seeds whose end is being stored; their events wait until it is. */
  private readonly ending = new Set<string>();
  private due = false;
  /** Everything but rows, policies and populations, newest last: what the test hook shows. */
  readonly log: { readonly runId: string; readonly seed: number; readonly event: SessionEvent }[] = [];
  received = 0;

  constructor(options: InboxOptions) {
    this.options = options;
  }

  receive(runId: string, seed: number, { events }: EventBatch): void {
    this.received += events.length;
    const key = place(runId, seed);
    const entry = this.waiting.get(key) ?? { runId, events: [] };
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
    const ends = events.some((event) => event.kind === 'state' && ENDS.includes(event.state));
    if (ends && this.options.storeEnd !== undefined) this.keepEnd(runId, seed, this.options.storeEnd);
    // A change of state is shown at once: it answers a button.
    if (events.some(({ kind }) => kind === 'state' || kind === 'result')) this.apply();
    else if (!this.due) {
      this.due = true;
      atNextUpdate(() => this.apply());
    }
  }

  /** The worker of this seed has ended, which is not shown yet. */
  isEnding(runId: string, seed: number): boolean {
    return this.ending.has(place(runId, seed));
  }

  private keepEnd(runId: string, seed: number, store: NonNullable<InboxOptions['storeEnd']>): void {
    const group = findGroup(runId);
    if (group === null || group.elsewhere === true) return; // removed, or for the tab that trains it to store
    const key = place(runId, seed);
    this.ending.add(key);
    void store({ ...group, seeds: group.seeds.map((run) => withEvents(run, this.waiting.get(place(runId, run.seed)))) }).then(() => {
      this.ending.delete(key);
      this.apply();
    });
  }

  /** An event that the page itself reports. */
  tell(runId: string, seed: number, event: SessionEvent): void {
    this.receive(runId, seed, { events: [event] });
    this.apply();
  }

  apply(): void {
    this.due = false;
    const shown = new Map([...this.waiting].filter(([key]) => !this.ending.has(key)));
    if (shown.size === 0) return;
    for (const key of shown.keys()) this.waiting.delete(key); // first: who hears of the change may report more
    const touched = new Set([...shown.values()].map(({ runId }) => runId));
    changeGroups((group) =>
      touched.has(group.id) ? { ...group, seeds: group.seeds.map((run) => withEvents(run, shown.get(place(group.id, run.seed)))) } : group,
    );
  }
}
