/** What the sweep and the workers agree on: a job is one config on one seed, and its name is what it computes. */
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { type Json, type JsonObject, objectOf } from '#contract/json.ts';
import { completeRun } from '#core/run/loaded.ts';

/** What a job holds, as JSON. */
export interface JobData {
  readonly version: 1;
  readonly hash: string;
  readonly config: JsonObject;
  readonly seed: number;
}

/** How far a run is, as its worker tells it. */
export interface JobProgress {
  readonly step: number;
  readonly stepsPerSecond: number;
  readonly worker: string;
}

/** The same run has the same name in every sweep: it is queued once, however often it is asked for. */
export const jobId = (hash: string, seed: number): string => `${hash}-${seed}`;

export const jobData = (config: RunConfig, seed: number): JobData => ({
  version: 1,
  hash: configHash(config),
  config: config as unknown as JsonObject,
  seed,
});

/** The run of a job from the queue. Throws where it was not put there by this version: its bits could differ. */
export function runOfJob(data: unknown): { readonly config: RunConfig; readonly seed: number; readonly id: string } {
  const { version, hash, config: json, seed } = objectOf(data as Json);
  if (version !== 1 || typeof hash !== 'string' || typeof seed !== 'number' || !Number.isSafeInteger(seed))
    throw new TypeError('This job was not put into the queue by sweep --queue of this version.');
  const config = completeRun(json);
  const here = configHash(config);
  if (here !== hash)
    throw new TypeError(`Its config is ${hash} for the sweep and ${here} for this worker: they are of different versions.`);
  return { config, seed, id: jobId(hash, seed) };
}

export function progressOf(value: unknown): JobProgress | null {
  const { step, stepsPerSecond, worker } = objectOf(value as Json);
  if (typeof step !== 'number' || typeof stepsPerSecond !== 'number' || typeof worker !== 'string') return null;
  return { step, stepsPerSecond, worker };
}
