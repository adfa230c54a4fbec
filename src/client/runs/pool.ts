/**
 * The queue of seeds over session workers: at most `limit` train at once, finished workers take the next seed, paused ones hold
 * their place without counting. Knows nothing of stores; tells its owner through `PoolEvents`. A worker that dies without a word is
 * noticed by the lock it held (see `watchLock`).
 */

import type { SessionWorker } from '#client/workers/workers.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Failure } from '#contract/kit/errors.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { EditOf } from '#contract/run/events.ts';
import type { EventBatch, Origin, StepSize } from '#contract/session/session.ts';

export interface Job {
  readonly runId: string;
  readonly seed: number;
  readonly config: RunConfig;
  readonly resume: boolean;
  /** Where a fork begins. */
  readonly from?: Origin | undefined;
  /** Live edits of the run, each at a step. */
  readonly edits: readonly EditOf[];
  readonly stops?: StopRules | undefined;
  /** It does this step and pauses. */
  readonly step?: StepSize | undefined;
}

export interface PoolEvents {
  started(job: Job): void;
  batch(job: Job, batch: EventBatch): void;
  /**
   * The worker died or failed outside the run; the job is no longer in the pool. `device`: it lives, but its graphics device was lost, or
   * is no longer there.
   */
  lost(job: Job, why: string, device?: 'lost' | 'missing'): void;
  /** The run could not start; the job is no longer in the pool. */
  refused(job: Job, failure: Failure): void;
}

export interface PoolOptions {
  readonly spawn: (onError: (message: string) => void) => SessionWorker;
  readonly limit: () => number;
  /** Threads for each of so many seeds that train at once; without it one. */
  readonly threads?: (seeds: number) => number;
  readonly events: PoolEvents;
  /** Calls back when the lock a training worker holds is free; answers a function that stops waiting. */
  readonly watchLock?: (job: Job, onFree: () => void) => () => void;
}

interface Slot {
  worker: SessionWorker;
  job: Job | null;
  paused: boolean;
  unwatch: () => void;
}

const ENDED: readonly string[] = ['done', 'stopped', 'failed'];
/** Idle workers kept warm for the next seed. */
const WARM = 2;

export class Pool {
  private readonly options: PoolOptions;
  private queue: Job[] = [];
  private slots: Slot[] = [];
  /** Runs that told their end: the news of their last save may come later. */
  private readonly over = new WeakSet<Job>();

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** As many train as may: another worker would take a whole core. */
  get crowded(): boolean {
    return this.training >= this.options.limit();
  }

  /** Seeds that train now. */
  get training(): number {
    return this.slots.filter(({ job, paused }) => job !== null && !paused).length;
  }

  get busy(): boolean {
    return this.slots.some(({ job, paused }) => job !== null && !paused) || this.queue.length > 0;
  }

  /** `first`: before all that wait, as after a lost worker. */
  add(jobs: readonly Job[], first = false): void {
    this.queue = first ? [...jobs, ...this.queue] : [...this.queue, ...jobs];
    this.fill();
  }

  /** Begins these at once, however many train: each has a worker, and what waits begins when fewer train than may. */
  begin(jobs: readonly Job[]): void {
    for (const job of jobs) this.start(job);
  }

  isQueued(runId: string, seed: number): boolean {
    return this.queue.some((job) => job.runId === runId && job.seed === seed);
  }

  /** Takes waiting seeds of a run out of the queue and answers them. */
  unqueue(runId: string): readonly Job[] {
    const out = this.queue.filter((job) => job.runId === runId);
    this.queue = this.queue.filter((job) => job.runId !== runId);
    return out;
  }

  /** Changes the waiting seeds of a run. */
  change(runId: string, change: (job: Job) => Job): void {
    this.queue = this.queue.map((job) => (job.runId === runId ? change(job) : job));
  }

  /** The commands of the worker that trains this seed, or null. */
  apiOf(runId: string, seed: number): SessionWorker['api'] | null {
    return this.slotOf(runId, seed)?.worker.api ?? null;
  }

  /** All workers that train now. */
  apis(): readonly SessionWorker['api'][] {
    return this.slots.filter(({ job }) => job !== null).map(({ worker }) => worker.api);
  }

