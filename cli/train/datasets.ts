/** Recorded datasets of the command line: files HASH.rlds in the folder RL_DATASETS, `datasets` beside where a command was typed. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatasetFile, DATASET_BEGINNING, type Dataset, decodeDataset } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import { writeWhole } from '../kit/seed-folder.ts';

export const datasetFolder = (): string => process.env.RL_DATASETS ?? 'datasets';

/** The dataset whose file has this hash; null: there is none. Throws LabError('file-invalid') where the file holds something else. */
export async function findDataset(hash: string): Promise<Dataset | null> {
  const path = join(datasetFolder(), `${hash}.rlds`);
  if (!existsSync(path)) return null;
  const bytes = new Uint8Array(readFileSync(path)); // a Buffer's slice is no copy
  if (sha256(bytes) !== hash)
    throw fail('file-invalid', `"${path}" is not the file of that name any more.`, 'Record it again.', 'algo.dataset');
  return decodeDataset(bytes);
}

/** The bytes of a recording, read whole only where its beginning and its size are right. Throws LabError('file-invalid'). */
export function readDatasetFile(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const beginning = new Uint8Array(DATASET_BEGINNING);
    checkDatasetFile(beginning.subarray(0, readSync(file, beginning)), fstatSync(file).size);
  } finally {
    closeSync(file);
  }
  return new Uint8Array(readFileSync(path)); // a Buffer's slice is no copy
}

/** Keeps a file under its hash; answers where. */
export function keepDataset(bytes: Uint8Array, hash: string): string {
  mkdirSync(datasetFolder(), { recursive: true });
  const path = join(datasetFolder(), `${hash}.rlds`);
  writeWhole(path, bytes);
  return path;
}
