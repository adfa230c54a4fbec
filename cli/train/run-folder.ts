/**
 * What `train --out DIR` writes, so that it can be read, plotted and resumed: the container of results (contract/files/container.ts), whose run.json
 * is also good for --config, and summary.json, the last line of --json. Files are replaced whole, so that a kill leaves the last complete
 * one. Throws UsageError for folders that are not ours.
 */

import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newRunFile, RUN_FILE } from '#contract/files/container.ts';
import { readJson } from '#contract/kit/json.ts';
import type { CompleteConfig, RunConfig } from '#contract/run/config.ts';
import { nameOfRun, newRunId } from '#contract/run/run-names.ts';
import { UsageError } from '../kit/failure.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { algoTitle, envTitle } from '../kit/titles.ts';
import { codeIn, keepCode } from '../own/code.ts';
import { completeStored } from '../own/open.ts';

/** Folder by folder from the top: mkdirSync's own recursion never ends where a file system answers ENOENT for ever, as /proc does. */
function makeFolder(folder: string): void {
  try {
    if (existsSync(folder)) {
      if (!statSync(folder).isDirectory()) throw new Error('a file is in its place');
      return;
    }
    if (dirname(folder) !== folder) makeFolder(dirname(folder));
    mkdirSync(folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`"${folder}" cannot be made: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Makes DIR for a new run. A folder that already holds one is not overwritten. */
export function createRunFolder(folder: string, config: RunConfig): void {
  if (existsSync(join(folder, RUN_FILE))) {
    throw new UsageError(`"${folder}" already holds a run. Continue it with --resume, or choose another --out.`);
  }
  makeFolder(folder);
  writeConfig(folder, config);
}

/** The seeds' results are written beside it, by as many processes as train them. */
function writeConfig(folder: string, config: RunConfig): void {
  const now = Date.now();
  const name = nameOfRun(algoTitle(config.algo.id), envTitle(config.env.id));
  const run = newRunFile(config, { id: newRunId(config, now, randomInt(2 ** 32) / 2 ** 32), name, createdAt: now });
  writeWhole(join(folder, RUN_FILE), `${JSON.stringify(run, null, 2)}\n`);
  keepCode(folder, config);
}

/** Makes DIR for a run where it is not there yet, with its config: the runs of a sweep and of the queue are folders as those of `train --out`. */
export function ensureRunFolder(folder: string, config: RunConfig): void {
  makeFolder(folder);
  if (!existsSync(join(folder, RUN_FILE))) writeConfig(folder, config);
}

/** The config of a run folder, as it is stored. */
export function openRunFolder(folder: string): unknown {
  const file = join(folder, RUN_FILE);
  if (!existsSync(file)) throw new UsageError(`"${folder}" is not a folder that train --out made: it has no run.json.`);
  let run: { readonly kind?: unknown; readonly version?: unknown; readonly config?: unknown } | null;
  try {
    run = readJson(readFileSync(file)) as typeof run;
  } catch {
    throw new UsageError(`"${file}" is broken: it is not JSON.`);
  }
  // "cli-run" is what earlier versions wrote.
  if ((run?.kind !== 'run' && run?.kind !== 'cli-run') || run.version !== 1 || typeof run.config !== 'object' || run.config === null)
    throw new UsageError(`"${file}" was not written by train --out or the page of this version.`);
  return run.config;
}

/** The config of a run folder with every default, and what it needs open. Throws what openRunFolder and completeStored throw. */
export const openRun = (folder: string): Promise<CompleteConfig> =>
  completeStored(openRunFolder(folder), { file: join(folder, RUN_FILE), codes: codeIn(folder) });

/** Seeds that have a folder in that of a run. */
export const seedsIn = (folder: string): readonly number[] =>
  readdirSync(folder)
    .flatMap((entry) => /^seed-(\d+)$/.exec(entry)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
