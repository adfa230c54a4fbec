/**
 * The library of this page: on disk where the browser allows it, else in memory. Never throws. `onLost`: the disk was cleared while it
 * was open; what is written from now on is kept again.
 */

import { openDisk } from './disk.ts';
import { memoryDriver } from './driver.ts';
import { Library } from './library.ts';

/** A busy machine takes seconds to open a database; one that is blocked never does. */
const PATIENCE_MS = 15_000;

/** What namespaces of pages begin with that keep nothing beyond their visit; no path of a page does. */
export const MEMORY_ONLY = '//memory/';

export async function openLibrary(namespace: string, onLost: () => void = () => {}): Promise<Library> {
  if (namespace.startsWith(MEMORY_ONLY) || typeof indexedDB === 'undefined') return new Library(memoryDriver());
  try {
    // An open request can hang for ever behind a blocked upgrade: working in memory beats waiting.
    const patience = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), PATIENCE_MS));
    return new Library(await Promise.race([openDisk(namespace, onLost), patience]));
  } catch {
    return new Library(memoryDriver());
  }
}
