/**
 * Files of a seed on their way between machines, as one blob each: a checkpoint with its curves, or a result. In Redis in chunks, under a
 * limit; or, checkpoints, in a folder that all workers share. A blob appears whole or not at all, also where its writer is killed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { fail } from '#contract/kit/errors.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { QUEUE, type RedisClient } from './connect.ts';

/** By name, as they lie in a seed's folder. */
export type SeedBlob = ReadonlyMap<string, Uint8Array>;

/** Bytes of one value in Redis, far below what it takes, so that a large blob holds up no other command. */
const CHUNK = 512 * 1024;
/** Seconds that a blob is kept after it was written. */
export const KEPT = 7 * 24 * 3600;
/** Seconds that an upload may take. */
const UPLOAD = 1800;
/** Bytes that a blob may unpack to. */
const LARGEST = 2 ** 30;

/** Packed and compressed: the checksum of contract/run/saved.ts covers it. */
export async function pack(files: SeedBlob): Promise<Uint8Array> {
  const whole = encodeSaved({ meta: { kind: 'seed-files', version: 1 }, arrays: Object.fromEntries(files) });
  return promisify(gzip)(whole, { level: 1 });
}

/** Throws LabError('file-invalid') for what `pack` did not write, before more than a gigabyte is unpacked. */
export async function unpack(bytes: Uint8Array): Promise<SeedBlob> {
  let whole: Uint8Array;
  try {
    whole = await promisify(gunzip)(bytes, { maxOutputLength: LARGEST });
  } catch {
    throw fail('file-invalid', 'A run in the queue cannot be unpacked.', 'Remove it from Redis, and it is trained again.');
  }
  const { meta, arrays } = decodeSaved(new Uint8Array(whole));
  if (meta.kind !== 'seed-files' || meta.version !== 1)
    throw fail('file-invalid', 'A run in the queue was written by another version.', 'Use the same version everywhere.');
  return new Map(Object.entries(arrays).flatMap(([name, array]) => (array instanceof Uint8Array ? [[name, array] as const] : [])));
}

/** Where checkpoints are kept for the worker that goes on. Ids are made here (config hash and seed), never read from outside. */
export interface Checkpoints {
  /** Replaces the one before. Throws LabError('storage-full') where it is too large to be kept there. */
  put(id: string, files: SeedBlob): Promise<void>;
  get(id: string): Promise<SeedBlob | null>;
  remove(id: string): Promise<void>;
}

export class FolderCheckpoints implements Checkpoints {
  private readonly folder: string;

  constructor(shared: string) {
    this.folder = join(shared, 'checkpoints');
    mkdirSync(this.folder, { recursive: true });
  }

  async put(id: string, files: SeedBlob): Promise<void> {
    // A name of its own for every write: a worker that is only slow may write beside the one that replaced it.
    const part = `${this.path(id)}.${randomUUID()}.part`;
    try {
      writeFileSync(part, await pack(files));
      renameSync(part, this.path(id));
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  }

  async get(id: string): Promise<SeedBlob | null> {
    return existsSync(this.path(id)) ? unpack(readFileSync(this.path(id))) : null;
  }

  async remove(id: string): Promise<void> {
    rmSync(this.path(id), { force: true });
  }

  private path(id: string): string {
    return join(this.folder, `${id}.gz`);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

export class RedisBlobs implements Checkpoints {
  private readonly redis: RedisClient;
  private readonly kind: string;
  private readonly limit: number;

  /** `limit`: bytes of one blob, compressed. */
  constructor(redis: RedisClient, kind: 'checkpoint' | 'result', limit: number) {
    this.redis = redis;
    this.kind = kind;
    this.limit = limit;
  }

  async put(id: string, files: SeedBlob): Promise<void> {
    const part = await this.upload(id, files);
    await this.redis.multi().rename(part, this.key(id)).expire(this.key(id), KEPT).exec();
  }

  /** The first one stays. Answers whether this was the first. */
  async putOnce(id: string, files: SeedBlob): Promise<boolean> {
    const part = await this.upload(id, files);
    const answers = await this.redis.multi().renamenx(part, this.key(id)).expire(this.key(id), KEPT).del(part).exec();
    const [error, renamed] = answers?.[0] ?? [new Error('no answer'), 0];
    if (error) throw error;
    return renamed === 1;
  }

  async get(id: string): Promise<SeedBlob | null> {
    // A newer one may replace it between two chunks: its digest then does not fit, and it is read again.
    for (let attempt = 0; ; attempt++) {
      const [size, digest] = await this.redis.hmget(this.key(id), 'size', 'sha256');
      if (size === null || size === undefined) return null;
      if (!(Number(size) > 0 && Number(size) <= LARGEST))
        throw fail('file-invalid', `A ${this.kind} in the queue says it is ${size} bytes.`, 'Remove it from Redis.');
      const chunks: Buffer[] = [];
      for (let at = 0; at * CHUNK < Number(size); at++) {
        const chunk = await this.redis.hgetBuffer(this.key(id), String(at));
        if (chunk !== null) chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      if (createHash('sha256').update(bytes).digest('hex') === digest) return unpack(bytes);
      if (attempt === 3)
        throw fail('file-invalid', `A ${this.kind} in the queue is damaged.`, 'Remove it from Redis, and it is made again.');
    }
  }

  /** Which of these are there. */
  async among(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const pipeline = this.redis.pipeline();
    for (const id of ids) pipeline.exists(this.key(id));
    const answers = (await pipeline.exec()) ?? [];
    return new Set(ids.filter((_, i) => answers[i]?.[1] === 1));
  }

  async remove(id: string): Promise<void> {
    await this.redis.del(this.key(id));
  }

  private key(id: string): string {
    return `${QUEUE}:${this.kind}:${id}`;
  }

  /** Under a name of its own, which vanishes by itself if this process is killed. */
  private async upload(id: string, files: SeedBlob): Promise<string> {
    const bytes = Buffer.from(await pack(files));
    if (bytes.length > this.limit)
      throw fail(
        'storage-full',
        `This ${this.kind} is ${megabytes(bytes.length)}, and at most ${megabytes(this.limit)} are kept in Redis.`,
        this.kind === 'checkpoint'
          ? 'Start the workers with --shared FOLDER, or a larger --limit.'
          : 'Start the workers with a larger --limit.',
      );
    const part = `${this.key(id)}:part:${randomUUID()}`;
    await this.redis
      .multi()
      .hset(part, 'size', bytes.length, 'sha256', createHash('sha256').update(bytes).digest('hex'))
      .expire(part, UPLOAD)
      .exec();
    for (let at = 0; at * CHUNK < bytes.length; at++) await this.redis.hset(part, String(at), bytes.subarray(at * CHUNK, (at + 1) * CHUNK));
    return part;
  }
}
