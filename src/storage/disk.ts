/**
 * The browser's disk: records in IndexedDB, files in the origin-private file system (synchronous handles in workers), or in
 * IndexedDB too where that is missing. One namespace per address of the page, so that two copies on one host do not mix.
 */
import { type IDBPDatabase, openDB } from 'idb';
import { fail, type LabError } from '#contract/kit/errors.ts';
import { type Driver, joined, type Table, UNKNOWN_QUOTA } from './driver.ts';

const FILES = 'files';
const RETRY_MS = 200;
/** Stands before every run id in the order of keys. */
const ID_KEY = '!database';

/** One step per released version of the database; each brings an older database to that version. */
const MIGRATIONS: readonly ((db: IDBPDatabase) => void)[] = [
  (db) => {
    for (const table of ['runs', 'curves', 'checkpoints', 'policies', FILES]) db.createObjectStore(table);
  },
  (db) => void db.createObjectStore('datasets'),
];

function isFull(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'QuotaExceededError' || error.name === 'NS_ERROR_DOM_QUOTA_REACHED');
}

/** A full disk becomes the failure that callers know. */
function full(): LabError {
  return fail(
    'storage-full',
    'The browser gives this page no more room, so saving is paused. Training goes on.',
    'Delete or export old runs on the storage page.',
  );
}

async function writing<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isFull(error) ? full() : error;
  }
}

/** What a request says whose database was closed under it: by the browser, or because this site's data was cleared. */
const GONE: readonly string[] = ['InvalidStateError', 'AbortError', 'NotFoundError', 'UnknownError'];

export interface DiskEvents {
  /** All that was stored has gone. */
  lost(): void;
  /** A connection of another tab keeps the database from opening; it opens once that one is closed. */
  blocked(): void;
}

/**
 * One connection, opened again when it was closed. A database that was deleted meanwhile comes back empty: it is known by its id, and
 * `lost` is called, so that what is still held elsewhere can be written again.
 */
class Connection {
  private readonly name: string;
  private readonly events: DiskEvents;
  private current: Promise<IDBPDatabase> | null = null;
  private id = '';

  constructor(name: string, events: DiskEvents) {
    this.name = name;
    this.events = events;
  }

  /** Throws what the browser says if it forbids storage here. */
  open(): Promise<IDBPDatabase> {
    this.current ??= this.connect().catch((error: unknown) => {
      this.current = null;
      throw error;
    });
    return this.current;
  }

  /** Once more on a new connection where the old one has gone. */
  async use<T>(action: (db: IDBPDatabase) => Promise<T>): Promise<T> {
    for (let left = 2; ; left--) {
      try {
        return await action(await this.open());
      } catch (error) {
        if (isFull(error)) throw full();
        if (!(error instanceof DOMException && GONE.includes(error.name))) throw error;
        this.current = null;
        if (left > 0) continue;
        throw fail(
          'storage-missing',
          `The browser took this page's storage away (${error.name}).`,
          'Export your runs, then reload the page.',
        );
      }
    }
  }

  private async connect(): Promise<IDBPDatabase> {
    const db = await openDB(this.name, MIGRATIONS.length, {
      upgrade: (database, from) => {
        for (const step of MIGRATIONS.slice(from)) step(database);
      },
      blocked: () => this.events.blocked(),
      // A newer page wants to migrate, or the data is being deleted: let go, and see what is left.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        this.comeBack();
      },
      terminated: () => this.comeBack(),
    }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'VersionError')) throw error;
      throw fail('storage-missing', 'A newer version of this page has taken over its storage.', 'Reload this page.');
    });
    const id = await idOf(db);
    const lost = this.id !== '' && this.id !== id;
    this.id = id;
    if (lost) this.events.lost();
    return db;
  }

  private comeBack(): void {
    this.current = null;
    // The next write reports a storage that stays away.
    setTimeout(() => void this.open().catch(() => {}), RETRY_MS);
  }
}

/** Of this database, since it was made: a new one at the same name has another. */
async function idOf(db: IDBPDatabase): Promise<string> {
  const known: unknown = await db.get(FILES, ID_KEY);
  if (typeof known === 'string') return known;
  const tx = db.transaction(FILES, 'readwrite');
  const meanwhile: unknown = await tx.store.get(ID_KEY); // another tab or worker may have been first
  const id = typeof meanwhile === 'string' ? meanwhile : crypto.getRandomValues(new Uint32Array(4)).join('-');
  if (meanwhile !== id) await tx.store.put(id, ID_KEY);
  await tx.done;
  return id;
}

