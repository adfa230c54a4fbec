/** Versions of the code that a person writes, newest first, on this device. Never throws: without a database they last as long as the visit. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { hasDatabases } from './here.ts';
import { MEMORY_ONLY } from './open.ts';

export interface WorldVersion {
  readonly at: number;
  readonly title: string;
  readonly code: string;
}

interface Schema extends DBSchema {
  versions: { key: number; value: WorldVersion };
}

const KEPT = 200;

export interface WorldVersions {
  list(): Promise<readonly WorldVersion[]>;
  /** Keeps a version; the newest gets the title where its code is the same, which is known only when the code has run. The oldest beyond 200 go. */
  keep(version: WorldVersion): Promise<void>;
}

export function openWorldVersions(namespace: string): WorldVersions {
  let memory: readonly WorldVersion[] = [];
  const name = `rl-workbench-worlds:${namespace}`;
  const nowhere = namespace.startsWith(MEMORY_ONLY) || !hasDatabases();
  let connection: Promise<IDBPDatabase<Schema> | null> | null = null;
  const again = (): void => {
    connection = null;
  };
  /** A connection that stood in the way of a deletion is closed, and made anew at the next use. */
  const open = (): Promise<IDBPDatabase<Schema> | null> => {
    connection ??= openDB<Schema>(name, 1, {
      upgrade: (db) => void db.createObjectStore('versions', { autoIncrement: true }),
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        again();
      },
      terminated: again,
    }).catch(() => {
      again();
      return null;
    });
    return connection;
  };
  /** Looking must not make a database where nothing was ever written. A browser that cannot say is taken to have one. */
  const exists = async (): Promise<boolean> => {
    if (nowhere) return false;
    const known = await indexedDB.databases?.().catch(() => undefined);
    return known?.some((one) => one.name === name) ?? true;
  };
  return {
    async list() {
      const db = (await exists()) ? await open() : null;
      if (db === null) return memory;
      return (await db.getAll('versions').catch(() => [...memory].reverse())).toReversed();
    },
    async keep(version) {
      const [last] = memory;
      if (last?.code === version.code && last.title === version.title) return;
      const same = last?.code === version.code;
      memory = same ? [{ ...last, title: version.title }, ...memory.slice(1)] : [version, ...memory].slice(0, KEPT);
      const db = nowhere ? null : await open();
      if (db === null) return;
      try {
        const transaction = db.transaction('versions', 'readwrite');
        const keys = await transaction.store.getAllKeys();
        const key = keys.at(-1);
        const newest = key === undefined ? undefined : await transaction.store.get(key);
        if (newest?.code === version.code) await transaction.store.put({ ...newest, title: version.title }, key);
        else {
          await transaction.store.add(version);
          for (const old of keys.slice(0, Math.max(0, keys.length + 1 - KEPT))) await transaction.store.delete(old);
        }
        await transaction.done;
      } catch {
        // a full or blocked disk: the version is kept for the visit
      }
    },
  };
}
