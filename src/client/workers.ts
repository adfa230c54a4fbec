/** Starts the page's workers and wraps them. A worker's name holds the storage namespace. */
import { transfer, wrap } from 'comlink';
import type { DataPort, EventBatch, SessionApi, WatchApi } from '#contract/session.ts';

export interface SessionWorker {
  readonly api: Omit<SessionApi, 'start'>;
  /** Starts a run; batches arrive until the worker ends or the next start. */
  start(request: Parameters<SessionApi['start']>[0], onBatch: (batch: EventBatch) => void): Promise<void>;
  terminate(): void;
}

export interface WatchWorker {
  readonly api: WatchApi;
  terminate(): void;
}

/** `onError` gets errors that were not caught inside the worker, and of a worker that could not be loaded. */
export function spawnSession(namespace: string, onError: (message: string) => void): SessionWorker {
  const worker = new Worker(new URL('../../workers/session.worker.ts', import.meta.url), { type: 'module', name: `session ${namespace}` });
  watchErrors(worker, onError);
  const api = wrap<SessionApi>(worker) as unknown as SessionApi;
  let port: MessagePort | null = null;
  return {
    api,
    start: (request, onBatch) => {
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      port.onmessage = (message: MessageEvent<EventBatch>) => onBatch(message.data);
      return api.start(request, transfer(channel.port2 as unknown as DataPort, [channel.port2]));
    },
    terminate: () => {
      port?.close();
      worker.terminate();
    },
  };
}

export function spawnWatch(name: string, onError: (message: string) => void): WatchWorker {
  const worker = new Worker(new URL('../../workers/watch.worker.ts', import.meta.url), { type: 'module', name });
  watchErrors(worker, onError);
  return { api: wrap<WatchApi>(worker) as unknown as WatchApi, terminate: () => worker.terminate() };
}

function watchErrors(worker: Worker, onError: (message: string) => void): void {
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message || 'its code could not be loaded');
  };
  worker.onmessageerror = () => onError('a message could not be read');
}

/** The folder of this page: '/' or '/lab/'. Two copies of the workbench on one host keep their things apart by it. */
export function namespaceHere(): string {
  return location.pathname.replace(/[^/]*$/, '') || '/';
}
