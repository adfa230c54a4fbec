/** Is a build older than its sources? Shared by `npm start`, `npm run rl` and the benchmarks. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Newest modification time (ms) below these files and folders; tests and missing paths do not count. */
export function newestChange(paths) {
  let newest = 0;
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) continue;
    if (stat.isDirectory()) {
      for (const entry of readdirSync(path)) {
        if (entry === 'node_modules' || entry === 'results' || entry.includes('.test.')) continue;
        newest = Math.max(newest, newestChange([join(path, entry)]));
      }
      // A deleted file changes only its folder.
      newest = Math.max(newest, stat.mtimeMs);
    } else {
      newest = Math.max(newest, stat.mtimeMs);
    }
  }
  return newest;
}

/** Modification time of one file (ms), 0 when it is not there. */
export function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