function prefixRange(prefix: string): IDBKeyRange | undefined {
  return prefix === '' ? undefined : IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}

async function records(db: IDBPDatabase, table: Table, range: IDBKeyRange | undefined, count?: number) {
  const { store } = db.transaction(table);
  const [keys, values] = await Promise.all([store.getAllKeys(range, count), store.getAll(range, count)]);
  return keys.map((key, i) => ({ key: String(key), value: values[i] as unknown }));
}

/** Throws if the browser forbids storage here; the caller then keeps things in memory. */
export async function openDisk(namespace: string, events: DiskEvents): Promise<Driver> {
  const connection = new Connection(`rl-workbench:${namespace}`, events);
  await connection.open();
  const files = (await originFiles(namespace)) ?? databaseFiles(connection);
  return {
    kind: 'disk',
    get: (table, key) => connection.use((db) => db.get(table, key)),
    put: (table, key, value) =>
      connection.use(async (db) => {
        // The record of a checkpoint decides which file counts, and the file it names no more is written over next: it must be on the
        // disk before that, which browsers promise of strict transactions only.
        const transaction = db.transaction(table, 'readwrite', { durability: table === 'checkpoints' ? 'strict' : 'default' });
        await Promise.all([transaction.store.put(value, key), transaction.done]);
      }),
    remove: (table, key) => connection.use((db) => db.delete(table, key)),
    all: (table, prefix = '') => connection.use((db) => records(db, table, prefixRange(prefix))),
    some: (table, after, count) => connection.use((db) => records(db, table, IDBKeyRange.lowerBound(after, true), count)),
    keys: (table) => connection.use(async (db) => (await db.getAllKeys(table)).map(String)),
    removeAll: (table: Table, prefix) =>
      connection.use(async (db) => {
        const range = prefixRange(prefix);
        await (range === undefined ? db.clear(table) : db.delete(table, range));
      }),
    ...files,
    quota: async () => (await navigator.storage?.estimate?.())?.quota ?? UNKNOWN_QUOTA,
  };
}

type Files = Pick<Driver, 'writeFile' | 'readFile' | 'removeFile' | 'removeFolder'>;

function databaseFiles(connection: Connection): Files {
  return {
    writeFile: (path, ...parts) => connection.use(async (db) => void (await db.put(FILES, joined(parts), path))),
    readFile: (path) => connection.use(async (db) => ((await db.get(FILES, path)) as Uint8Array | undefined) ?? null),
    removeFile: (path) => connection.use((db) => db.delete(FILES, path)),
    // Everything: from the first letter of a run id on, so that the database keeps its own id.
    removeFolder: (path) =>
      connection.use((db) => db.delete(FILES, path === '' ? IDBKeyRange.lowerBound('0') : IDBKeyRange.bound(`${path}/`, `${path}/\uffff`))),
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
  const enter = async (): Promise<FileSystemDirectoryHandle> =>
    (await navigator.storage.getDirectory()).getDirectoryHandle(`rl-workbench${namespace.replaceAll('/', '~')}`, { create: true });
  let home: FileSystemDirectoryHandle;
  try {
    home = await enter();
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
  /** This site's data may have been cleared: the folder is then made anew. */
  const create = async (parts: readonly string[], name: string): Promise<MaybeSync> => {
    const make = async (): Promise<MaybeSync> => (await folder(parts, true)).getFileHandle(name, { create: true });
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
      home = await enter();
      return make();
    }
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
    writeFile: (path, ...written) =>
      writing(async () => {
        const parts = path.split('/');
        const name = parts.pop() as string;
        const handle = await create(parts, name);
        if (handle.createSyncAccessHandle === undefined) {
          const stream = await handle.createWritable();
          for (const bytes of written) await stream.write(bytes as Uint8Array<ArrayBuffer>);
          await stream.close();
          return;
        }
        const sync = await handle.createSyncAccessHandle();
        try {
          sync.truncate(0);
          let at = 0;
          for (const bytes of written) {
            if (sync.write(bytes, { at }) !== bytes.length) throw new DOMException('The disk took only a part.', 'QuotaExceededError');
            at += bytes.length;
          }
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
