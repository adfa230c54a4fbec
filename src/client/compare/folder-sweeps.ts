/** Follows the sweeps of one results folder of the command line: reads what has changed, every two seconds while the page is looked at. */

import { type FolderSource, filesSource, handleSource, serverSource } from '#client/files/folder-sources.ts';
import { workers } from '#client/workers/service.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { withValues } from '#contract/sweep/sweep.ts';
import { closeFolder, type FolderSweep, folderNotRead, folderRead, folderSweepsStore, openFolder } from '#stores/folder-sweeps.ts';

/** Between two readings, ms. */
const PERIOD = 2000;

interface Held {
  readonly stamp: string;
  readonly sweep: FolderSweep;
}

/** What follows the open folder; ends when another one is opened. */
let following: AbortController | null = null;
let token = '';

async function readOne(text: string, path: string): Promise<FolderSweep> {
  const filed = await workers.answerer().openSweep(text);
  const base = await workers.complete(filed.sweep.config as JsonObject);
  const setups = filed.setups.map((setup) => ({ ...setup, config: withValues(base, setup.values) }));
  return { path, filed, setups, failure: null };
}

async function follow(source: FolderSource, signal: AbortSignal): Promise<void> {
  const held = new Map<string, Held>();
  while (!signal.aborted) {
    if (!document.hidden || held.size === 0) {
      try {
        const found = await source.list();
        for (const one of found) {
          if (held.get(one.path)?.stamp === one.stamp) continue;
          const { path, stamp } = one;
          const sweep = await source
            .read(one)
            .then((text) => readOne(text, path))
            .catch((error: unknown): FolderSweep => ({ path, filed: null, setups: [], failure: toFailure(error) }));
          held.set(path, { stamp, sweep });
        }
        if (signal.aborted) return;
        const sweeps = found.flatMap(({ path }) => held.get(path)?.sweep ?? []);
        const none =
          found.length === 0 && !source.live
            ? fail('file-invalid', 'This folder holds no sweep.', 'Open a folder that "npm run rl -- sweep FILE --out DIR" wrote.').failure
            : null;
        folderRead(sweeps, none);
      } catch (error) {
        if (signal.aborted) return;
        folderNotRead(toFailure(error)); // it is tried again
      }
    }
    if (!source.live) return;
    await new Promise((resolve) => setTimeout(resolve, PERIOD));
  }
}

function open(source: FolderSource): void {
  following?.abort();
  following = new AbortController();
  openFolder({ name: source.name, live: source.live });
  void follow(source, following.signal);
}

interface FolderPicker {
  readonly showDirectoryPicker?: (options: { readonly mode: 'read'; readonly id: string }) => Promise<FileSystemDirectoryHandle>;
}

export const folderSweeps = {
  /** The server beside this page, by the token of its link; nothing happens where it is followed already. */
  openServer(given: string): void {
    if (given === token && folderSweepsStore.getState().source !== null) return;
    token = given;
    open(serverSource(given));
  },

  /** Whether this browser can read a picked folder again while it changes. */
  canFollow: (): boolean => 'showDirectoryPicker' in globalThis,

  /** Asks for a folder and follows it; nothing happens where the person picks none. */
  async pick(): Promise<void> {
    const { showDirectoryPicker } = globalThis as FolderPicker;
    if (showDirectoryPicker === undefined) return;
    try {
      open(handleSource(await showDirectoryPicker.call(globalThis, { mode: 'read', id: 'results' })));
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return; // none was picked
      closeFolder(toFailure(error));
    }
  },

  /** The files of a folder as they are now. */
  openFiles(files: readonly File[]): void {
    open(filesSource(files));
  },

  close(): void {
    following?.abort();
    following = null;
    token = '';
    closeFolder();
  },
};
