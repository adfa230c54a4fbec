/** A run of a tree: its record and the files of its seeds. */
import { type FoundRun, RUN_FILE, readRun } from '#contract/files/container.ts';
import { type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { partOf, type Tree } from './tree.ts';

/** A run of a tree with its folder, and its record as it stands. */
export interface TreeRun {
  readonly folder: string;
  readonly found: FoundRun;
  readonly raw: JsonObject;
  /** Its record notes what happened to its seeds: that of the command line does not. */
  readonly listed: boolean;
}

/** Throws LabError('file-invalid') for broken files. */
export function runOf(tree: Tree, folder: string): TreeRun {
  const own = partOf(tree, folder);
  const wanted = own.files.filter((file) => file === RUN_FILE || /^seed-\d+\/[^/]+$/.test(file));
  const raw = objectOf(readJson(own.text(RUN_FILE)));
  const listed = Array.isArray(raw.seeds) && raw.seeds.length > 0;
  return { folder, raw, listed, found: readRun(new Map(wanted.map((file) => [file, own.bytes(file)])), '') };
}
