/** Opening what others sent: a link typed or pasted, files and folders chosen or dropped. */

import { files } from '#client/files/service.ts';
import { links } from '#client/links/service.ts';
import { isLog, isTableName } from '#contract/foreign/names.ts';
import type { FolderFile } from '#contract/session/opened.ts';
import { layoutStore } from '#stores/layout.ts';
import { toast } from '#ui/kit/toasts.ts';

/** Asks for files and opens them; any file, because event files of TensorBoard have no extension. */
export function openAnything(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => void openFiles([...(input.files ?? [])].map((file) => ({ name: file.name, file }))));
  input.click();
}

const MAY_BE_A_MODEL = /\.bin$/i;
const MAY_BE_A_ROBOT = /\.(xml|mjcf|urdf|zip)$/i;
/** Sentences on what was left out that a toast holds; all of them stand in the notes of the runs. */
const MOST_SAID = 4;

export async function openFile(file: File): Promise<void> {
  try {
    if (MAY_BE_A_ROBOT.test(file.name)) {
      // Its reader is loaded when such a file comes.
      const { bringRobot, holdsRobot } = await import('#ui/form/robot/bring.ts');
      if (await holdsRobot(file)) {
        await bringRobot(file);
        return;
      }
    }
    if (MAY_BE_A_MODEL.test(file.name)) {
      const { bringModel, isModelFile } = await import('#ui/own-model/bring.ts');
      if (await isModelFile(file)) {
        await bringModel(file);
        return;
      }
    }
    say(`${file.name} opened.`, await files.open(file));
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { tone: 'caution' });
  }
}

/** `said`: how many runs, then what was left out of them. What is wrong with a file stands in a dialog by now. */
function say(opened: string, [counted, ...left]: readonly string[]): void {
  if (layoutStore.getState().linkFailure !== null) return;
  const more = left.length > MOST_SAID ? [`And ${left.length - MOST_SAID} more: see the notes of the runs.`] : [];
  const text = [counted ?? opened, ...left.slice(0, MOST_SAID), ...more].join(' ');
  toast(text, left.length > 0 ? { tone: 'caution' } : {});
}

/**
 * Opens all of several files, and of folders the files in them, whose names begin with that of their folder. Logs are read together, since what
 * belongs to one run may lie in several files; every other file is opened by itself, in this order.
 */
async function openFiles(entries: readonly FolderFile[]): Promise<void> {
  const [only] = entries;
  if (entries.length === 1 && only?.file instanceof File && !only.name.includes('/')) return openFile(only.file);
  const together: FolderFile[] = [];
  for (const entry of entries) {
    const { name, file } = entry;
    if (name.includes('/') || isLog(name) || isTableName(name)) together.push(entry);
    else if (file instanceof File) await openFile(file);
  }
  if (together.length === 0) return;
  const folders = new Set(together.map(({ name }) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '')));
  const [home = ''] = folders;
  if (folders.size === 1 && home !== '')
    await openFolder(
      home,
      together.map(({ name, file }) => ({ name: name.slice(home.length + 1), file })),
    );
  else await openFolder('', together);
}

/** Asks for a folder and opens the runs in it. */
export function openAnyFolder(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.setAttribute('webkitdirectory', '');
  input.addEventListener('change', () => {
    const chosen = [...(input.files ?? [])];
    const title = chosen[0]?.webkitRelativePath.split('/')[0] ?? 'folder';
    const named = chosen.map((file) => ({ name: file.webkitRelativePath.split('/').slice(1).join('/'), file }));
    if (chosen.length > 0) void openFolder(title, named);
  });
  input.click();
}

async function openFolder(home: string, entries: readonly FolderFile[]): Promise<void> {
  say(home === '' ? `${entries.length} files opened.` : `${home} opened.`, await files.openFolder(home, entries));
}

/** Files of dropped folders that are looked at. */
const MOST_DROPPED = 50_000;

/** Opens all files that were dropped, and the runs of all folders. */
export async function openDropped(dropped: readonly (FileSystemEntry | File)[]): Promise<void> {
  const found: FolderFile[] = [];
  let all = true;
  const take = async (entry: FileSystemEntry, path: string): Promise<void> => {
    if (found.length >= MOST_DROPPED) {
      all = false;
      return;
    }
    if (!entry.isDirectory) {
      const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
      found.push({ name: path, file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader gives some entries at a time, and none when it has given all.
    for (let some: readonly FileSystemEntry[] = [entry]; some.length > 0 && all; ) {
      some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      for (const one of some) await take(one, `${path}/${one.name}`);
    }
  };
  for (const one of dropped) {
    try {
      if (one instanceof File) found.push({ name: one.name, file: one });
      else await take(one, one.name);
    } catch (error) {
      toast(`${one.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { tone: 'caution' });
    }
  }
  if (!all) toast(`Only the first ${MOST_DROPPED.toLocaleString('en')} files were looked at.`, { tone: 'caution' });
  if (found.length > 0) await openFiles(found);
  else if (dropped.length > 0) toast('There is no file in what was dropped.', { tone: 'caution' });
}

/** Opens files that the system hands over. */
export const openGiven = (given: readonly File[]): Promise<void> => openFiles(given.map((file) => ({ name: file.name, file })));

/** Takes a whole address or only what follows the #. */
export async function openLinkText(text: string): Promise<boolean> {
  const at = text.indexOf('#');
  const hash = at < 0 ? `#${text.trim()}` : text.slice(at).trim();
  return links.open(hash);
}
