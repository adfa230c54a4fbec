/** A seed's files as they travel: read from its folder, and written into one. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '#contract/kit/errors.ts';
import { seedFolder, writeWhole } from '../kit/seed-folder.ts';
import type { SeedBlob } from './blobs.ts';

/** In the order in which they are read: curves are written before the checkpoint that counts them, so they are read after it. */
export const OF_CHECKPOINT = ['checkpoint.rlwb', 'curve.csv'] as const;
/** In the order in which they are written: the result says that the others are there. */
export const OF_RESULT = ['curve.csv', 'policy.json', 'result.json'] as const;

type Name = (typeof OF_CHECKPOINT | typeof OF_RESULT)[number];

/** Those that are there. */
export function readFiles(folder: string, seed: number, names: readonly Name[]): SeedBlob {
  return new Map(
    names.flatMap((name) => {
      const path = join(seedFolder(folder, seed), name);
      return existsSync(path) ? [[name, new Uint8Array(readFileSync(path))] as const] : [];
    }),
  );
}

/** Only files of these names, whatever else a blob holds. Throws LabError('file-invalid') where the last one is missing. */
export function writeFiles(folder: string, seed: number, files: SeedBlob, names: readonly Name[]): void {
  const must = names.at(-1);
  if (must !== undefined && !files.has(must))
    throw fail('file-invalid', `A run in the queue has no ${must}.`, 'Remove it from Redis, and it is trained again.');
  const at = seedFolder(folder, seed);
  mkdirSync(at, { recursive: true });
  for (const name of names) {
    const bytes = files.get(name);
    if (bytes !== undefined) writeWhole(join(at, name), bytes);
  }
}
