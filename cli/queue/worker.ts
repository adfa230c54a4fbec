/**
 * A worker: takes runs from the queue, one thread each, and puts their results there. A worker that dies leaves its lock, which runs out;
 * another one then goes on from its last checkpoint and ends with the same bits. Results are written once, before the job counts as done:
 * where a worker is killed in between, the next one finds the result and trains nothing.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { textOf } from '#contract/kit/bytes.ts';
import { LabError } from '#contract/kit/errors.ts';
import { objectOf, readJson } from '#contract/kit/json.ts';
import { type FromSeed, runSeeds, SeedThreads } from '../train/seeds.ts';
import { type Checkpoints, FolderCheckpoints, KEPT, RedisBlobs, type SeedBlob } from './blobs.ts';
import { type Connection, type JobQueue, QUEUE, type QueueJob } from './connect.ts';
import { type JobProgress, removeBroken, runOfJob } from './jobs.ts';
import { OF_CHECKPOINT, OF_RESULT, readFiles, writeFiles } from './seed-files.ts';

/**
 * Workers that a run may outlive in a row without having saved a checkpoint: beyond it, it is taken to be the run that ends them, by its
 * memory for instance. BullMQ's own limit counts all losses of a run, so that a long one would be given up for bad luck: it is not used.
 */
const MOST_LOSSES = 10;
/** Between two words about progress, ms. */
const TELL = 1000;

export interface WorkerOptions {
  readonly connection: Connection;
  /** Runs at the same time. */
  readonly jobs: number;
  /** Folder of checkpoints that all workers reach; null: they are kept in Redis. */
  readonly shared: string | null;
  /** Bytes of a checkpoint or result in Redis, compressed. */
  readonly limit: number;
  /** Least time between checkpoints, ms. */
  readonly checkpointEvery: number;
  /** A worker that was silent for so long counts as dead, ms. */
  readonly lostAfter: number;
  /** Folder for files of runs that are under way. */
  readonly scratch: string;
  /** A line about a run. */
  readonly say: (line: string) => void;
}

/** Ends the attempt; another one may help. */
class Lost extends Error {}

export class QueueWorker {
  private readonly options: WorkerOptions;
  private readonly checkpoints: Checkpoints;
  private readonly results: RedisBlobs;
  private readonly name = `${hostname()} ${process.pid}`;
  private readonly stopping = new AbortController();
  private readonly threads = new SeedThreads();
  /** Runs that ended here. */
  done = 0;

  constructor(options: WorkerOptions) {
    const { connection, shared, limit } = options;
    this.options = options;
    this.checkpoints = shared === null ? new RedisBlobs(connection.redis, 'checkpoint', limit) : new FolderCheckpoints(shared);
    this.results = new RedisBlobs(connection.redis, 'result', limit);
  }

