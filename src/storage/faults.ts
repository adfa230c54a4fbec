/** For tests: a driver whose process is killed in the middle of one chosen write. */
import type { Driver } from './driver.ts';

/** Where in the write: nothing of it is on the disk, half of a file's bytes are, or all of it is but the answer was lost. */
export type Moment = 'before' | 'half' | 'after';
export const MOMENTS: readonly Moment[] = ['before', 'half', 'after'];

export interface Killable {
  readonly driver: Driver;
  /** Writes begun so far: put, remove, removeAll, writeFile, removeFile and removeFolder. */
  readonly writes: () => number;
  readonly dead: () => boolean;
}

/**
 * Passes everything on to `inner` (the disk, which outlives the process) until the `nth` write, counted from 1; from that moment on
 * every call is rejected, as nothing of a killed process runs on. Only files can be written by half: a record is one transaction.
 */
export function killable(inner: Driver, nth = Number.POSITIVE_INFINITY, moment: Moment = 'before', onKill = (): void => {}): Killable {
  let writes = 0;
  let dead = false;
  const killed = (): Error => new Error('the process was killed');
  const alive = <T>(action: () => Promise<T>): Promise<T> => (dead ? Promise.reject(killed()) : action());
  const write = (action: () => Promise<void>, half: () => Promise<void> = async () => {}): Promise<void> =>
    alive(async () => {
      if (++writes !== nth) return action();
      dead = true;
      if (moment === 'half') await half();
      if (moment === 'after') await action();
      onKill();
      throw killed();
    });
  return {
    writes: () => writes,
    dead: () => dead,
    driver: {
      kind: inner.kind,
      get: (table, key) => alive(() => inner.get(table, key)),
      all: (table, prefix) => alive(() => inner.all(table, prefix)),
      some: (table, after, count) => alive(() => inner.some(table, after, count)),
      keys: (table) => alive(() => inner.keys(table)),
      readFile: (path) => alive(() => inner.readFile(path)),
      quota: () => alive(() => inner.quota()),
      put: (table, key, value) => write(() => inner.put(table, key, value)),
      remove: (table, key) => write(() => inner.remove(table, key)),
      removeAll: (table, prefix) => write(() => inner.removeAll(table, prefix)),
      writeFile: (path, ...parts) =>
        write(
          () => inner.writeFile(path, ...parts),
          () => inner.writeFile(path, ...parts.map((part, i) => (i < parts.length - 1 ? part : part.subarray(0, part.length >> 1)))),
        ),
      removeFile: (path) => write(() => inner.removeFile(path)),
      removeFolder: (path) => write(() => inner.removeFolder(path)),
    },
  };
}
