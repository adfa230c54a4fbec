/**
 * Trains the seeds of one or several configs on as many threads as there are cores. Every seed is independent, so the order in which
 * they finish changes nothing. Ctrl+C asks each running seed to stop at its next safe point and keep its state.
 */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { AttackMeasure, ExplainMeasure } from '#contract/catalog/catalog.ts';
import type { StopRules } from '#contract/game/stop-rules.ts';
import type { Failure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Elsewhere } from '#contract/papers/papers.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { EditOf, SeedResult } from '#contract/run/events.ts';
import type { Finding } from '#contract/run/findings.ts';
import { givenGyms } from '../gym/gyms.ts';
import { givenCode } from '../own/code.ts';
import type { Keeping } from './kept.ts';

/** A seed's result and the numbers that claims may ask for besides. */
export interface SeedOutcome extends SeedResult {
  /** Of `seconds`, what its thread computed, and what measuring the policy took after them; outcomes written before it was counted have none. */
  readonly coreSeconds?: number;
  /** Highest mean over 100 training episodes. */
  readonly bestReturn: number | null;
  /** Exact expected return of the greedy policy, where the environment has a transition table. */
  readonly exactScore: number | null;
  /** As the run last measured it, where it does. */
  readonly nashConv: number | null;
  /** Mean return in the job's other environment. */
  readonly againstReturn: number | null;
  /** Of the same episodes, and of as many there whose actions are drawn, where the job asks for those too. */
  readonly elsewhere?: Elsewhere;
  readonly elsewhereDrawn?: Elsewhere;
  /** Mean return of drawn actions on the evaluation's seeds, where the job asks for it. */
  readonly sampledReturn: number | null;
  /** What the environment measures of those. */
  readonly drawn?: Readonly<Record<string, number>>;
  /** What all trade-offs dominate together, as the run last measured it, where it does. */
  readonly hypervolume: number | null;
  /** Mean return of the last 100 training episodes less what their calls of a central learner cost, where some are made. */
  readonly netReturn: number | null;
  /** Mean return against the job's rival. */
  readonly rivalReturn: number | null;
  /** What the job's explanation of the trained team measured. */
  readonly explained: number | null;
  /** How many pairs of agents it compared, where it is about ranks. */
  readonly pairs: number | null;
  /** Numbers in the policy that acts; null: there is none. */
  readonly parameters: number | null;
  /** Of a script: what the environment measures of its episodes. A learner's stand in its curves. */
  readonly measures?: Readonly<Record<string, number>>;
}

export interface Job {
  readonly config: RunConfig;
  readonly seed: number;
  /** Where the seed's files go; null: nowhere. */
  readonly folder: string | null;
  /** Configs of the same environment with other opponents, say, in which the policy is measured at the end: the mean counts. */
  readonly against?: readonly JsonObject[];
  /** Folders of runs of the same config that are measured otherwise at the end: where one has trained this seed, what it learned is measured here. */
  readonly alike?: readonly string[];
  /** Policy file of a rival that was trained before, against which the policy is measured at the end. */
  readonly rival?: string;
  /** Whether drawn actions are measured as well as greedy ones. */
  readonly sampled?: boolean;
  /** Asked about the trained team at the end. */
  readonly explain?: ExplainMeasure | AttackMeasure;
  /** Nothing is trained: this scripted policy of the environment is measured. */
  readonly script?: string;
  /** Threads that compute its large matrix products, 1 without it. The bits are the same. */
  readonly threads?: number;
  /** Folder of its TensorBoard log, written while it trains. */
  readonly log?: string;
  /** Least time between two checkpoints, ms; two seconds without it. */
  readonly checkpointEvery?: number;
  /** Rules that end it before its budget. */
  readonly stops?: StopRules;
  /** What is kept at its evaluations, and when they end it. */
  readonly keeping?: Keeping;
  /** A stored run is done again. */
  readonly again?: Again;
}

/** How a stored run is done again, and what of it is kept to be compared. */
export interface Again {
  /** Live edits, by step. */
  readonly edits: readonly EditOf[];
  /** Steps of states and policies that are kept. */
  readonly keep: readonly number[];
  /** The stored run has come only so far; null: to its end. */
  readonly until: number | null;
}

/** Beside curve and result of a run that was done again: its states by step, its policies and its marks. */
export const AGAIN_FILES = {
  state: (step: number): string => `state-${step}.rlwb`,
  policies: 'policies.rlwb',
  marks: 'marks.json',
} as const;

export type ToSeed = ({ readonly kind: 'train' } & Job) | { readonly kind: 'stop' };

