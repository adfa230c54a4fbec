/** A driver for a disk that does not open yet: memory until it does, then the disk, with all that was written meanwhile. */
import { type Driver, memoryDriver } from './driver.ts';

/**
 * `disk` may settle at any time, or never. Calls during the move wait for its end. `moved` is called once the disk is in use. A disk that is
 * refused, or that has no room for what is held, leaves the memory in use (`kind` says so).
 */
export function waitingDriver(disk: Promise<Driver>, moved: () => void): Driver {
  const memory = memoryDriver();
  let current: Driver = memory;
  let moving: Promise<void> | null = null;
  const move = async (to: Driver): Promise<void> => {
    await memory.copyTo(to);
    current = to;
  };
  disk
    .then((to) => {
      moving = move(to);
      return moving;
    })
    .then(moved, () => {
      moving = null;
    });
  const pass = async <T>(action: (driver: Driver) => Promise<T>): Promise<T> => {
    if (moving !== null) await moving.catch(() => {}); // then the memory stays in use
    return action(current);
  };
  return {
    get kind() {
      return current.kind;
    },
    get: (table, key) => pass((driver) => driver.get(table, key)),
    put: (table, key, value) => pass((driver) => driver.put(table, key, value)),
    remove: (table, key) => pass((driver) => driver.remove(table, key)),
    all: (table, prefix) => pass((driver) => driver.all(table, prefix)),
    some: (table, after, count) => pass((driver) => driver.some(table, after, count)),
    keys: (table) => pass((driver) => driver.keys(table)),
    removeAll: (table, prefix) => pass((driver) => driver.removeAll(table, prefix)),
    writeFile: (path, ...parts) => pass((driver) => driver.writeFile(path, ...parts)),
    readFile: (path) => pass((driver) => driver.readFile(path)),
    removeFile: (path) => pass((driver) => driver.removeFile(path)),
    removeFolder: (path) => pass((driver) => driver.removeFolder(path)),
    quota: () => pass((driver) => driver.quota()),
  };
}
