/**
 * BullMQ and ioredis, loaded only by commands that were given a queue: both are optional packages, and nothing else may import them.
 * Connections wait for a Redis that is restarted; one that is not there at the start is an error at once.
 */
import { CommandFailure, UsageError } from '../kit/failure.ts';
import type { QueueAddress } from './address.ts';

const importBullmq = () => import('bullmq');
const importRedis = () => import('ioredis');
export type Bullmq = Awaited<ReturnType<typeof importBullmq>>;
type RedisModule = Awaited<ReturnType<typeof importRedis>>;
export type RedisClient = InstanceType<RedisModule['Redis']>;
export type JobQueue = InstanceType<Bullmq['Queue']>;
export type QueueJob = InstanceType<Bullmq['Job']>;

/** Name of the queue in BullMQ, and the beginning of this workbench's own keys beside it. */
export const QUEUE = 'rl-workbench';

/** Longest wait between two attempts to reach a Redis that went away, ms. */
const LONGEST_WAIT = 2000;
/** How long the first connection may take, ms. */
const PATIENCE = 10_000;

export interface Connection {
  readonly bullmq: Bullmq;
  readonly redis: RedisClient;
  /** For BullMQ, which opens connections of its own. */
  readonly settings: ReturnType<typeof settingsOf>;
  readonly shown: string;
  /** Ends at once what this module opened. */
  close(): void;
}

/** Throws UsageError where the optional packages are not installed. */
async function load(): Promise<{ readonly bullmq: Bullmq; readonly Redis: RedisModule['Redis'] }> {
  try {
    const [bullmq, { Redis }] = await Promise.all([importBullmq(), importRedis()]);
    return { bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('--queue needs the optional packages bullmq and ioredis: install them with "npm ci --include=optional".');
  }
}

const settingsOf = ({ shown: _, ...address }: QueueAddress) => ({
  ...address,
  maxRetriesPerRequest: null, // commands wait through a restart
  retryStrategy: (attempt: number) => Math.min(100 * attempt, LONGEST_WAIT),
});

/** Throws CommandFailure where there is no Redis, or none that lets us in. `say` hears of later losses. */
export async function connect(address: QueueAddress, say: (line: string) => void): Promise<Connection> {
  const { bullmq, Redis } = await load();
  const { shown } = address;
  const settings = settingsOf(address);
  const probe = new Redis({ ...settings, lazyConnect: true, retryStrategy: () => null, connectTimeout: PATIENCE });
  let why = '';
  probe.on('error', (error: Error) => {
    why = error.message;
  });
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    const message = why || (error instanceof Error ? error.message : String(error));
    throw new CommandFailure(`No queue at ${shown}: ${message || 'it does not answer'}. Is Redis (or Valkey) running there?`);
  } finally {
    probe.disconnect();
  }
  const redis = new Redis(settings);
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) say(`The queue at ${shown} is away (${error.message}); waiting for it.`);
    away = true;
  });
  redis.on('ready', () => {
    if (away) say(`The queue at ${shown} is back.`);
    away = false;
  });
  return { bullmq, redis, settings, shown, close: () => redis.disconnect() };
}
