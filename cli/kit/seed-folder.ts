/** The files of one seed in the folder of a run: read and written by the thread that trains it, which loads no other world or method. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import { curvesFromCsv } from '#contract/files/curves-csv.ts';
import { parse, seedResultSchema } from '#contract/files/files.ts';
import { fail, LabError } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import type { Saved, SeedResult } from '#contract/run/events.ts';
import { decodeSaved } from '#contract/run/saved.ts';
import { atPath } from './system-errors.ts';

/** A file takes its name when all of it is there; where that fails nothing is left. Throws what the system says, with the path. */
export function writeWhole(path: string, data: string | Uint8Array): void {
  try {
    writeFileSync(`${path}.part`, data);
    renameSync(`${path}.part`, path);
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    throw atPath(error, path);
  }
}

export const seedFolder = (folder: string, seed: number): string => join(folder, seedFolderName(seed));

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

/** As it was written, with null for what was not measured. Throws LabError('file-invalid') for what is no result. */
function resultOf(bytes: Uint8Array): SeedResult {
  parse(seedResultSchema, bytes, 'a result');
  return readJson(bytes) as unknown as SeedResult;
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
  const result = read(SEED_FILES.result, (path) => whole(path, () => resultOf(readFileSync(path))));
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