export type FromSeed =
  | {
      readonly kind: 'progress';
      readonly seed: number;
      readonly step: number;
      readonly seconds: number;
      readonly stepsPerSecond: number;
      readonly episodicReturn: number | null;
    }
  | {
      readonly kind: 'mark';
      readonly seed: number;
      readonly step: number;
      readonly type: string;
      readonly text: string;
      /** Of a warning: what is wrong, and what to do. */
      readonly finding?: Finding | undefined;
      readonly ends?: string | undefined;
    }
  /** One is in the seed's folder, with the curves up to it. */
  | { readonly kind: 'checkpoint'; readonly seed: number; readonly step: number }
  | { readonly kind: 'done'; readonly seed: number; readonly outcome: SeedOutcome }
  | { readonly kind: 'stopped'; readonly seed: number }
  | { readonly kind: 'failed'; readonly seed: number; readonly failure: Failure };

export interface Batch {
  /** By job; null: stopped or failed. */
  readonly outcomes: readonly (SeedOutcome | null)[];
  readonly failures: readonly { readonly job: Job; readonly failure: Failure }[];
  readonly interrupted: boolean;
}

/** The bundle puts every entry into one folder and shared code into chunks/ below it. */
function workerFile(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return join(here.endsWith('chunks') ? dirname(here) : here, 'seed.mjs');
}

/** Code and environments of the user's own, which every thread needs. */
const givenToThreads = () => ({ codes: givenCode(), gyms: givenGyms() });

/** Threads that are kept from one call to the next: one takes longer to begin than a short run. */
export class SeedThreads {
  private idle: Worker[] = [];
  /** How many things of the user's own each thread was given at its start. */
  private readonly given = new WeakMap<Worker, number>();

  /** A thread that knows everything that was given by now: one that began before is ended. */
  take(): Worker {
    const workerData = givenToThreads();
    const count = workerData.codes.length + workerData.gyms.length;
    for (let idle = this.idle.pop(); idle !== undefined; idle = this.idle.pop()) {
      if (this.given.get(idle) === count) return idle;
      void idle.terminate();
    }
    const fresh = new Worker(workerFile(), { workerData });
    this.given.set(fresh, count);
    return fresh;
  }

  give(thread: Worker): void {
    this.idle.push(thread);
  }

  async close(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.terminate()));
  }
}

interface RunOptions {
  /** Stops them as Ctrl+C does. */
  readonly signal?: AbortSignal;
  /** Where threads come from and go back to; without it they end. */
  readonly keep?: SeedThreads;
}

/** Calls `onMessage` with the index of the job that speaks. */
export async function runSeeds(
  jobs: readonly Job[],
  onMessage: (message: FromSeed, index: number) => void,
  threads = availableParallelism(),
  { signal, keep }: RunOptions = {},
): Promise<Batch> {
  const outcomes: (SeedOutcome | null)[] = jobs.map(() => null);
  const failures: { job: Job; failure: Failure }[] = [];
  const workers = new Set<Worker>();
  let next = 0;
  let interrupted = false;
  let signalled = false;
  const interrupt = (): void => {
    if (signalled) process.exit(130); // the second Ctrl+C does not wait
    signalled = true;
    stop();
  };
  const stop = (): void => {
    interrupted = true;
    for (const worker of workers) worker.postMessage({ kind: 'stop' } satisfies ToSeed);
  };

  async function thread(): Promise<void> {
    while (next < jobs.length && !interrupted) {
      const worker = keep?.take() ?? new Worker(workerFile(), { workerData: givenToThreads() });
      workers.add(worker);
      let whole = true;
      try {
        while (next < jobs.length && !interrupted) {
          const index = next++;
          await one(worker, jobs[index] as Job, index);
        }
      } catch {
        whole = false; // the thread died and its seed is counted as failed: the others go on in a new one
      } finally {
        workers.delete(worker);
        // One that was asked to stop would stop the next run as well.
        if (whole && !interrupted && keep !== undefined) keep.give(worker);
        else await worker.terminate();
      }
    }
  }

  function one(worker: Worker, job: Job, index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        worker.off('message', hear);
        worker.off('error', broke);
      };
      const hear = (message: FromSeed): void => {
        if (message.kind === 'done') outcomes[index] = message.outcome;
        if (message.kind === 'failed') failures.push({ job, failure: message.failure });
        onMessage(message, index);
        if (message.kind === 'progress' || message.kind === 'mark' || message.kind === 'checkpoint') return;
        end();
        resolve();
      };
      const broke = (error: Error): void => {
        const failure: Failure = {
          id: 'internal',
          message: `The thread of seed ${job.seed} ended: ${error.message}.`,
          fix: 'Run it again.',
        };
        failures.push({ job, failure });
        onMessage({ kind: 'failed', seed: job.seed, failure }, index);
        end();
        reject(error);
      };
      worker.on('message', hear);
      worker.on('error', broke);
      worker.postMessage({ kind: 'train', ...job } satisfies ToSeed);
    });
  }

  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(threads, jobs.length)) }, thread));
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    signal?.removeEventListener('abort', stop);
  }
  return { outcomes, failures, interrupted };
}
