/**
 * Threads of one engine in the page: workers of the worker that trains the seed, over shared memory. Only where the page is isolated from other
 * origins (service-worker.ts); its bits are those of one thread. They start with the first large product, so that small networks have none.
 */
import { createEngine } from '#core/engine/index.ts';
import { createWasmEngine } from '#core/engine/wasm/engine.ts';
import type { ThreadStart } from '#core/engine/wasm/threads.ts';
import kernelUrl from '../kernel.worker.ts?worker&url';

function spawn(start: ThreadStart): Promise<{ terminate(): void }> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(kernelUrl, { type: 'module', name: 'rl-workbench:thread' });
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new Error(event.message || 'The file of a thread could not be loaded.'));
    };
    worker.onmessage = () => resolve(worker);
    worker.postMessage(start);
  });
}

// The run goes on with the threads that there are, and the page shows how many.
const refused = (error: unknown): void => console.warn('A thread for large products could not start.', error);

/** The engine of a run. A browser without room for a shared memory computes on one thread. */
export function engineOn(threads: number): typeof createEngine {
  if (threads <= 1 || !self.crossOriginIsolated) return createEngine;
  return async (executor) => {
    if (executor !== 'wasm') return createEngine(executor);
    try {
      return await createWasmEngine({ threads: { threads, spawn, refused } });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return createEngine(executor);
    }
  };
}
