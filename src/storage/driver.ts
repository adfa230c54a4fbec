/**
 * The little that runs, checkpoints and policies need of a disk: records by key in named tables, and files of bytes by path.
 * Keys and paths are plain ASCII with '/' between their parts; all(), removeAll() and files() work on prefixes.
 * Writing throws LabError('storage-full') when there is no room, anything throws LabError('storage-missing') when the storage has gone
 * and does not come back; the caller goes on without saving.
 */
export type Table = 'runs' | 'curves' | 'checkpoints' | 'policies' | 'datasets';
export const TABLES: readonly Table[] = ['runs', 'curves', 'checkpoints', 'policies', 'datasets'];

export interface Driver {
  readonly kind: 'disk' | 'memory';
  get(table: Table, key: string): Promise<unknown>;
  put(table: Table, key: string, value: unknown): Promise<void>;
  remove(table: Table, key: string): Promise<void>;
  /** Records whose key starts with the prefix, in key order. */
  all(table: Table, prefix?: string): Promise<readonly { readonly key: string; readonly value: unknown }[]>;
  /** At most `count` records behind this key, in key order: a long table is read in parts. */
  some(table: Table, after: string, count: number): Promise<readonly { readonly key: string; readonly value: unknown }[]>;
  /** The keys alone, in order: values may be large. */
  keys(table: Table): Promise<readonly string[]>;
  removeAll(table: Table, prefix: string): Promise<void>;
  /** These bytes, one part behind the other: whole and durable when the promise resolves. */
  writeFile(path: string, ...parts: readonly Uint8Array[]): Promise<void>;
  readFile(path: string): Promise<Uint8Array | null>;
  removeFile(path: string): Promise<void>;
  /** A folder and all in it; '' is everything. */
  removeFolder(path: string): Promise<void>;
  /** Bytes that this page may store, what it has stored included. */
  quota(): Promise<number>;
}

/** Bytes, where the browser does not say how much it gives. */
export const UNKNOWN_QUOTA = 1024 ** 3;

/** A copy of all parts, one behind the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export interface MemoryDriver extends Driver {
  /** Writes all it holds into another driver: files first, as records name them. */
  copyTo(to: Driver): Promise<void>;
}

/** Keeps everything as long as the page lives: where the browser forbids storage, and in tests. Values are cloned like on a disk. */
export function memoryDriver(): MemoryDriver {
  const tables = new Map<Table, Map<string, unknown>>(TABLES.map((table) => [table, new Map()]));
  const files = new Map<string, Uint8Array>();
  const rows = (table: Table): Map<string, unknown> => tables.get(table) as Map<string, unknown>;
  return {
    kind: 'memory',
    get: async (table, key) => structuredClone(rows(table).get(key)),
    put: async (table, key, value) => void rows(table).set(key, structuredClone(value)),
    remove: async (table, key) => void rows(table).delete(key),
    all: async (table, prefix = '') =>
      [...rows(table)]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ key, value: structuredClone(value) })),
    some: async (table, after, count) =>
      [...rows(table)]
        .filter(([key]) => key > after)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, count)
        .map(([key, value]) => ({ key, value: structuredClone(value) })),
    keys: async (table) => [...rows(table).keys()].sort(),
    removeAll: async (table, prefix) => {
      for (const key of [...rows(table).keys()]) if (key.startsWith(prefix)) rows(table).delete(key);
    },
    writeFile: async (path, ...parts) => void files.set(path, joined(parts)),
    readFile: async (path) => files.get(path)?.slice() ?? null,
    removeFile: async (path) => void files.delete(path),
    removeFolder: async (path) => {
      for (const name of [...files.keys()]) if (path === '' || name.startsWith(`${path}/`)) files.delete(name);
    },
    quota: async () => UNKNOWN_QUOTA,
    copyTo: async (to) => {
      for (const [path, bytes] of files) await to.writeFile(path, bytes);
      for (const table of TABLES) for (const [key, value] of rows(table)) await to.put(table, key, value);
    },
  };
}
