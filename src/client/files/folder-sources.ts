/**
 * Where a results folder of the command line is read from: the server that serves this page (`npm run rl -- serve --results FOLDER`), a folder
 * that a person picks and the browser lets us read again, or the files of one as they were when they were picked.
 */
import { fail } from '#contract/kit/errors.ts';
import { type Json, objectOf, readJson } from '#contract/kit/json.ts';
import { type ListedSweep, LONGEST_SWEEP_FILE, MOST_LISTED, SWEEP_FILE, SWEEP_LEVELS } from '#contract/sweep/folder.ts';

export interface FolderSource {
  readonly name: string;
  /** Whether a second reading may find more. */
  readonly live: boolean;
  /** Newest first. Rejects with a LabError. */
  list(): Promise<readonly ListedSweep[]>;
  /** Text of the sweep.json there. Rejects with a LabError. */
  read(found: ListedSweep): Promise<string>;
}

/** Entries of folders that are looked at. */
const MOST_ENTRIES = 20_000;

const unreadable = (error: unknown) =>
  fail('file-invalid', `The results folder cannot be read: ${error instanceof Error ? error.message : String(error)}.`, 'Open it again.');

function bounded(bytes: number): void {
  if (bytes > LONGEST_SWEEP_FILE)
    throw fail('file-invalid', `This ${SWEEP_FILE} is larger than 16 MB.`, 'Open the folder of another sweep.');
}

/** The server beside this page. `token`: of the link that it printed. */
export function serverSource(token: string): FolderSource {
  const ask = async (path: string): Promise<string> => {
    let response: Response;
    try {
      response = await fetch(new URL(`api/results${path}`, document.baseURI), { headers: { 'X-Results-Token': token }, cache: 'no-store' });
    } catch {
      throw fail(
        'file-invalid',
        'The server of the results does not answer.',
        'It is asked again; is "npm run rl -- serve" still running?',
      );
    }
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 401)
      throw fail('file-invalid', 'The server does not take this link.', 'Open the newest link that "npm run rl -- serve" has printed.');
    throw fail('file-invalid', `The server answers ${response.status}.`, 'Serve the folder with: npm run rl -- serve --results FOLDER.');
  };
  return {
    name: 'the served folder',
    live: true,
    async list() {
      let json: Json;
      try {
        json = readJson(await ask(''));
      } catch (error) {
        if (error instanceof SyntaxError) throw unreadable(error);
        throw error;
      }
      const { sweeps } = objectOf(json);
      if (!Array.isArray(sweeps)) throw unreadable('the server is of another version');
      return sweeps.slice(0, MOST_LISTED).flatMap((sweep: Json): ListedSweep[] => {
        const { path, stamp, bytes } = objectOf(sweep);
        return typeof path === 'string' && typeof stamp === 'string' && typeof bytes === 'number' ? [{ path, stamp, bytes }] : [];
      });
    },
    read({ path, bytes }) {
      bounded(bytes);
      const parts = path === '' ? [SWEEP_FILE] : [...path.split('/'), SWEEP_FILE];
      return ask(`/file/${parts.map(encodeURIComponent).join('/')}`);
    },
  };
}

interface FoundFile extends ListedSweep {
  readonly modified: number;
  readonly text: () => Promise<string>;
}

function ofFiles(name: string, live: boolean, files: () => Promise<readonly FoundFile[]>): FolderSource {
  let last: readonly FoundFile[] = [];
  return {
    name,
    live,
    async list() {
      try {
        last = (await files()).toSorted((a, b) => b.modified - a.modified).slice(0, MOST_LISTED);
      } catch (error) {
        throw unreadable(error);
      }
      return last;
    },
    async read({ path, bytes }) {
      bounded(bytes);
      const file = last.find((one) => one.path === path);
      if (file === undefined) throw unreadable('the file is gone');
      try {
        return await file.text();
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

const foundFile = (path: string, file: File): FoundFile => ({
  path,
  stamp: `${file.lastModified}-${file.size}`,
  bytes: file.size,
  modified: file.lastModified,
  text: () => file.text(),
});

/** Files of a folder as an input gives them: as they are now. */
export function filesSource(files: readonly File[]): FolderSource {
  const name = files[0]?.webkitRelativePath.split('/')[0] ?? 'folder';
  const found = files.flatMap((file) => {
    const parts = file.webkitRelativePath.split('/').slice(1, -1);
    return file.name === SWEEP_FILE && parts.length <= SWEEP_LEVELS ? [foundFile(parts.join('/'), file)] : [];
  });
  return ofFiles(name, false, () => Promise.resolve(found));
}

/** A folder that the browser lets us read again. */
export function handleSource(home: FileSystemDirectoryHandle): FolderSource {
  return ofFiles(home.name, true, async () => {
    const found: FoundFile[] = [];
    let looked = 0;
    const look = async (folder: FileSystemDirectoryHandle, path: readonly string[]): Promise<void> => {
      const below: FileSystemDirectoryHandle[] = [];
      let file: FileSystemFileHandle | null = null;
      for await (const entry of folder.values()) {
        if (++looked > MOST_ENTRIES) break;
        if (entry.kind === 'directory') below.push(entry);
        else if (entry.name === SWEEP_FILE) file = entry;
      }
      if (file !== null) found.push(foundFile(path.join('/'), await file.getFile()));
      else if (path.length < SWEEP_LEVELS) for (const one of below) await look(one, [...path, one.name]);
    };
    await look(home, []);
    return found;
  });
}
