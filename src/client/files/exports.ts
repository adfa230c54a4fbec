/** Files out and in: curves as CSV, a run as JSON, a policy, a project; and whatever of these a person drops on the page. */

import { heldPolicies, newestPolicy } from '#client/runs/policies.ts';
import { curveColumns, toRunFile } from '#client/runs/run-persistence.ts';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import { configOfJson, decodePolicyFile, encodePolicyFile, type ProjectLayout } from '#contract/files/files.ts';
import { isLog, isTableName } from '#contract/foreign/names.ts';
import type { ForeignFile, ForeignRead } from '#contract/foreign/read.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { isZip } from '#contract/kit/zip.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import type { Library } from '#storage/library.ts';
import type { ExportedRun, ImportedProject, ReadOptions } from '#storage/project.ts';
import type { RunGroup } from '#stores/types.ts';

/** `project`: what another person needs; `backup`: with every kept policy and state. */
export type ExportKind = 'csv' | 'json' | 'policy' | 'project' | 'backup';

/** `layout`: how the page is arranged, for a project of all its runs. */
export async function exportGroups(
  groups: readonly RunGroup[],
  what: ExportKind,
  library: Library,
  now: number,
  layout?: ProjectLayout,
): Promise<Blob> {
  const [group] = groups;
  if (group === undefined) throw fail('file-invalid', 'This run is no longer here.', 'Choose another one.');
  switch (what) {
    case 'csv':
      return new Blob([curvesToCsv(group.id, curveColumns(group))], { type: 'text/csv' });
    case 'json':
      return new Blob([JSON.stringify(toRunFile(group), null, 2)], { type: 'application/json' });
    case 'policy': {
      const policy = group.seeds.map(({ seed }) => newestPolicy(group.id, seed)).find((found) => found !== null);
      if (policy === undefined || policy === null) throw fail('file-invalid', 'This run has no policy yet.', 'Train it first.');
      return new Blob([encodePolicyFile(policy)], { type: 'application/json' });
    }
    case 'project':
    case 'backup': {
      const { writeProject } = await import('#storage/project.ts');
      const bytes = await writeProject(library, groups.map(exported), new Date(now).toISOString(), {
        everything: what === 'backup',
        layout,
      });
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
    }
  }
}

const exported = (group: RunGroup): ExportedRun => ({
  run: toRunFile(group),
  curves: curveColumns(group),
  policies: group.seeds.flatMap(({ seed }) => heldPolicies(group.id, seed).map(({ snapshot }) => snapshot)),
});

