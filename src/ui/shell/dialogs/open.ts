/** Opening what others sent: a link typed or pasted, a file chosen or dropped. */
import type { FolderFile } from '#client/files/exports.ts';
import { files } from '#client/files/service.ts';
import { links } from '#client/links/service.ts';
import { layoutStore } from '#stores/layout.ts';
import { toast } from '#ui/kit/toasts.ts';

/** Asks for a file and opens it; any file, because event files of TensorBoard have no extension. */
export function openAnything(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void openFile(file);
  });
  input.click();
}

const MAY_BE_A_ROBOT = /\.(xml|mjcf|urdf|zip)$/i;

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
    await files.open(file);
    // What is wrong with a file stands in a dialog by now.
    if (layoutStore.getState().linkFailure === null) toast(`${file.name} opened.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { tone: 'caution' });
  }
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

async function openFolder(title: string, entries: readonly FolderFile[]): Promise<void> {
  await files.openFolder(title, entries);
  if (layoutStore.getState().linkFailure === null) toast(`${title} opened.`);
}

/** Files of a dropped folder that are looked at. */
const MOST_DROPPED = 50_000;

/** Opens the runs of a folder that was dropped. */
export async function openDropped(folder: FileSystemDirectoryEntry): Promise<void> {
  const found: FolderFile[] = [];
  const look = async (directory: FileSystemDirectoryEntry, path: string): Promise<void> => {
    const reader = directory.createReader();
    // A reader gives some entries at a time, and none when it has given all.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0 || found.length > MOST_DROPPED) return;
      for (const entry of some) {
        const name = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory) await look(entry as FileSystemDirectoryEntry, name);
        else {
          const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
          found.push({ name, file });
        }
      }
    }
  };
  try {
    await look(folder, '');
  } catch (error) {
    toast(`${folder.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { tone: 'caution' });
    return;
  }
  await openFolder(folder.name, found);
}

/** Takes a whole address or only what follows the #. */
export async function openLinkText(text: string): Promise<boolean> {
  const at = text.indexOf('#');
  const hash = at < 0 ? `#${text.trim()}` : text.slice(at).trim();
  return links.open(hash);
}
