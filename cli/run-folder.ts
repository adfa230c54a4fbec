/**
 * What `train --out DIR` writes, so that it can be read, plotted and resumed: the container of results (contract/container.ts), whose run.json
 * is also good for --config, and summary.json, the last line of --json. Files are replaced whole, so that a kill leaves the last complete
 * one. Throws UsageError for folders that are not ours.
 */
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunConfig } from '#contract/config.ts';
import { newRunFile, RUN_FILE, SEED_FILES, seedFolderName } from '#contract/container.ts';
import { curvesFromCsv } from '#contract/curves-csv.ts';
import { fail, LabError } from '#contract/errors.ts';
import type { Saved, SeedResult } from '#contract/events.ts';
import { nameOfRun, newRunId } from '#contract/run-names.ts';
import { decodeSaved } from '#contract/saved.ts';
import { UsageError } from './failure.ts';
import { algoTitle, envTitle } from './titles.ts';

export function writeWhole(path: string, data: string | Uint8Array): void {
  writeFileSync(`${path}.part`, data);
  renameSync(`${path}.part`, path);
}

export const seedFolder = (folder: string, seed: number): string => join(folder, seedFolderName(seed));

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
}

/** Makes DIR for a run where it is not there yet, with its config: the runs of a sweep and of the queue are folders as those of `train --out`. */
export function ensureRunFolder(folder: string, config: RunConfig): void {
  makeFolder(folder);
  if (!existsSync(join(folder, RUN_FILE))) writeConfig(folder, config);
}

/** The config of a run folder, as JSON for completeRun. */
export function openRunFolder(folder: string): unknown {
  const file = join(folder, RUN_FILE);
  if (!existsSync(file)) throw new UsageError(`"${folder}" is not a folder that train --out made: it has no run.json.`);
  let run: { readonly kind?: unknown; readonly version?: unknown; readonly config?: unknown } | null;
  try {
    run = JSON.parse(readFileSync(file, 'utf8')) as typeof run;
  } catch {
    throw new UsageError(`"${file}" is broken: it is not JSON.`);
  }
  // "cli-run" is what earlier versions wrote.
  if ((run?.kind !== 'run' && run?.kind !== 'cli-run') || run.version !== 1 || typeof run.config !== 'object' || run.config === null)
    throw new UsageError(`"${file}" was not written by train --out or the page of this version.`);
  return run.config;
}

/** Seeds that have a folder in that of a run. */
export const seedsIn = (folder: string): readonly number[] =>
  readdirSync(folder)
    .flatMap((entry) => /^seed-(\d+)$/.exec(entry)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/** Rows of metrics by name: [step, value]. */
export type Curves = Map<string, { readonly steps: number[]; readonly values: number[] }>;

export interface SeedFiles {
  readonly result: SeedResult | null;
  readonly checkpoint: Saved | null;
  /** Up to the checkpoint. */
  readonly curves: Curves;
}

/** Environment steps done in a checkpoint. */
export function stepOf(saved: Saved): number {
  return (saved.meta.session as { readonly step?: number } | undefined)?.step ?? 0;
}

/** Processor seconds that a seed had taken when the command line wrote its checkpoint; null where none are noted. */
export function coreSecondsOf({ meta }: Saved): number | null {
  return typeof meta.coreSeconds === 'number' ? meta.coreSeconds : null;
}

/** Throws for JSON that is no result. */
function resultOf(text: string): SeedResult {
  const result = JSON.parse(text) as Partial<SeedResult> | null;
  if (typeof result?.seed !== 'number' || typeof result.parameterHash !== 'string') throw new TypeError('no result');
  return result as SeedResult;
}

/** What is there of one seed. */
export function readSeed(folder: string, seed: number): SeedFiles {
  const at = seedFolder(folder, seed);
  const read = <T>(name: string, open: (path: string) => T): T | null => {
    const path = join(at, name);
    return existsSync(path) ? open(path) : null;
  };
  const whole = <T>(path: string, open: () => T): T => {
    try {
      return open();
    } catch (error) {
      const why = error instanceof LabError ? error.failure.message : 'It is not what train --out writes.';
      throw fail('file-invalid', `"${path}" cannot be read. ${why}`, 'Delete it to train this seed from its start.');
    }
  };
  const result = read(SEED_FILES.result, (path) => whole(path, () => resultOf(readFileSync(path, 'utf8'))));
  const checkpoint = read(SEED_FILES.checkpoint, (path) => whole(path, () => decodeSaved(new Uint8Array(readFileSync(path)))));
  const curves: Curves = new Map();
  const last = checkpoint ? stepOf(checkpoint) : -1;
  for (const { metric, steps, values } of read(SEED_FILES.curve, (path) => curvesFromCsv(readFileSync(path, 'utf8'))) ?? []) {
    const kept = steps.findLastIndex((step) => step <= last) + 1;
    curves.set(metric, { steps: Array.from(steps.subarray(0, kept)), values: Array.from(values.subarray(0, kept)) });
  }
  return { result, checkpoint, curves };
}

export function removeCheckpoint(folder: string, seed: number): void {
  rmSync(join(seedFolder(folder, seed), SEED_FILES.checkpoint), { force: true });
}