  /** Ends this run's workers at once, without saving. */
  kill(runId: string): void {
    this.unqueue(runId);
    for (const slot of this.slots.filter(({ job }) => job?.runId === runId)) this.discard(slot);
    this.fill();
  }

  /** Ends the worker of this seed at once; what waits takes its place. */
  end(runId: string, seed: number): void {
    const slot = this.slotOf(runId, seed);
    if (slot !== undefined) this.discard(slot);
    this.fill();
  }

  private slotOf(runId: string, seed: number): Slot | undefined {
    return this.slots.find(({ job }) => job?.runId === runId && job.seed === seed);
  }

  /** A run is about to be added: its worker loads meanwhile. */
  warm(): void {
    if (this.slots.every(({ job }) => job !== null) && !this.crowded) this.open();
  }

  /** Starts what waits, as far as the limit allows. */
  fill(): void {
    while (this.queue.length > 0 && this.slots.filter(({ job, paused }) => job !== null && !paused).length < this.options.limit()) {
      this.start(this.queue.shift() as Job);
    }
    for (const idle of this.slots.filter(({ job }) => job === null).slice(WARM)) this.discard(idle);
  }

  private open(): Slot {
    const slot: Slot = {
      worker: this.options.spawn((message) => this.lose(slot, message)),
      job: null,
      paused: false,
      unwatch: () => {},
    };
    this.slots.push(slot);
    return slot;
  }

  private start(job: Job): void {
    const slot = this.slots.find((candidate) => candidate.job === null) ?? this.open();
    slot.job = job;
    slot.paused = false;
    const { runId, config, seed, resume, from, edits, stops, step } = job;
    // other seeds come first: only what they leave of the cores goes to this one
    const threads = this.options.threads?.(this.training + this.queue.length) ?? 1;
    slot.worker
      .start({ runId, config, seed, resume, from, edits, stops, step, threads }, (batch) => this.receive(slot, job, batch))
      .then(
        () => {
          // It may be over already: then the lock is free.
          if (slot.job === job)
            slot.unwatch = this.options.watchLock?.(job, () => this.lose(slot, 'it ended without a word')) ?? (() => {});
        },
        (error: unknown) => {
          if (slot.job !== job) return;
          slot.job = null;
          this.options.events.refused(job, toFailure(error));
          this.fill();
        },
      );
    this.options.events.started(job);
  }

  private receive(slot: Slot, job: Job, batch: EventBatch): void {
    if (slot.job !== job) {
      // A late word: of a last save, or of a run that has been taken away.
      if (this.over.has(job)) this.options.events.batch(job, batch);
      return;
    }
    for (const event of batch.events) if (event.kind === 'state') slot.paused = event.state === 'paused';
    const noDevice = batch.events.find((event) => event.kind === 'state' && deviceTrouble(event.error, job) !== undefined);
    if (noDevice?.kind === 'state') {
      // The device cannot be had again in this worker, but perhaps in a new one: the run itself has not failed.
      this.options.events.batch(job, { events: batch.events.filter((event) => event !== noDevice) });
      const device = deviceTrouble(noDevice.error, job);
      this.lose(slot, device === 'lost' ? 'its graphics device was lost' : 'there is no graphics device any more', device);
      return;
    }
    const over = batch.events.some((event) => event.kind === 'state' && ENDED.includes(event.state));
    if (over) {
      slot.unwatch();
      slot.job = null;
      this.over.add(job);
    }
    this.options.events.batch(job, batch);
    this.fill();
  }

  private lose(slot: Slot, why: string, device?: 'lost' | 'missing'): void {
    const { job } = slot;
    this.discard(slot);
    if (job !== null) this.options.events.lost(job, why, device);
    this.fill();
  }

  private discard(slot: Slot): void {
    slot.unwatch();
    slot.job = null;
    slot.worker.terminate();
    this.slots = this.slots.filter((other) => other !== slot);
  }
}

/** A device that never was there is the run's own failure, and says so; one that is missing when a run comes back was lost. */
function deviceTrouble(error: Failure | undefined, { resume }: Job): 'lost' | 'missing' | undefined {
  if (error?.id === 'gpu-lost') return 'lost';
  return error?.id === 'gpu-missing' && resume ? 'missing' : undefined;
}
