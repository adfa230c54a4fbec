/** Files out and in: curves as CSV, a run as JSON, a policy, a project; and whatever of these a person drops on the page. */

import { heldPolicies, newestPolicy } from '#client/runs/policies.ts';
import { curveColumns, toRunFile } from '#client/runs/run-persistence.ts';
import { curvesToCsv } from '#contract/curves-csv.ts';
import { fail } from '#contract/errors.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { configOfJson, decodePolicyFile, encodePolicyFile, type ProjectLayout } from '#contract/files.ts';
import type { ForeignRun } from '#contract/foreign/read.ts';
import type { JsonObject } from '#contract/json.ts';
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
  | { readonly kind: 'curves'; readonly runs: readonly ForeignRun[] }
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

/** The runs in a folder that the command line wrote, or that a project file was unpacked into. Throws LabError('file-invalid'). */
export async function readFolder(files: readonly FolderFile[], library: Library, options: ReadOptions): Promise<ImportedProject> {
  const { isContainerFile, LARGEST_CONTAINER, MOST_FILES } = await import('#contract/container.ts');
  const known = files.filter(({ name }) => isContainerFile(name));
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

/** What a dropped file is, by its content, not its name. Throws LabError('file-invalid'). */
export async function readImport(file: Blob, library: Library, options: ReadOptions): Promise<Imported> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const { readProject } = await import('#storage/project.ts');
    return { kind: 'runs', ...(await readProject(library, bytes, options)) };
  }
  const text = new TextDecoder().decode(bytes);
  if (/"kind"\s*:\s*"policy"/.test(text)) return { kind: 'policy', policy: decodePolicyFile(text) };
  const { readForeign } = await import('#contract/foreign/read.ts');
  const foreign = readForeign(bytes, text, nameOf(file));
  if (foreign !== null) return { kind: 'curves', runs: foreign };
  return { kind: 'config', config: configOfJson(text) };
}
