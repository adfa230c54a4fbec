/** What the sweep and the workers agree on: a job is one config on one seed, and its name is what it computes. */

import { type Json, type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { wholeConfigHash } from '#contract/run/config-hash.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import { codeOf } from '../own/code.ts';
import { completeStored } from '../own/open.ts';
import type { JobQueue, QueueJob, RedisClient } from './connect.ts';

/** What a job holds, as JSON. */
export interface JobData {
  readonly version: 1;
  readonly hash: string;
  readonly config: JsonObject;
  /** Code that the config names and does not carry. */
  readonly codes?: readonly string[];
  readonly seed: number;
}

/** Progress of a run as reported by its worker. */
export interface JobProgress {
  readonly step: number;
  readonly stepsPerSecond: number;
  readonly worker: string;
}

/** The same run has the same name in every sweep: it is queued once, however often it is asked for. `hash`: of the whole config, 64 digits. */
export const jobId = (hash: string, seed: number): string => `${hash}-${seed}`;

/** Own code that a config names and does not carry. */
function codesFor({ env, algo }: RunConfig): readonly string[] {
  const carried = env.config[CODE_SETTING];
  return [env.id, algo.id].flatMap((id) => codeOf(id)?.code ?? []).filter((code) => code !== carried);
}

export function jobData(config: RunConfig, seed: number): JobData {
  const codes = codesFor(config);
  return {
    version: 1,
    hash: wholeConfigHash(config),
    config: config as unknown as JsonObject,
    ...(codes.length > 0 && { codes }),
    seed,
  };
}

/**
 * The run of a job from the queue, with what it needs open: code in a job runs where the worker was given it (own/open.ts). Throws where it was
 * not put there by this version: its bits could differ.
 */
export async function runOfJob(data: unknown): Promise<{ readonly config: RunConfig; readonly seed: number; readonly id: string }> {
  const { version, hash, config: json, seed, codes } = objectOf(data);
  if (version !== 1 || typeof hash !== 'string' || typeof seed !== 'number')
    throw new TypeError('This job was not put into the queue by sweep --queue of this version.');
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff)
    throw new TypeError(`Its seed is ${seed}; seeds are whole numbers from 0 to 4294967295.`);
  const beside = Array.isArray(codes) ? codes.filter((code: unknown) => typeof code === 'string') : [];
  const config = await completeStored(json, { file: null, codes: beside.map((code) => ({ name: null, code })) });
  const here = wholeConfigHash(config);
  if (here !== hash)
    throw new TypeError(
      `Its config is ${hash.slice(0, 12)} for the sweep and ${here.slice(0, 12)} for this worker: they are of different versions.`,
    );
  return { config, seed, id: jobId(hash, seed) };
}

export function progressOf(value: unknown): JobProgress | null {
  const { step, stepsPerSecond, worker } = objectOf(value as Json);
  if (typeof step !== 'number' || typeof stepsPerSecond !== 'number' || typeof worker !== 'string') return null;
  return { step, stepsPerSecond, worker };
}

/** Jobs in this state of those that are asked for, and of no others: one that another program put there may be no job. null: it cannot be read. */
export async function jobsNow(
  queue: JobQueue,
  state: 'failed' | 'active',
  asked: ReadonlyMap<string, unknown>,
): Promise<readonly { readonly id: string; readonly job: QueueJob | null }[]> {
  const ids = (await queue.getRanges([state], 0, -1)).filter((id) => asked.has(id));
  return Promise.all(
    ids.map(async (id) => ({
      id,
      job: await queue.getJob(id).then(
        (job) => job ?? null,
        (error: unknown) => {
          if (error instanceof SyntaxError) return null; // its data is not JSON
          throw error;
        },
      ),
    })),
  );
}

/** Takes a job that is over out of the queue; one that a worker holds stays. */
export async function removeFinished(queue: JobQueue, id: string): Promise<void> {
  const state = await queue.getJobState(id);
  if (state === 'completed' || state === 'failed') await queue.remove(id);
}

/**
 * Takes jobs out of the queue whose data is no JSON: a worker that is given one can neither train nor refuse it, and is given it again.
 * Answers their names.
 */
export async function removeBroken(queue: JobQueue, redis: RedisClient): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const id of await queue.getRanges(['active', 'wait', 'delayed', 'prioritized'], 0, -1)) {
    const data = await redis.hget(queue.toKey(id), 'data');
    try {
      readJson(data ?? '');
    } catch {
      await redis.del(`${queue.toKey(id)}:lock`); // a worker that could not read it holds it
      if ((await queue.remove(id)) === 1) broken.push(id);
    }
  }
  return broken;
}
