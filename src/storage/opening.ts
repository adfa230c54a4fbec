/**
 * What a file is that a person opens, or the files of a folder: unpacked, parsed and checked, and nothing is written. Workers do it: a file may be
 * made to take long.
 */
import { isContainerFile, LARGEST_CONTAINER, MOST_FILES, unzipContainer } from '#contract/files/container.ts';
import { configOfJson, decodePolicyFile } from '#contract/files/files.ts';
import { isLog, isTableName } from '#contract/foreign/names.ts';
import type { ForeignFile, ForeignRead } from '#contract/foreign/read.ts';
import { fail } from '#contract/kit/errors.ts';
import { isZip } from '#contract/kit/zip.ts';
import type { Bytes, FolderFile, Opened, OpenedFolder, OpenedProject } from '#contract/session/opened.ts';
import { decodeProject } from './project.ts';

/** Bytes of the logs of one folder. */
const MOST_LOGS = 512 * 1024 * 1024;

/**
 * The runs in a folder that the command line wrote or a project file was unpacked into, and the logs of other programs in it. `home`: the name of
 * the folder, '' where there are several, whose names stand in those of the files. Throws LabError('file-invalid') where there is neither.
 */
export async function openFolder(home: string, files: readonly FolderFile[]): Promise<OpenedFolder> {
  const known = files.filter(({ name }) => isContainerFile(name));
  const ours = known.some(({ name }) => /(^|\/)(project|run)\.json$/.test(name));
  const logs = files.filter(({ name }) => !isContainerFile(name) && (isLog(name) || (!ours && isTableName(name))));
  if (logs.length === 0 && !ours)
    throw fail(
      'file-invalid',
      files.length === 0 ? 'This folder is empty.' : `There is no run here, only ${endings(files)}.`,
      'Choose a folder that train --out has written, one with event files of TensorBoard, progress.csv or monitor.csv, or open a single file.',
    );
  const curves = logs.length === 0 ? null : await readLogs(home, logs);
  const project = ours ? await readOwn(known) : null;
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

async function readOwn(known: readonly FolderFile[]): Promise<OpenedProject> {
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
  return decodeProject(tree);
}

/** What a file is, by its content, not its name. Throws LabError('file-invalid'), which says what a file is that is none of ours. */
export async function openFile(file: Bytes, name: string): Promise<Opened> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isZip(bytes)) return readZip(bytes, name);
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
async function readZip(bytes: Uint8Array, name: string): Promise<Opened> {
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
  return { kind: 'runs', ...decodeProject(unzipContainer(bytes)) };
}
