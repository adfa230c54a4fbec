/**
 * What a bare Node needs before anything else runs: the dependencies (npm ci), and for the tests a browser and a queue's server. Uses only what
 * a bare Node has. `npm start` and the command line ask for the dependencies, tools/test.mjs for all of it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findBrowser, HOW_TO_GET_ONE, onPath } from './browser.mjs';

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

/** Why this Node cannot be used, or null. */
export const nodeProblem = (version = process.versions.node) =>
  Number(version.split('.')[0]) < 20 ? `Node 20 or later is needed, this is ${version}.` : null;

export function ensureInstalled() {
  if (installed()) return;
  console.error('installing dependencies (npm ci) …');
  const windows = process.platform === 'win32';
  const { status } = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 2, 2], shell: windows });
  if (status !== 0) process.exit(status ?? 1);
}

/** For so long another installation on this machine is waited for, s. */
const LOCK_S = 300;

/**
 * Installs packages of Debian or Ubuntu, as root or where sudo asks for no password; a list of packages that is missing or old is fetched.
 * Answers null, or why it was not possible.
 */
export function aptInstall(packages, run = spawnSync) {
  if (!onPath('apt-get')) return 'There is no apt-get here.';
  const root = process.getuid?.() === 0;
  if (!root && !onPath('sudo')) return 'apt-get needs root, and there is no sudo here.';
  const apt = (...args) => {
    const all = [...(root ? ['apt-get'] : ['sudo', '-n', 'apt-get']), '-q', '-o', `DPkg::Lock::Timeout=${LOCK_S}`, ...args];
    return run(all[0], all.slice(1), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 2 * LOCK_S * 1000,
    });
  };
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  const first = install();
  if (first.status === 0) return null;
  const update = apt('update');
  const second = update.status === 0 ? install() : update;
  if (second.status === 0) return null;
  const said = String(second.stderr ?? '').trim() || String(second.error ?? '');
  return `apt-get could not install ${packages.join(' ')}:\n${said}`;
}

/**
 * Path of a browser, which is installed where there is none and apt-get is here; null where that is impossible, with the reason and what to do
 * on stderr. A CHROMIUM_PATH that names no browser is a mistake to be told, and nothing is installed.
 */
export async function ensureBrowser({ find = findBrowser, install = aptInstall, say = console.error } = {}) {
  const found = await find();
  if (found !== null) return found;
  if (process.env.CHROMIUM_PATH) {
    say(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which cannot be run.`);
    return null;
  }
  say('installing a browser (apt-get install chromium) …');
  const problem = install(['chromium', 'libvulkan1']);
  const browser = problem === null ? await find() : null;
  if (browser === null) say(`${problem ?? 'apt-get installed chromium, and no browser can be run.'}\n${HOW_TO_GET_ONE}`);
  return browser;
}

/** The queue's tests need one; without it they are skipped by name. */
export function ensureRedis({ has = onPath, install = aptInstall, say = console.error } = {}) {
  if (has('redis-server')) return;
  say('installing redis-server (apt-get) …');
  const problem = install(['redis-server']);
  if (problem !== null) say(`${problem}\nThe tests of the queue will be skipped.`);
}
