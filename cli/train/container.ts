/** Containers of results (contract/files/container.ts) on the disk: their index. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX_FILE, type IndexedRun, indexText, RUN_FILE, SEED_FILES, seedFolderName } from '#contract/files/container.ts';
import { type Json, objectOf, readJson } from '#contract/kit/json.ts';
import { writeWhole } from '../kit/seed-folder.ts';
import { seedsIn } from './run-folder.ts';

/** Levels of folders below a container in which runs lie: of a sweep of several methods METHOD/runs/HASH. */
const LEVELS = 4;

/** Folders of runs at or below this one, as the index names them: "" for itself, parts separated by slashes. */
export function runFoldersIn(folder: string, below = ''): readonly string[] {
  const here = join(folder, below);
  if (existsSync(join(here, RUN_FILE))) return [below];
  if (below.split('/').length > LEVELS) return [];
  return readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => runFoldersIn(folder, below === '' ? name : `${below}/${name}`));
}

/** What the files of a run say, for an index. A folder of an earlier version has no name and no hash: "". */
function indexed(home: string, folder: string): IndexedRun {
  const at = join(home, folder);
  const { name, hash } = objectOf(readJson(readFileSync(join(at, RUN_FILE), 'utf8')));
  const seeds = seedsIn(at).map((seed) => {
    const file = join(at, seedFolderName(seed), SEED_FILES.result);
    const { steps, parameterHash } = existsSync(file) ? objectOf(readJson(readFileSync(file, 'utf8'))) : {};
    return {
      seed,
      step: typeof steps === 'number' ? steps : 0,
      parameterHash: typeof parameterHash === 'string' ? parameterHash : null,
    };
  });
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  return { folder, name: text(name), hash: text(hash), seeds };
}

/** Writes the index of the runs in a folder; it is written again when there are more. */
export function writeIndex(home: string): void {
  const runs = runFoldersIn(home).map((folder) => indexed(home, folder));
  writeWhole(join(home, INDEX_FILE), indexText(runs, new Date().toISOString()));
}
