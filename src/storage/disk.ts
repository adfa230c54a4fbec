/**
 * The browser's disk: records in IndexedDB, files in the origin-private file system (synchronous handles in workers), or in
 * IndexedDB too where that is missing. One namespace per address of the page, so that two copies on one host do not mix.
 */
import { type IDBPDatabase, openDB } from 'idb';
import { fail } from '#contract/errors.ts';
import { type Driver, TABLES, type Table } from './driver.ts';

const FILES = 'files';
const RETRY_MS = 200;

/** One step per released version of the database; each brings an older database to that version. */
const MIGRATIONS: readonly ((db: IDBPDatabase) => void)[] = [
  (db) => {
    for (const table of [...TABLES, FILES]) db.createObjectStore(table);
  },
];

function isFull(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'QuotaExceededError' || error.name === 'NS_ERROR_DOM_QUOTA_REACHED');
}

/** Runs a write; a full disk becomes the failure that callers know. */
async function writing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!isFull(error)) throw error;
    throw fail(
      'storage-full',
      'The browser gives this page no more room, so saving is paused. Training goes on.',
      'Delete or export old runs on the storage page.',
    );
  }
}

function prefixRange(prefix: string): IDBKeyRange | undefined {
  return prefix === '' ? undefined : IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}

/** Throws if the browser forbids storage here; the caller then keeps things in memory. */
export async function openDisk(namespace: string): Promise<Driver> {
  const name = `rl-workbench:${namespace}`;
  const db = await openDB(name, MIGRATIONS.length, {
    upgrade: (database, from) => {
      for (const step of MIGRATIONS.slice(from)) step(database);
    },
    // A newer page wants to migrate: let go, so that it can.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  const files = (await originFiles(namespace)) ?? databaseFiles(db);
  return {
    kind: 'disk',
    get: (table, key) => db.get(table, key),
    put: (table, key, value) => writing(async () => void (await db.put(table, value, key))),
    remove: (table, key) => db.delete(table, key),
    all: async (table, prefix = '') => {
      const store = db.transaction(table).store;
      const [keys, values] = await Promise.all([store.getAllKeys(prefixRange(prefix)), store.getAll(prefixRange(prefix))]);
      return keys.map((key, i) => ({ key: String(key), value: values[i] as unknown }));
    },
    removeAll: async (table: Table, prefix) => {
      const range = prefixRange(prefix);
      await (range === undefined ? db.clear(table) : db.delete(table, range));
    },
    ...files,
  };
}

type Files = Pick<Driver, 'writeFile' | 'readFile' | 'removeFile' | 'removeFolder'>;

function databaseFiles(db: IDBPDatabase): Files {
  return {
    writeFile: (path, bytes) => writing(async () => void (await db.put(FILES, bytes.slice(), path))),
    readFile: async (path) => ((await db.get(FILES, path)) as Uint8Array | undefined) ?? null,
    removeFile: (path) => db.delete(FILES, path),
    removeFolder: async (path) => {
      const range = prefixRange(path === '' ? '' : `${path}/`);
      await (range === undefined ? db.clear(FILES) : db.delete(FILES, range));
    },
  };
}

/** Present in dedicated workers only; the DOM's types do not know it. */
interface SyncHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  flush(): void;
  close(): void;
}
type MaybeSync = FileSystemFileHandle & { createSyncAccessHandle?: () => Promise<SyncHandle> };

async function originFiles(namespace: string): Promise<Files | null> {
  let home: FileSystemDirectoryHandle;
  try {
    const root = await navigator.storage.getDirectory();
    home = await root.getDirectoryHandle(`rl-workbench${namespace.replaceAll('/', '~')}`, { create: true });
    const probe = (await home.getFileHandle('probe', { create: true })) as MaybeSync;
    if (probe.createSyncAccessHandle === undefined && !('createWritable' in probe)) return null;
  } catch {
    return null; // no such file system here: some private windows and old browsers
  }

  const folder = async (parts: readonly string[], create: boolean): Promise<FileSystemDirectoryHandle> => {
    let at = home;
    for (const part of parts) at = await at.getDirectoryHandle(part, { create });
    return at;
  };
  /** A worker that was just killed may hold a file for a moment longer. */
  const patiently = async (action: () => Promise<void>, tries = 5): Promise<void> => {
    try {
      await quiet(action);
    } catch (error) {
      if (tries <= 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      await patiently(action, tries - 1);
    }
  };
  const quiet = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
    }
  };
  return {
    writeFile: (path, bytes) =>
      writing(async () => {
        const parts = path.split('/');
        const name = parts.pop() as string;
        const handle = (await (await folder(parts, true)).getFileHandle(name, { create: true })) as MaybeSync;
        if (handle.createSyncAccessHandle === undefined) {
          const stream = await handle.createWritable();
          await stream.write(bytes as Uint8Array<ArrayBuffer>);
          await stream.close();
          return;
        }
        const sync = await handle.createSyncAccessHandle();
        try {
          sync.truncate(0);
          if (sync.write(bytes, { at: 0 }) !== bytes.length) throw new DOMException('The disk took only a part.', 'QuotaExceededError');
          sync.flush();
        } finally {
          sync.close();
        }
      }),
    readFile: async (path) => {
      const parts = path.split('/');
      const name = parts.pop() as string;
      try {
        const file = await (await (await folder(parts, false)).getFileHandle(name)).getFile();
        return new Uint8Array(await file.arrayBuffer());
      } catch (error) {
        if (error instanceof DOMException && error.name === 'NotFoundError') return null;
        throw error;
      }
    },
    removeFile: (path) =>
      quiet(async () => {
        const parts = path.split('/');
        const name = parts.pop() as string;
        await (await folder(parts, false)).removeEntry(name);
      }),
    removeFolder: (path) =>
      patiently(async () => {
        if (path === '') {
          const names: string[] = [];
          for await (const name of (home as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
          for (const name of names) await home.removeEntry(name, { recursive: true });
          return;
        }
        const parts = path.split('/');
        const name = parts.pop() as string;
        await (await folder(parts, false)).removeEntry(name, { recursive: true });
      }),
  };
}
