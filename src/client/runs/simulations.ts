/**
 * Runs that are simulated only to be compared with a claimed result: in workers of their own, one seed at a time each, nothing shown
 * and nothing stored. A simulation that takes too long ends its worker, so that no hostile config holds the page.
 */

import type { SessionWorker } from '#client/workers/workers.ts';
import { fail, LabError, toFailure } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';

/** Milliseconds that one seed may take. */
const PATIENCE = 60_000;

interface Task {
  readonly config: RunConfig;
  readonly seed: number;
  readonly resolve: (result: SeedResult) => void;
  readonly reject: (why: LabError) => void;
}

/** A worker, and who hears of it when it breaks. */
interface Slot {
  readonly worker: SessionWorker;
  lose: (why: string) => void;
}

export class Simulations {
  private readonly spawn: (onError: (message: string) => void) => SessionWorker;
  private readonly limit: () => number;
  private readonly patience: number;
  private waiting: Task[] = [];
  private idle: Slot[] = [];
  private busy = 0;

  constructor(spawn: (onError: (message: string) => void) => SessionWorker, limit: () => number, patience = PATIENCE) {
    this.spawn = spawn;
    this.limit = limit;
    this.patience = patience;
  }

  /** The result of one seed. Rejects with a LabError: the config cannot be trained, or takes longer than a minute. */
  run(config: RunConfig, seed: number): Promise<SeedResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ config, seed, resolve, reject });
      this.fill();
    });
  }

  /** Forgets what waits: its promises are never settled. What is being simulated comes to its end. */
  clear(): void {
    this.waiting = [];
  }

  private fill(): void {
    while (this.busy < this.limit()) {
      const task = this.waiting.shift();
      if (task === undefined) break;
      this.busy++;
      void this.work(task);
    }
    if (this.waiting.length === 0) for (const { worker } of this.idle.splice(0)) worker.terminate();
  }

  private async work({ config, seed, resolve, reject }: Task): Promise<void> {
    const slot = this.idle.pop() ?? this.open();
    const lost = new Promise<never>((_, refuse) => {
      slot.lose = (why) => refuse(fail('worker-lost', `The simulation was given up: ${why}.`, 'Look at this run by hand.'));
    });
    const timer = setTimeout(() => slot.lose(`one seed takes longer than ${this.patience / 1000} s here`), this.patience);
    let whole = false;
    try {
      resolve(await Promise.race([slot.worker.simulate(config, seed), lost]));
      whole = true;
    } catch (error) {
      reject(new LabError(toFailure(error)));
    }
    clearTimeout(timer);
    this.busy--;
    // One that was given up may still be training.
    if (whole) this.idle.push(slot);
    else slot.worker.terminate();
    this.fill();
  }

  private open(): Slot {
    const slot: Slot = { worker: this.spawn((message) => slot.lose(message)), lose: () => {} };
    return slot;
  }
}
