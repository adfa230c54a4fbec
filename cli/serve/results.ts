/**
 * A results folder for the page that is served beside it, read-only, under two fixed paths:
 *   GET api/results               {"version":1,"name","sweeps":[{"path","stamp","bytes"}]}: folders that hold a sweep.json
 *   GET api/results/file/PATH     one file of it, of the names that the command line writes
 * Both need the token in the header X-Results-Token: the page has it from the hash of its link, which browsers send nowhere. Nothing outside
 * the folder is read, whatever the path says and wherever links in the folder lead.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createReadStream, readdirSync, realpathSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { type ListedSweep, MOST_LISTED, SWEEP_FILE, SWEEP_LEVELS } from '#contract/sweep/folder.ts';

const LIST = '/api/results';
const FILE = '/api/results/file/';
export const TOKEN_HEADER = 'x-results-token';

/** Files that are read, by name: what sweep, train and their runs write. */
const NAMES: ReadonlySet<string> = new Set([
  SWEEP_FILE,
  'sweep.csv',
  'run.json',
  'summary.json',
  'result.json',
  'curve.csv',
  'policy.json',
]);
/** Bytes of a file that is sent. */
const LARGEST = 64 * 2 ** 20;
/** Characters of a path. */
const LONGEST = 2000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether both are the same, in a time that does not tell how much of it is. */
export function sameToken(given: unknown, token: string): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}

/** Sweeps in a folder, newest first. Folders that cannot be read and links are left out. */
export function listSweeps(root: string): readonly ListedSweep[] {
  const found: (ListedSweep & { readonly modified: number })[] = [];
  const look = (folder: string, level: number): void => {
    let entries: ReturnType<typeof read>;
    try {
      entries = read(folder);
    } catch {
      return; // gone meanwhile, or not ours to read
    }
    if (entries.some((entry) => entry.isFile() && entry.name === SWEEP_FILE)) {
      const { mtimeMs, size } = statSync(join(folder, SWEEP_FILE), { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
      const path = relative(root, folder).split(sep).join('/');
      found.push({ path, stamp: `${Math.round(mtimeMs)}-${size}`, bytes: size, modified: mtimeMs });
      return; // its runs are no sweeps
    }
    if (level < SWEEP_LEVELS) for (const entry of entries) if (entry.isDirectory()) look(join(folder, entry.name), level + 1);
  };
  look(root, 0);
  return found
    .sort((a, b) => b.modified - a.modified)
    .slice(0, MOST_LISTED)
    .map(({ modified: _, ...sweep }) => sweep);
}

const read = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** The file that a path names, where it may be read; null: there is none. */
export function fileBelow(root: string, path: string): string | null {
  if (path.length > LONGEST) return null;
  let parts: readonly string[];
  try {
    parts = path.split('/').map(decodeURIComponent);
  } catch {
    return null; // a broken percent code
  }
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[/\\\0:]/.test(part))) return null;
  if (!NAMES.has(parts.at(-1) ?? '')) return null;
  try {
    // Links are followed before it is asked where they lead.
    const [home, file] = [realpathSync(root), realpathSync(join(root, ...parts))];
    if (!file.startsWith(home.endsWith(sep) ? home : home + sep) || !NAMES.has(basename(file))) return null;
    return statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}

/** Answers what stands below api/results and leaves the rest to the page's files. `folder` null: there are no results to show. */
export function resultsApi(folder: string | null, token: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const path = (request.url ?? '').split(/[?#]/, 1)[0] ?? '';
    if ((path !== LIST && !path.startsWith(`${LIST}/`)) || !['GET', 'HEAD'].includes(request.method ?? '')) return false;
    if (!sameToken(request.headers[TOKEN_HEADER], token)) {
      answer(response, 401, { message: 'The token is missing or wrong.', fix: 'Open the link that "npm run rl -- serve" prints.' });
    } else if (folder === null) {
      answer(response, 404, { message: 'No results are served.', fix: 'Start it with: npm run rl -- serve --results FOLDER.' });
    } else if (path === LIST) {
      answer(response, 200, { version: 1, name: basename(folder), sweeps: listSweeps(folder) });
    } else {
      const file = path.startsWith(FILE) ? fileBelow(folder, path.slice(FILE.length)) : null;
      if (file === null) answer(response, 404, { message: 'There is no such file.', fix: 'Reload the list.' });
      else send(file, response);
    }
    return true;
  };
}

function send(file: string, response: ServerResponse): void {
  const { size } = statSync(file);
  if (size > LARGEST) {
    answer(response, 413, { message: `This file is larger than ${LARGEST / 2 ** 20} MB.`, fix: 'Open it from the folder.' });
    return;
  }
  response.setHeader('Content-Type', file.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // It may be replaced by a longer one while it is sent: no length is promised.
  // A pipeline closes the file when the answer is cut off, and cuts the answer off when the file cannot be read.
  pipeline(createReadStream(file), response, () => {});
}
