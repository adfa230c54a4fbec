/**
 * What of the page is on this device. The service worker keeps most of it at the first visit and the rest when it is used; everything else is fetched here
 * where a person asks for it. Files and their bytes stand in offline.json, which the build writes (tools/offline.ts); caches and their patterns in
 * vite.config.ts.
 */

import { serviceWorkers } from '#client/workers/offline-worker.ts';
import { fail } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';

export interface OfflineReport {
  /** Bytes of all files of the page, and of those that are not here. */
  readonly total: number;
  readonly missing: number;
  /** Whether this browser can keep the page at all. */
  readonly possible: boolean;
}

/** A thing that can be kept by itself: worlds to watch and to train in, named parts of the page (tools/offline.ts), files by the beginnings of their addresses. */
export interface Keepable {
  readonly worlds: readonly string[];
  readonly parts: readonly string[];
  readonly files: readonly string[];
}

export interface Offline {
  /** Rejects with a LabError without a network. */
  report(): Promise<OfflineReport>;
  /**
   * Fetches what is not here; `onProgress` gets the bytes that are still missing. What was fetched before it is aborted stays. Rejects with a LabError where
   * the network or the space on the device ends.
   */
  keepAll(onProgress: (missing: number) => void, signal: AbortSignal): Promise<void>;
  /** Bytes of what this thing needs and this device does not have. Rejects with a LabError without a network. */
  missing(thing: Keepable): Promise<OfflineReport>;
  /** Fetches it; rejects as keepAll does. */
  keep(thing: Keepable): Promise<void>;
  /** Fetches what a training of this environment needs and who has only watched it does not have. Rejects with a LabError without a network. */
  keepTraining(envId: string): Promise<void>;
  /** Puts away what was loaded before the service worker answered for this page, and removes what belongs to older versions. */
  settle(): Promise<void>;
}

type Listed = readonly (readonly [url: string, bytes: number])[];

/** offline.json */
interface Parts {
  readonly files: Listed;
  /** By the ids of environments whose code comes at its first use. */
  readonly training: Readonly<Record<string, readonly string[]>>;
  readonly playing: Readonly<Record<string, readonly string[]>>;
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

const LANES = 4;
/** The caches that are filled as files are used. */
const CACHES = ['mujoco', 'pictures', 'papers', 'parts'] as const;
type CacheName = (typeof CACHES)[number];

const possible = (): boolean => 'caches' in globalThis && (serviceWorkers()?.controller ?? null) !== null;

function cacheOf(url: string): CacheName {
  if (/^assets\/mujoco-/.test(url)) return 'mujoco';
  if (url.startsWith('pictures/')) return 'pictures';
  return url.startsWith('results/') ? 'papers' : 'parts';
}

const here = (): string => new URL('./', location.href).pathname;

async function parts(signal?: AbortSignal): Promise<Parts> {
  try {
    const answer = await fetch('./offline.json', { cache: 'no-cache', ...(signal !== undefined && { signal }) });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return readJson(await answer.text()) as unknown as Parts;
  } catch {
    throw fail('offline', 'The list of the parts of this page could not be read.', 'Connect to the network and try again.');
  }
}

const list = async (signal?: AbortSignal): Promise<Listed> => (await parts(signal)).files;

/** Paths below this page of all files that are in some cache. */
async function kept(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(url);
      if (pathname.startsWith(here())) found.add(pathname.slice(here().length));
    }
  return found;
}

async function missing(files: Listed): Promise<Listed> {
  const have = await kept();
  return files.filter(([url]) => !have.has(url));
}

/** One look at list and caches for all things of a page that ask within so many ms. */
const TOGETHER_MS = 3000;
let looked: { readonly at: number; readonly parts: Promise<Parts>; readonly have: Promise<ReadonlySet<string>> } | null = null;

function look(): NonNullable<typeof looked> {
  if (looked === null || performance.now() - looked.at > TOGETHER_MS) looked = { at: performance.now(), parts: parts(), have: kept() };
  return looked;
}

/** The files of a thing. */
function filesOf({ worlds, parts: names, files: beginnings }: Keepable, { files, training, playing, parts: known }: Parts): Listed {
  const wanted = new Set([
    ...worlds.flatMap((id) => [...(training[id] ?? []), ...(playing[id] ?? [])]),
    ...names.flatMap((name) => known[name] ?? []),
  ]);
  return files.filter(([url]) => wanted.has(url) || beginnings.some((start) => url.startsWith(start)));
}

/** Fetches these files, several at once; `onProgress` gets the bytes that are left. */
async function fetchAll(files: Listed, onProgress: (missing: number) => void, signal: AbortSignal): Promise<void> {
  const todo = [...files];
  let left = bytesOf(todo);
  onProgress(left);
  const lane = async (): Promise<void> => {
    for (let next = todo.shift(); next !== undefined && !signal.aborted; next = todo.shift()) {
      await keepOne(next[0], signal);
      left -= next[1];
      onProgress(left);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } catch (error) {
    todo.length = 0;
    if (signal.aborted) return;
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      throw fail('storage-full', 'There is no room on this device for all of it.', 'Free some space; what was fetched is kept.');
    if (error instanceof TypeError) throw fail('offline', 'The network was lost.', 'Connect and try again; what was fetched is kept.');
    throw error;
  }
}

const bytesOf = (files: Listed): number => files.reduce((sum, [, bytes]) => sum + bytes, 0);

async function keepOne(url: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`./${url}`, { signal });
  if (!answer.ok)
    throw fail('offline', `${url} could not be fetched: the server answered ${answer.status}.`, 'Reload the page and try again.');
  await (await caches.open(cacheOf(url))).put(`./${url}`, answer);
}

export const offline: Offline = {
  async report() {
    if (!possible()) return { total: 0, missing: 0, possible: false };
    const files = await list();
    return { total: bytesOf(files), missing: bytesOf(await missing(files)), possible: true };
  },
  keepAll: async (onProgress, signal) => fetchAll(await missing(await list(signal)), onProgress, signal),
  async missing(thing) {
    if (!possible()) return { total: 0, missing: 0, possible: false };
    const { parts: listed, have } = look();
    const [all, there] = [filesOf(thing, await listed), await have];
    return { total: bytesOf(all), missing: bytesOf(all.filter(([url]) => !there.has(url))), possible: true };
  },
  async keep(thing) {
    looked = null; // what is here changes
    await fetchAll(await missing(filesOf(thing, await parts())), () => {}, new AbortController().signal);
  },
  async keepTraining(envId) {
    if (!possible()) return;
    const wanted = (await parts()).training[envId] ?? [];
    if (wanted.length === 0) return;
    const have = await kept();
    for (const url of wanted) if (!have.has(url)) await keepOne(url, new AbortController().signal);
  },
  async settle() {
    if (!possible()) return;
    const files = new Set((await list()).map(([url]) => url));
    const have = await kept();
    const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    for (const path of used) {
      const url = path.slice(here().length);
      if (path.startsWith(here()) && files.has(url) && !have.has(url)) await keepOne(url, new AbortController().signal);
    }
    const cache = await caches.open('parts');
    for (const request of await cache.keys())
      if (!files.has(new URL(request.url).pathname.slice(here().length))) await cache.delete(request);
  },
};
