/**
 * The runs of a sweep, trained by workers elsewhere: one job a seed in the queue, results collected into the folders that a local sweep
 * would have written. What is in the folder or in the queue already is not run again, by whichever command it was asked for.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LabError } from '#contract/kit/errors.ts';
import { wholeConfigHash } from '#contract/run/config-hash.ts';
import { Interrupted } from '../kit/failure.ts';
import { duration, Progress } from '../kit/progress.ts';
import { readSeed } from '../kit/seed-folder.ts';
import type { BatchJob, BatchOptions } from '../train/batch.ts';
import type { Batch, SeedOutcome } from '../train/seeds.ts';
import { KEPT, RedisBlobs, type SeedBlob } from './blobs.ts';
import { checkResult } from './checked.ts';
import { type Connection, type JobQueue, QUEUE } from './connect.ts';
import { jobData, jobId, jobsNow, progressOf, removeFinished } from './jobs.ts';
import { OF_RESULT, writeFiles } from './seed-files.ts';

/** Between two looks at the queue, ms. */
const LOOK = 500;
/** Looks between two checks that every job is still in the queue: a Redis without a disk forgets them when it is restarted. */
const LOOKS_A_CHECK = 20;
/** Times that a job is tried whose machine failed it; a run that fails by itself is tried once. */
const ATTEMPTS = 3;

export interface QueuedOptions extends Omit<BatchOptions, 'threads'> {
  readonly connection: Connection;
}

interface Wanted {
  readonly job: BatchJob;
  /** Its place in the track of progress. */
  readonly place: number;
}

const keyOf = (folder: string, seed: number): string => `${folder} ${seed}`;

export class QueuedRuns {
  private readonly options: QueuedOptions;
  private readonly queue: JobQueue;
  private readonly results: RedisBlobs;
  private readonly outcomes = new Map<string, SeedOutcome | null>();
  private interrupted = false;
  /** A result was refused since the last check: its job is missing in the queue. */
  private again = false;

  constructor(options: QueuedOptions) {
    const { connection } = options;
    this.options = options;
    this.queue = new connection.bullmq.Queue(QUEUE, { connection: connection.settings });
    this.queue.on('error', () => {}); // the connection beside it tells of losses
    this.results = new RedisBlobs(connection.redis, 'result', 0);
  }

  /** Null: it failed; undefined: it was not asked for. */
  outcome(folder: string, seed: number): SeedOutcome | null | undefined {
    return this.outcomes.get(keyOf(folder, seed));
  }

  /** Resolves when all of them are over; answers what failed. Throws Interrupted: the jobs stay in the queue. */
  async run(jobs: readonly BatchJob[], what: string): Promise<Batch['failures']> {
    const fresh = [...new Map(jobs.map((job) => [keyOf(job.folder, job.seed), job])).values()].filter(({ folder, seed }) => {
      if (this.outcomes.has(keyOf(folder, seed))) return false;
      mkdirSync(folder, { recursive: true });
      return this.take(folder, seed) === null;
    });
    const open = new Map(fresh.map((job, place): [string, Wanted] => [jobId(wholeConfigHash(job.config), job.seed), { job, place }]));
    const track = new Progress(
      fresh.map(({ kind, config }) => ({ kind, steps: config.run.steps })),
      fresh.length,
    );
    const failures: Batch['failures'][number][] = [];
    const interrupt = (): void => {
      if (this.interrupted) process.exit(130); // the second Ctrl+C does not wait
      this.interrupted = true;
    };
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    try {
      if (open.size > 0) await this.retryFailed(open);
      for (let look = 0; open.size > 0; look++) {
        if (look % LOOKS_A_CHECK === 0 || this.again) await this.submit(open);
        for (const id of await this.results.among([...open.keys()])) await this.collect(id, open, track);
        failures.push(...(await this.collectFailed(open, track)));
        if (open.size === 0) break;
        await this.tell(what, fresh.length, open, track);
        if (this.interrupted)
          throw new Interrupted(
            `Interrupted after ${fresh.length - open.size} of ${fresh.length} runs. The others stay in the queue; the same command collects them.`,
          );
        await sleep(LOOK);
      }
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      this.options.progress('');
    }
    return failures;
  }

  async close(): Promise<void> {
    await this.queue.close();
  }

