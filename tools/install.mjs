/**
 * Installs the dependencies (npm ci) when node_modules is missing or differs from the lock. Uses only what a bare Node has.
 * Imported by `npm start` and the command line; .ci/run calls it as a script.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Whether everything in the lock that this platform needs is installed in that very version. */
function installed() {
  const here = packagesOf('node_modules/.package-lock.json');
  const wanted = packagesOf('package-lock.json');
  if (!here || !wanted) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    const got = here[path]?.version;
    return got === version || (got === undefined && (optional || devOptional));
  });
}

export function ensureInstalled() {
  if (installed()) return;
  console.error('installing dependencies (npm ci) …');
  const windows = process.platform === 'win32';
  const { status } = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 2, 2], shell: windows });
  if (status !== 0) process.exit(status ?? 1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ensureInstalled();
