/**
 * bench/results/promises.json: what the page says after the promised steps of what is offered first, by environment. Written by `learn --promises`, read by
 * the build for the page: no tile promises what the line of its run does not show. Only node:* here, because the build's own config imports it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Strength } from '#contract/catalog/catalog.ts';
import { readJson } from '#contract/kit/json.ts';
import type { Course } from '#math/standing.ts';

/** What the page says of one seed after the promised steps. */
export interface Kept {
  readonly algo: string;
  readonly steps: number;
  readonly cpuSeconds: number;
  /** What its main line shows. */
  readonly shows: Strength | 'return while exploring' | 'distance from an equilibrium';
  readonly start: number | null;
  readonly end: number | null;
  /** 'up': better than at the start. */
  readonly course: Course;
  /** Hash of the offered run: another offer is tried again. */
  readonly offer: string;
}

export interface Promises {
  readonly [env: string]: Kept;
}

export const promisesFile = (project: string): string => join(project, 'bench/results/promises.json');

/** What has been tried so far; empty where nothing was. */
export function readPromises(project: string): Promises {
  const file = promisesFile(project);
  if (!existsSync(file)) return {};
  return (readJson(readFileSync(file)) as unknown as { readonly environments: Promises }).environments;
}
