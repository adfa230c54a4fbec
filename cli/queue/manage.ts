/** What stands in the queue, for people: jobs with their state, who trains or trained them and why they failed; cancelled or repeated by name. */
import { type Json, objectOf } from '#contract/kit/json.ts';
import { RedisBlobs } from './blobs.ts';
import { type Connection, type JobQueue, QUEUE } from './connect.ts';
import { progressOf } from './jobs.ts';

/** Jobs that are read for one list. */
const MOST_JOBS = 10_000;

const STATES = ['active', 'wait', 'delayed', 'failed', 'completed'] as const;
type State = (typeof STATES)[number];

export interface QueuedJob {
  readonly id: string;
  readonly state: State;
  /** "" where the job cannot be read. */
  readonly env: string;
  readonly algo: string;
  readonly seed: number | null;
  readonly step: number | null;
  readonly steps: number | null;
  /** Who trains it or trained it last; null: no one has begun. */
  readonly worker: string | null;
  /** Of a failed one. */
  readonly why: string;
}

export class ManagedQueue {
  private readonly queue: JobQueue;
  private readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
    this.queue = new connection.bullmq.Queue(QUEUE, { connection: connection.settings });
    this.queue.on('error', () => {}); // the connection beside it tells of losses
  }

  async close(): Promise<void> {
    await this.queue.close();
  }

  /** Jobs in these states, in the order of STATES; at most 10,000. */
  async list(states: readonly State[] = STATES): Promise<readonly QueuedJob[]> {
    const found: QueuedJob[] = [];
    for (const state of STATES.filter((one) => states.includes(one))) {
      const ids = await this.queue.getRanges([state], 0, -1); // to the last: two without it
      for (const id of ids.slice(0, MOST_JOBS - found.length)) found.push(await this.read(id, state));
    }
    return found;
  }

  private async read(id: string, state: State): Promise<QueuedJob> {
    const nothing = { id, state, env: '', algo: '', seed: null, step: null, steps: null, worker: null };
    const job = await this.queue.getJob(id).catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined; // its data is not JSON
      throw error;
    });
    if (job === undefined) return { ...nothing, why: 'It cannot be read.' };
    const { config, seed } = objectOf(job.data as Json);
    const { env, algo, run } = objectOf(config);
    const at = progressOf(job.progress);
    const steps = objectOf(run).steps;
    return {
      id,
      state,
      env: String(objectOf(env).id ?? ''),
      algo: String(objectOf(algo).id ?? ''),
      seed: typeof seed === 'number' ? seed : null,
      step: at?.step ?? null,
      steps: typeof steps === 'number' ? steps : null,
      worker: at?.worker ?? null,
      why: state === 'failed' ? (job.failedReason ?? '') : '',
    };
  }

  /** Takes jobs out of the queue; a worker that trains one notices and drops it. Answers the names that were not there. */
  async cancel(ids: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const id of ids) {
      const known = (await this.queue.getJobState(id)) !== 'unknown';
      await this.connection.redis.del(`${this.queue.toKey(id)}:lock`);
      if (!known || (await this.queue.remove(id)) !== 1) missing.push(id);
    }
    return missing;
  }

  /** Puts jobs that failed or are done back into the queue, to be trained from the start. Answers the names of others. */
  async repeat(ids: readonly string[]): Promise<readonly string[]> {
    const others: string[] = [];
    const results = new RedisBlobs(this.connection.redis, 'result', 0);
    for (const id of ids) {
      const state = await this.queue.getJobState(id);
      const job = state === 'failed' || state === 'completed' ? await this.queue.getJob(id) : undefined;
      if (job === undefined) {
        others.push(id);
        continue;
      }
      if (state === 'failed') await job.retry('failed');
      else {
        await results.remove(id);
        await this.queue.remove(id);
        await this.queue.add(job.name, job.data, { ...job.opts, jobId: id });
      }
    }
    return others;
  }
}