  /** The outcome that a folder holds, remembered; null: there is none. */
  private take(folder: string, seed: number): SeedOutcome | null {
    const { result } = readSeed(folder, seed);
    if (result !== null) this.outcomes.set(keyOf(folder, seed), result as SeedOutcome);
    return result as SeedOutcome | null;
  }

  /** A run that failed for an earlier command is tried again, as a local sweep does. */
  private async retryFailed(open: ReadonlyMap<string, Wanted>): Promise<void> {
    for (const { id, job } of await jobsNow(this.queue, 'failed', open)) {
      if (job === null) await this.queue.remove(id);
      else await job.retry('failed');
    }
  }

  /** Adds what is not in the queue; a job that is there under its name stays as it is. */
  private async submit(open: ReadonlyMap<string, Wanted>): Promise<void> {
    this.again = false;
    for (const id of open.keys()) {
      if ((await this.queue.getJobState(id)) !== 'completed') continue;
      // Over, but its result is no longer kept: it must be run again. Looked at in this order, as workers write the result first.
      if (!(await this.results.among([id])).has(id)) await removeFinished(this.queue, id);
    }
    await this.queue.addBulk(
      [...open].map(([id, { job }]) => ({
        name: 'seed',
        data: jobData(job.config, job.seed),
        opts: {
          jobId: id,
          attempts: ATTEMPTS,
          backoff: { type: 'fixed', delay: 1000 },
          removeOnComplete: { age: KEPT },
          removeOnFail: { age: KEPT },
        },
      })),
    );
  }

  private async collect(id: string, open: Map<string, Wanted>, track: Progress): Promise<void> {
    const wanted = open.get(id);
    if (wanted === undefined) return;
    const { folder, seed } = wanted.job;
    let files: SeedBlob | null;
    try {
      files = await this.results.get(id);
      if (files !== null) checkResult(files, seed);
    } catch (error) {
      if (!(error instanceof LabError)) throw error; // the connection, not the result
      await this.refuse(id, error.failure.message);
      return;
    }
    if (files === null) return;
    writeFiles(folder, seed, files, OF_RESULT);
    this.take(folder, seed);
    open.delete(id);
    track.end(wanted.place);
    this.options.finished?.(wanted.job);
  }

  /** Takes a result that cannot be used out of Redis, and its job with it: the run is asked for again at the next check. */
  private async refuse(id: string, why: string): Promise<void> {
    this.options.progress('');
    process.stderr.write(`The result of ${id} in the queue is not used, and the run is asked for again: ${why}\n`);
    await this.results.remove(id);
    await removeFinished(this.queue, id);
    this.again = true;
  }

  private async collectFailed(open: Map<string, Wanted>, track: Progress): Promise<Batch['failures'][number][]> {
    const failures: Batch['failures'][number][] = [];
    for (const { id, job } of await jobsNow(this.queue, 'failed', open)) {
      const wanted = open.get(id);
      if (wanted === undefined) continue;
      open.delete(id);
      track.end(wanted.place);
      this.outcomes.set(keyOf(wanted.job.folder, wanted.job.seed), null);
      const message = job?.failedReason ?? 'Its job in the queue cannot be read.';
      failures.push({ job: wanted.job, failure: { id: 'internal', message, fix: 'Run the same command to try it again.' } });
    }
    return failures;
  }

  private async tell(what: string, all: number, open: ReadonlyMap<string, Wanted>, track: Progress): Promise<void> {
    const active = (await jobsNow(this.queue, 'active', open)).flatMap(({ id, job }) => {
      const wanted = open.get(id);
      return wanted === undefined ? [] : [{ place: wanted.place, at: progressOf(job?.progress) }];
    });
    for (const { place, at } of active) if (at !== null) track.at(place, at.step, at.stepsPerSecond);
    track.width(active.length);
    const workers = new Set(active.flatMap(({ at }) => (at === null ? [] : [at.worker])));
    const { share, secondsLeft } = track.now();
    const left = secondsLeft === null || active.length === 0 ? '' : `, ${duration(secondsLeft)} left`;
    const who = active.length === 0 ? 'no worker has taken one yet' : `${active.length} on ${workers.size} workers`;
    this.options.progress(`${what}: ${all - open.size} of ${all} runs, ${Math.floor(100 * share)} %, ${who}${left}`);
  }
}