/** A project of these runs with other files beside them, by name. */
export async function bundleGroups(
  groups: readonly RunGroup[],
  beside: Readonly<Record<string, string>>,
  library: Library,
  now: number,
): Promise<Blob> {
  const { writeProject } = await import('#storage/project.ts');
  const bytes = await writeProject(library, groups.map(exported), new Date(now).toISOString(), { everything: false, beside });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

export type Imported =
  | ({ readonly kind: 'runs' } & ImportedProject)
  | { readonly kind: 'policy'; readonly policy: PolicySnapshot }
  | { readonly kind: 'curves'; readonly read: ForeignRead }
  | { readonly kind: 'config'; readonly config: JsonObject };

/** A folder that was chosen gives its files' paths. */
export function nameOf(file: Blob): string {
  if (!(file instanceof File)) return 'file';
  return file.webkitRelativePath || file.name;
}

/** A file of a folder and its name below that, with slashes. */
export interface FolderFile {
  readonly name: string;
  readonly file: Blob;
}

/** What was found in a folder, or in several files and folders. */
export interface FolderRead {
  /** Runs that the command line wrote, or of project files that were unpacked. null: there are none. */
  readonly project: ImportedProject | null;
  /** Curves of other programs. null: there are none. */
  readonly curves: ForeignRead | null;
}

/** Bytes of the logs of one folder. */
const MOST_LOGS = 512 * 1024 * 1024;

/**
 * The runs in a folder that the command line wrote or a project file was unpacked into, and the logs of other programs in it. `home`: the name of
 * the folder, '' where there are several, whose names stand in those of the files. Throws LabError('file-invalid') where there is neither.
 */
export async function readFolder(home: string, files: readonly FolderFile[], library: Library, options: ReadOptions): Promise<FolderRead> {
  const { isContainerFile } = await import('#contract/files/container.ts');
  const known = files.filter(({ name }) => isContainerFile(name));
  const ours = known.some(({ name }) => /(^|\/)(project|run)\.json$/.test(name));
  const logs = files.filter(({ name }) => !isContainerFile(name) && (isLog(name) || (!ours && isTableName(name))));
  if (logs.length === 0 && !ours)
    throw fail(
      'file-invalid',
      files.length === 0 ? 'This folder is empty.' : `There is no run in these ${files.length} files: ${endings(files)}.`,
      'Choose a folder that train --out has written, one with event files of TensorBoard, progress.csv or monitor.csv, or open a single file.',
    );
  const curves = logs.length === 0 ? null : await readLogs(home, logs);
  const project = ours ? await readOwn(known, library, options) : null;
  if (project === null && curves !== null && curves.runs.length === 0)
    throw fail('file-invalid', `No run could be read. ${[...curves.left, ...curves.unknown].slice(0, 5).join(' ')}`, 'Choose others.');
  return { project, curves };
}

/** "3 .py, 1 .yaml" */
function endings(files: readonly FolderFile[]): string {
  const counts = new Map<string, number>();
  for (const { name } of files) {
    const ending = /[^/\\.](\.[a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? 'without an ending';
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  const shown = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
  return shown.map(([ending, count]) => `${count} ${ending}`).join(', ');
}

async function readLogs(home: string, logs: readonly FolderFile[]): Promise<ForeignRead> {
  const { MOST_FOREIGN, readForeignFiles } = await import('#contract/foreign/read.ts');
  const read: ForeignFile[] = [];
  const beyond: string[] = [];
  let bytes = 0;
  for (const { name, file } of logs) {
    bytes += file.size;
    if (read.length >= MOST_FOREIGN || bytes > MOST_LOGS) beyond.push(name);
    else read.push({ name: home === '' ? name : `${home}/${name}`, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  const found = readForeignFiles(read);
  if (beyond.length === 0) return found;
  const most = `${MOST_FOREIGN.toLocaleString('en')} files and ${MOST_LOGS / 2 ** 20} MB`;
  return { ...found, left: [...found.left, `${beyond.length} files left out beyond ${most}, from "${beyond[0]}" on.`] };
}

async function readOwn(known: readonly FolderFile[], library: Library, options: ReadOptions): Promise<ImportedProject> {
  const { LARGEST_CONTAINER, MOST_FILES } = await import('#contract/files/container.ts');
  if (known.length > MOST_FILES)
    throw fail(
      'file-invalid',
      `This folder holds ${known.length} files of runs, and at most ${MOST_FILES} are read.`,
      'Open a part of it.',
    );
  const bytes = known.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > LARGEST_CONTAINER)
    throw fail(
      'file-invalid',
      `The runs in this folder take ${Math.round(bytes / 1e6)} MB, and at most 536 MB are read.`,
      'Open a part of it.',
    );
  const tree = new Map<string, Uint8Array>();
  for (const { name, file } of known) tree.set(name, new Uint8Array(await file.arrayBuffer()));
  const { readFiles } = await import('#storage/project.ts');
  return readFiles(library, tree, options);
}

/** What a dropped file is, by its content, not its name. Throws LabError('file-invalid'), which says what a file is that is none of ours. */
export async function readImport(file: Blob, library: Library, options: ReadOptions): Promise<Imported> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const name = nameOf(file);
  if (isZip(bytes)) return readZip(bytes, name, library, options);
  const text = new TextDecoder().decode(bytes);
  if (/"kind"\s*:\s*"policy"/.test(text)) return { kind: 'policy', policy: decodePolicyFile(text) };
  const { readForeign } = await import('#contract/foreign/read.ts');
  const runs = readForeign(bytes, text, name);
  if (runs !== null) return { kind: 'curves', read: { runs, left: [], unknown: [] } };
  const { strange } = await import('#contract/foreign/kinds.ts');
  const problem = strange(bytes, name);
  if (problem !== null) throw problem;
  return { kind: 'config', config: configOfJson(text) };
}

/** A project file, or a folder of logs that was zipped. */
async function readZip(bytes: Uint8Array, name: string, library: Library, options: ReadOptions): Promise<Imported> {
  const { isContainerFile } = await import('#contract/files/container.ts');
  const { logsOfZip } = await import('#contract/foreign/zipped.ts');
  const { names, logs } = logsOfZip(bytes, (entry) => !isContainerFile(entry) && (isLog(entry) || isTableName(entry)));
  if (!names.some(isContainerFile)) {
    if (logs.length > 0) {
      const { readForeignFiles } = await import('#contract/foreign/read.ts');
      const read = readForeignFiles(logs);
      if (read.runs.length > 0) return { kind: 'curves', read };
    }
    const { strange } = await import('#contract/foreign/kinds.ts');
    const problem = strange(bytes, name);
    if (problem !== null && names.length > 0) throw problem;
  }
  const { readProject } = await import('#storage/project.ts');
  return { kind: 'runs', ...(await readProject(library, bytes, options)) };
}
