/** The library of this page: on disk where the browser allows it, else in memory. */
import { openDisk } from './disk.ts';
import { memoryDriver } from './driver.ts';
import { hasDatabases } from './here.ts';
import { Library } from './library.ts';
import { waitingDriver } from './waiting.ts';

/** A busy machine takes seconds to open a database. */
const PATIENCE_MS = 15_000;
/** How long a connection of another tab that blocks the database may take to close, ms. */
const BLOCKED_MS = 2000;

/** What namespaces of pages begin with that keep nothing beyond their visit; no path of a page does. */
export const MEMORY_ONLY = '//memory/';

export interface StorageEvents {
  /** The disk was cleared while it was open; what is written from now on is kept again. */
  lost(): void;
  /** Another tab holds an older form of the database open. */
  blocked(): void;
  /** The disk opened after the library did; what was written meanwhile is on it. */
  opened(): void;
}

const NO_EVENTS: StorageEvents = { lost: () => {}, blocked: () => {}, opened: () => {} };

/** Never throws. A disk that does not open in time is used from the moment that it does, with all that was written before. */
export async function openLibrary(namespace: string, events: StorageEvents = NO_EVENTS): Promise<Library> {
  if (namespace.startsWith(MEMORY_ONLY) || !hasDatabases()) return new Library(memoryDriver());
  let giveUp = (): void => {};
  const patience = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  setTimeout(giveUp, PATIENCE_MS);
  const opening = openDisk(namespace, {
    lost: events.lost,
    blocked: () => {
      events.blocked();
      setTimeout(giveUp, BLOCKED_MS);
    },
  });
  try {
    return new Library((await Promise.race([opening, patience])) ?? waitingDriver(opening, events.opened));
  } catch {
    return new Library(memoryDriver()); // the browser forbids storage here; the page says so by the driver's kind
  }
}
