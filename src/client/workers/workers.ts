/** Starts the page's workers and wraps them. A worker's name holds the storage namespace. */
import { transfer, wrap } from 'comlink';
import type { RunConfig } from '#contract/run/config.ts';
import type { SeedResult } from '#contract/run/events.ts';
import type { PageApi } from '#contract/session/opened.ts';
import type { DataPort, EventBatch, SandboxPort, SessionApi } from '#contract/session/session.ts';
import { MEMORY_ONLY } from '#storage/open.ts';
import { embedded } from '#stores/route.ts';
import sessionUrl from '../../../workers/session.worker.ts?worker&url';
import watchUrl from '../../../workers/watch.worker.ts?worker&url';
import { followDownloads, forgetDownloads, NOT_LOADED } from './downloads.ts';
import { endWorker, startWorker } from './served.ts';

/** How long a message between threads may be on its way. */
const LATE_MS = 1000;

export interface SessionWorker {
  readonly api: Omit<SessionApi, 'start' | 'simulate'>;
  /** Simulates one seed, with these live edits on the way; what it measures meanwhile goes to `onBatch`. */
  simulate(
    config: RunConfig,
    seed: number,
    onBatch?: (batch: EventBatch) => void,
    edits?: Parameters<SessionApi['simulate']>[4],
  ): Promise<SeedResult>;
  /** Starts a run; batches arrive until the worker ends, or the run itself does: its last save may be told after the next start was asked for. */
  start(request: Parameters<SessionApi['start']>[0], onBatch: (batch: EventBatch) => void): Promise<void>;
  terminate(): void;
}

export interface WatchWorker {
  readonly api: PageApi;
  terminate(): void;
}

/** The worker's end of the way to where a training goes on that is not to run in the worker itself. */
export interface SessionBeside {
  readonly port: MessagePort;
  readonly end: () => void;
}
/** null: the worker trains this config itself. */
export type Beside = (config: RunConfig) => Promise<SessionBeside> | null;

/** `onError` gets errors that were not caught inside the worker, and of a worker that could not be loaded. */
export function spawnSession(namespace: string, onError: (message: string) => void, beside: Beside = () => null): SessionWorker {
  const worker = openWorker(sessionUrl, `session ${namespace}`);
  listenTo(worker, onError);
  const api = wrap<SessionApi>(worker) as unknown as SessionApi;
  let port: MessagePort | null = null;
  let endBeside = (): void => {};
  const begin = async (request: Parameters<SessionApi['start']>[0], onBatch: (batch: EventBatch) => void): Promise<void> => {
    const there = await beside(request.config);
    if (there === null) return api.start(request, listen(onBatch));
    endBeside = there.end;
    try {
      await api.start(request, listen(onBatch), transfer(there.port as unknown as SandboxPort, [there.port]));
    } catch (error) {
      there.end();
      throw error;
    }
  };
  const listen = (onBatch: (batch: EventBatch) => void): DataPort => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = (message: MessageEvent<EventBatch>) => onBatch(message.data);
    return transfer(channel.port2 as unknown as DataPort, [channel.port2]);
  };
  return {
    api,
    start(request, onBatch) {
      const before = port;
      return begin(request, onBatch).finally(() => {
        // the worker has ended the run before; what that posted last may still be on its way
        setTimeout(() => before?.close(), LATE_MS);
      });
    },
    async simulate(config, seed, onBatch, edits = []) {
      const there = await beside(config);
      port?.close();
      const data = onBatch === undefined ? undefined : listen(onBatch);
      if (there === null) return api.simulate(config, seed, data, null, edits);
      endBeside = there.end;
      try {
        return await api.simulate(config, seed, data, transfer(there.port as unknown as SandboxPort, [there.port]), edits);
      } finally {
        there.end();
      }
    },
    terminate: () => {
      port?.close();
      endBeside();
      end(worker);
    },
  };
}

export function spawnWatch(name: string, onError: (message: string) => void): WatchWorker {
  const worker = openWorker(watchUrl, name);
  listenTo(worker, onError);
  return { api: wrap<PageApi>(worker) as unknown as PageApi, terminate: () => end(worker) };
}

/**
 * A sandboxed frame and a file on a disk have the origin "null", and so no script of the same origin to start. There the worker is made here, a
 * classic one, because Chromium starts no module from a blob of that origin: in the single file (tools/build-single.mjs) of the script that stands
 * in the page, in a frame of a few lines that import the script, which the server must allow to any origin (docs/embedding.md).
 */
function openWorker(url: string, name: string): Worker {
  if (self.origin !== 'null') return startWorker(url, { type: 'module', name });
  const { href, pathname } = new URL(url, location.href);
  const file = pathname.slice(pathname.lastIndexOf('/') + 1);
  const inPage = document.querySelector(`script[type="text/plain"][data-worker="${CSS.escape(file)}"]`);
  const code = inPage?.textContent ?? importing(href);
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(address, { name });
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // it is fetched once, at the start
  return worker;
}

/** A classic script that imports a module; what is asked of it meanwhile is kept until the module listens. */
const importing = (href: string): string => `
  const early = [];
  const keep = (event) => early.push(event);
  addEventListener('message', keep);
  import(${JSON.stringify(href)}).then(
    () => {
      removeEventListener('message', keep);
      for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
    },
    (error) => setTimeout(() => { throw error; }),
  );`;

function end(worker: Worker): void {
  endWorker(worker);
  forgetDownloads(worker);
}

function listenTo(worker: Worker, onError: (message: string) => void): void {
  followDownloads(worker);
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message || NOT_LOADED);
  };
  worker.onmessageerror = () => onError('a message could not be read');
}

/**
 * The folder of this page: '/' or '/lab/'. Two copies of the workbench on one host keep their things apart by it. A frame in another
 * page keeps nothing, and neither hears nor tells other tabs.
 */
export function namespaceHere(): string {
  if (embedded()) return `${MEMORY_ONLY}${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  return location.pathname.replace(/[^/]*$/, '') || '/';
}