  /** Takes runs until `stop` is called. */
  async work(): Promise<void> {
    const { connection, jobs, lostAfter, say } = this.options;
    const { Worker } = connection.bullmq;
    const worker = new Worker(QUEUE, (job: QueueJob, token?: string) => this.take(job, token ?? ''), {
      connection: connection.settings,
      concurrency: jobs,
      lockDuration: lostAfter,
      stalledInterval: Math.max(1000, lostAfter / 2),
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1000,
    });
    const queue: JobQueue = new connection.bullmq.Queue(QUEUE, { connection: connection.settings });
    queue.on('error', () => {}); // the connection beside it tells of losses
    worker.on('error', (error: Error) => {
      if (error instanceof SyntaxError) {
        removeBroken(queue, connection.redis).then(
          (ids) => {
            for (const id of ids) say(`${id} was taken out of the queue: its data is no JSON.`);
          },
          (reason: unknown) => say(`The queue says: ${reason instanceof Error ? reason.message : String(reason)}`),
        );
        return;
      }
      // Losses of the connection are told once, by the connection itself; a run that another worker took is told by its own line.
      if (!/ECONN|Connection|lock/i.test(error.message)) say(`The queue says: ${error.message}`);
    });
    worker.on('failed', (job, error) => say(`${job?.id ?? 'A run'} failed: ${error.message}`));
    await new Promise<void>((resolve) => this.stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
    await worker.close();
    await queue.close();
    await this.threads.close();
  }

  /** Runs that are under way save a checkpoint and go back to the queue. */
  stop(): void {
    this.stopping.abort();
  }

  /** One job. What it throws counts as a failed attempt, except where the run goes back to the queue. */
  private async take(job: QueueJob, token: string): Promise<string> {
    const { connection, scratch, checkpointEvery, say } = this.options;
    const { DelayedError, UnrecoverableError } = connection.bullmq;
    const run = await this.runOf(job);
    const { id, seed, config } = run;
    if ((await this.results.among([id])).has(id)) return 'was there'; // the worker before this one was killed just after writing it
    await this.countLoss(id);
    const folder = join(scratch, `${id}-${randomUUID()}`);
    mkdirSync(folder, { recursive: true });
    const guard = this.guard(job, token);
    const upload = this.uploader(id, folder, seed);
    try {
      const before = await this.checkpoints.get(id);
      if (before !== null) writeFiles(folder, seed, before, ['curve.csv', 'checkpoint.rlwb']);
      say(`${id} ${before === null ? 'begins' : 'goes on from its checkpoint'}`);
      let told = 0;
      const batch = await runSeeds(
        [{ config, seed, folder, checkpointEvery }],
        (message: FromSeed) => {
          if (message.kind === 'checkpoint') upload.ask();
          if (message.kind !== 'progress' || Date.now() - told < TELL) return;
          told = Date.now();
          const progress: JobProgress = { step: message.step, stepsPerSecond: message.stepsPerSecond, worker: this.name };
          job.updateProgress({ ...progress }).catch(() => {}); // told again with the next one
        },
        1,
        { signal: guard.signal, keep: this.threads },
      );
      await upload.settled();
      if (guard.lost()) throw new Lost('Another worker has taken this run, because this one was silent for too long.');
      const [failed] = batch.failures;
      if (failed !== undefined) {
        const text = `seed ${seed}: ${failed.failure.message} ${failed.failure.fix}`;
        // A run that fails by its own numbers fails the same way everywhere; a thread that ended may have been short of memory here.
        throw failed.failure.id === 'internal' ? new Error(text) : new UnrecoverableError(text);
      }
      if (batch.outcomes[0] === null) {
        say(`${id} goes back to the queue`);
        await connection.redis.del(this.lossKey(id)); // ended as asked, not lost
        await job.moveToDelayed(Date.now(), token);
        throw new DelayedError();
      }
      await this.deliver(id, folder, seed);
      this.done++;
      say(`${id} is done`);
      return 'trained';
    } catch (error) {
      // What is wrong with a file in the queue, or too large for it, is wrong for every worker.
      if (error instanceof LabError) throw new UnrecoverableError(error.message);
      throw error;
    } finally {
      guard.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private async runOf(job: QueueJob): ReturnType<typeof runOfJob> {
    try {
      return await runOfJob(job.data);
    } catch (error) {
      throw new this.options.connection.bullmq.UnrecoverableError(error instanceof Error ? error.message : String(error));
    }
  }

  /** Throws where this run has ended too many workers. */
  private async countLoss(id: string): Promise<void> {
    const { redis, bullmq } = this.options.connection;
    const [counted] = (await redis.multi().incr(this.lossKey(id)).expire(this.lossKey(id), KEPT).exec()) ?? [];
    if (Number(counted?.[1] ?? 0) <= MOST_LOSSES) return;
    await redis.del(this.lossKey(id)); // asked for again, it is tried again
    throw new bullmq.UnrecoverableError(
      `${MOST_LOSSES} workers in a row ended in this run before it saved a checkpoint. Does it fit into their memory?`,
    );
  }

  private lossKey(id: string): string {
    return `${QUEUE}:losses:${id}`;
  }

  /** Keeps the job's lock; ends the run where it is lost, and when this worker stops. */
  private guard(job: QueueJob, token: string) {
    const { lostAfter } = this.options;
    const abort = new AbortController();
    const end = (): void => abort.abort();
    let lost = false;
    let asking = false;
    const timer = setInterval(() => {
      if (asking) return; // Redis is away: the question waits for it
      asking = true;
      job
        .extendLock(token, lostAfter)
        .then((held) => {
          lost ||= Number(held) === 0;
          if (lost) end();
        })
        .catch(() => {}) // asked again
        .finally(() => {
          asking = false;
        });
    }, lostAfter / 3);
    this.stopping.signal.addEventListener('abort', end, { once: true });
    if (this.stopping.signal.aborted) end();
    return {
      signal: abort.signal,
      lost: () => lost,
      end: () => {
        clearInterval(timer);
        this.stopping.signal.removeEventListener('abort', end);
      },
    };
  }

  /** Saves checkpoints of a folder, one after the other; those that come meanwhile become one. */
  private uploader(id: string, folder: string, seed: number) {
    const { say, connection } = this.options;
    let going: Promise<void> = Promise.resolve();
    let waiting = false;
    let refused = false;
    const upload = async (): Promise<void> => {
      waiting = false;
      const files = readFiles(folder, seed, OF_CHECKPOINT);
      if (refused || !files.has('checkpoint.rlwb')) return;
      try {
        await this.checkpoints.put(id, files);
        await connection.redis.del(this.lossKey(id));
      } catch (error) {
        // The run itself is whole: without a checkpoint it only begins again if this worker dies.
        refused = error instanceof LabError;
        say(`${id} keeps no checkpoint: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    return {
      ask: (): void => {
        if (waiting || refused) return;
        waiting = true;
        going = going.then(upload);
      },
      settled: (): Promise<void> => going,
    };
  }

  private async deliver(id: string, folder: string, seed: number): Promise<void> {
    const files = readFiles(folder, seed, OF_RESULT);
    if (!(await this.results.putOnce(id, files))) {
      const first = await this.results.get(id);
      if (first !== null && hashOf(first) !== hashOf(files))
        this.options.say(
          `${id}: another worker learned ${hashOf(first)}, this one ${hashOf(files)}. The same run must give the same bits: please report it.`,
        );
    }
    await this.checkpoints.remove(id);
    await this.options.connection.redis.del(this.lossKey(id));
  }
}

/** Parameter hash of a result's files. */
function hashOf(files: SeedBlob): string {
  const bytes = files.get('result.json');
  const hash = bytes === undefined ? undefined : objectOf(readJson(textOf(bytes))).parameterHash;
  return typeof hash === 'string' ? hash : 'nothing';
}
