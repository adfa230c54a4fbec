/** The files of a folder or of a zip by their names, alike: what is checked of the one is checked of the other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isContainerFile, unzipContainer } from '#contract/files/container.ts';
import { UsageError } from '../kit/failure.ts';

/** Folders in folders, and files of all of them. */
const LEVELS = 8;
const MOST_FILES = 20_000;

export interface Tree {
  /** For people. */
  readonly name: string;
  /** Whether its name is that of a folder, so that its files can be named too; else it is a zip. */
  readonly folder: boolean;
  /** Names of files, parts separated by slashes, sorted. */
  readonly files: readonly string[];
  has(file: string): boolean;
  bytes(file: string): Uint8Array;
  text(file: string): string;
}

function treeOf(name: string, folder: boolean, files: readonly string[], bytes: (file: string) => Uint8Array): Tree {
  const known = new Set(files);
  const read = (file: string): Uint8Array => {
    if (!known.has(file)) throw new UsageError(`${name} lacks "${file}".`);
    return bytes(file);
  };
  return {
    name,
    folder,
    files: [...files].sort(),
    has: (file) => known.has(file),
    bytes: read,
    text: (file) => new TextDecoder().decode(read(file)),
  };
}

/** Throws UsageError for a folder of more files than a container has. */
export function folderTree(path: string, name: string): Tree {
  const files: string[] = [];
  const walk = (below: string, level: number): void => {
    for (const entry of readdirSync(join(path, below), { withFileTypes: true })) {
      const at = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory() && level < LEVELS) walk(at, level + 1);
      else if (entry.isFile()) files.push(at);
      if (files.length > MOST_FILES) throw new UsageError(`"${name}" holds more than ${MOST_FILES} files. Choose a part of it.`);
    }
  };
  walk('', 1);
  return treeOf(name, true, files, (file) => new Uint8Array(readFileSync(join(path, file))));
}

/** Names of files that belong to runs, sweeps and bundles. */
const BESIDE =
  /^([^/]+\/){0,6}(README\.md|CITATION\.bib|figure\.(svg|csv)|summary\.json|sweep\.json|(sweep|methods|contrast)\.csv|(world|method)\.js)$/;

export const isKnownFile = (file: string): boolean => isContainerFile(file) || BESIDE.test(file);

/** Of a zip that was made of a folder that folder is the top. Throws LabError('file-invalid') for a damaged one. */
export function zipTree(packed: Uint8Array, name: string): Tree {
  const files = unzipContainer(packed, isKnownFile);
  const names = [...files.keys()];
  const [top = ''] = (names[0] ?? '').split('/');
  const inside = names.length > 0 && names.every((file) => file.startsWith(`${top}/`)) && !/^(seed-)?\d+$/.test(top);
  const prefix = inside && names.some((file) => file.split('/').length === 2) ? `${top}/` : '';
  return treeOf(
    name,
    false,
    names.map((file) => file.slice(prefix.length)),
    (file) => files.get(prefix + file) as Uint8Array,
  );
}

/** For people: a folder of a tree; '' for its top. */
export const nameIn = ({ name }: Tree, folder: string): string => (folder === '' ? name : `${name}/${folder}`);

/** The part of a tree in one of its folders; '' for all of it. */
export function partOf(tree: Tree, folder: string): Tree {
  if (folder === '') return tree;
  const files = tree.files.flatMap((file) => (file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : []));
  return treeOf(nameIn(tree, folder), tree.folder, files, (file) => tree.bytes(`${folder}/${file}`));
}

/** Folders that hold a file of this name, sorted; '' for the top. */
export const foldersWith = (tree: Tree, file: string): readonly string[] =>
  tree.files.flatMap((name) => (name === file ? [''] : name.endsWith(`/${file}`) ? [name.slice(0, -file.length - 1)] : []));
